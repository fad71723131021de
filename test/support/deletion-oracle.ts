/** Random deletions of events, and which events and values of totals each selects, without SQL. */
import type { HiddenCondition } from '../../server/derive/hidden-events.ts';
import type { Event } from '../../server/ingest/event.ts';
import type { Random } from './random.ts';
import { matchesPattern } from './stats-oracle.ts';

const fields = [
	'path',
	'path',
	'query',
	'title',
	'hostname',
	'referrer',
	'referrer',
	'campaign',
	'country',
	'event',
	'property',
] as const;

function textsOf(event: Event, { field, property }: Pick<HiddenCondition, 'field' | 'property'>): string[] {
	switch (field) {
		case 'property': {
			const text = (event.properties as Record<string, string>)[property ?? ''];
			return text === undefined ? [] : [text];
		}
		case 'event':
			return event.kind === 'custom' ? [event.name] : [];
		case 'campaign':
			return event.utm_campaign === '' ? [] : [event.utm_campaign];
		case 'referrer':
			return event.referrer === '' ? [] : [event.referrer.toLowerCase()];
		default:
			return event[field] === '' ? [] : [event[field]];
	}
}

function passes(text: string, { test, values }: HiddenCondition): boolean {
	const [host = ''] = text.split('/');
	return values.some((value) => {
		switch (test) {
			case 'is':
				return text === value;
			case 'contains':
				return text.includes(value);
			case 'starts_with':
				return text.startsWith(value);
			case 'ends_with':
				return text.endsWith(value);
			case 'wildcard':
				return matchesPattern(value, text);
			case 'domain':
				return host === value || host.endsWith(`.${value}`);
		}
		return false;
	});
}

/** Whether all conditions select the event. */
export const selects = (conditions: readonly HiddenCondition[], event: Event): boolean =>
	conditions.every((condition) => textsOf(event, condition).some((text) => passes(text, condition)));

const dimensionsOf: Partial<Record<HiddenCondition['field'], readonly string[]>> = {
	path: ['page', 'entry_page', 'exit_page'],
	title: ['title'],
	hostname: ['hostname'],
	referrer: ['referrer', 'source'],
	campaign: ['utm_campaign'],
	country: ['country'],
	event: ['event'],
};

/** Whether a condition selects a row of totals. */
export function selectsValue(
	condition: HiddenCondition,
	{ dimension, value }: { dimension: string; value: string },
): boolean {
	const { field, test } = condition;
	if (value === '' || !dimensionsOf[field]?.includes(dimension)) return false;
	const text = field === 'referrer' ? value.toLowerCase() : value;
	// A source is the host of referrers, with or without `www.`.
	const isHost = dimension === 'source' && value.includes('.');
	return passes(text, condition) || (test === 'domain' && isHost && passes(`www.${text}`, condition));
}

/** One to two conditions with values of these events. */
export function randomConditions(random: Random, events: readonly Event[]): HiddenCondition[] {
	return Array.from({ length: random.pick([1, 1, 1, 2]) }, (): HiddenCondition => {
		const field = random.pick(fields);
		const withProperties = events.filter((event) => Object.keys(event.properties).length > 0);
		const chosenEvent = random.pick(
			field === 'property' && withProperties.length > 0 ? withProperties : events,
		);
		const names = Object.keys(chosenEvent.properties);
		const property = field === 'property' ? (names[0] ?? 'plan') : null;
		const values = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => {
			const [text = '/'] = textsOf(random.next() < 0.5 ? chosenEvent : random.pick(events), {
				field,
				property,
			});
			return text;
		});
		// Cut between characters: half of one is no text.
		const cut = (text: string, from: number, to?: number) => [...text].slice(from, to).join('');
		const part = (text: string) =>
			cut(text, random.whole(text.length), 1 + random.whole(text.length + 1)) || text;
		switch (
			field === 'country'
				? 'is'
				: random.pick(['is', 'is', 'contains', 'starts_with', 'wildcard', 'domain'] as const)
		) {
			case 'contains':
				return { field, property, test: 'contains', values: values.map(part) };
			case 'starts_with':
				return random.next() < 0.5
					? { field, property, test: 'starts_with', values: values.map((text) => cut(text, 0, 3) || text) }
					: { field, property, test: 'ends_with', values: values.map((text) => cut(text, -3) || text) };
			case 'wildcard':
				return {
					field,
					property,
					test: 'wildcard',
					values: values.map((text) => `${cut(text, 0, 2)}*${cut(text, -1)}`),
				};
			case 'domain':
				if (field === 'hostname' || field === 'referrer')
					return {
						field,
						property,
						test: 'domain',
						values: values.map((text) => {
							const labels = (text.split('/')[0] ?? '').split('.');
							return labels.slice(random.whole(labels.length)).join('.') || text;
						}),
					};
				return { field, property, test: 'is', values };
			default:
				return { field, property, test: 'is', values };
		}
	});
}
