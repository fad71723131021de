import { maxPropertyValue } from './hit-members.ts';
import { isCertainSecretName, mask, maskCertain, maskNamed } from './mask.ts';
import type { Step } from './step.ts';
import { cutText } from './text.ts';

/** What the hit says for itself. Everything else is found out by the steps that follow. */
export const begin: Step = (event, hit) => ({
	...event,
	website_id: hit.website.id,
	time: hit.time.toISOString().replace('T', ' ').slice(0, -1),
	event_id: hit.id,
	kind: hit.kind,
	name: maskCertain(hit.name),
	properties: maskProperties(hit.properties),
	revenue: hit.revenue,
	currency: hit.currency,
	page_event_id: hit.pageEventId,
	engaged_ms: hit.engagedMs,
	scroll: hit.scroll,
	lcp_ms: hit.vitals.lcpMs,
	inp_ms: hit.vitals.inpMs,
	cls: hit.vitals.cls,
});

function maskProperties(properties: Readonly<Record<string, string>>): Record<string, string> {
	// Without a prototype, so that a property can have any name.
	const masked: Record<string, string> = Object.create(null);
	for (const [name, value] of Object.entries(properties))
		masked[name] = cutText(maskProperty(name, value), maxPropertyValue);
	return masked;
}

function maskProperty(name: string, value: string): string {
	if (isCertainSecretName(name)) return maskNamed(value);
	// The link of an outbound click or a download is an address like any other.
	return /^https?:/i.test(value) ? mask(value) : maskCertain(value);
}
