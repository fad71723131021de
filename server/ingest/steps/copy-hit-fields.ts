import { maxPropertyValue } from '../hit-fields.ts';
import { cutText, toClickHouseTime } from '../text.ts';
import { isCertainSecretName, mask, maskCertain, maskNamed } from './mask.ts';
import type { Step } from './step.ts';

/** Copies the fields that need no lookup, masked. */
export const copyHitFields: Step = (event, hit) => {
	event.website_id = hit.website.id;
	event.time = toClickHouseTime(hit.time);
	event.event_id = hit.id;
	event.kind = hit.kind;
	event.name = maskCertain(hit.name);
	const properties = Object.entries(hit.properties);
	if (properties.length > 0) event.properties = maskProperties(properties);
	event.revenue = hit.revenue;
	event.currency = hit.currency;
	event.page_event_id = hit.pageEventId;
	event.engaged_ms = hit.engagedMs;
	event.scroll = hit.scroll;
	event.lcp_ms = hit.vitals.lcpMs;
	event.inp_ms = hit.vitals.inpMs;
	event.cls = hit.vitals.cls;
	return undefined;
};

function maskProperties(properties: readonly [name: string, value: string][]): Record<string, string> {
	// No prototype, so that a property can have any name.
	const masked: Record<string, string> = Object.create(null);
	for (const [name, value] of properties) masked[name] = cutText(maskProperty(name, value), maxPropertyValue);
	return masked;
}

function maskProperty(name: string, value: string): string {
	if (isCertainSecretName(name)) return maskNamed(value);
	// The link of an outbound click or a download is a URL like any other.
	return /^https?:/i.test(value) ? mask(value) : maskCertain(value);
}
