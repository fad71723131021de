import { maxPropertyValue } from '../hit-fields.ts';
import { cutText, toClickHouseTime } from '../text.ts';
import { isCertainSecretName, mask, maskCertain, maskNamed } from './mask.ts';
import type { Step } from './step.ts';

/** Copies the fields that need no lookup, masked. */
export const copyHitFields: Step = (event, hit) => ({
	...event,
	website_id: hit.website.id,
	time: toClickHouseTime(hit.time),
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
	// No prototype, so that a property can have any name.
	const masked: Record<string, string> = Object.create(null);
	for (const [name, value] of Object.entries(properties))
		masked[name] = cutText(maskProperty(name, value), maxPropertyValue);
	return masked;
}

function maskProperty(name: string, value: string): string {
	if (isCertainSecretName(name)) return maskNamed(value);
	// The link of an outbound click or a download is a URL like any other.
	return /^https?:/i.test(value) ? mask(value) : maskCertain(value);
}
