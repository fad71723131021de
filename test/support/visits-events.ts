import { blankEvent, type Event, type EventKind } from '../../server/ingest/event.ts';
import { nextDate } from '../../server/lib/local-dates.ts';
import { dateOf, toZones, type Zones } from '../../server/websites/zones.ts';
import type { Random } from './random.ts';

/** As `events` spells an instant. */
const timeOf = (ms: number) => new Date(ms).toISOString().replace('T', ' ').slice(0, -1);

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const gapsMs = [
	0,
	0,
	1,
	999,
	1_000,
	10_000,
	5 * minuteMs,
	15 * minuteMs,
	30 * minuteMs - 1,
	30 * minuteMs - 1,
	30 * minuteMs,
	30 * minuteMs,
	30 * minuteMs + 1,
	31 * minuteMs,
	45 * minuteMs,
	9 * hourMs,
];

const zoneNames = [
	'UTC',
	'Europe/Berlin',
	'America/New_York',
	'Asia/Kathmandu',
	'Australia/Lord_Howe',
	'America/Santiago',
	'Pacific/Kiritimati',
	'Pacific/Pago_Pago',
];

/** Days of 23 to 25 hours, ends of months, and one like any other. */
const startDates = ['2026-03-28', '2026-10-24', '2026-04-04', '2026-09-05', '2026-11-30', '2026-06-17'];

/** Few values each, drawn anew for every event, so that a column taken from the wrong event shows. */
const texts = {
	hostname: ['example.com', 'shop.example.com', ''],
	path: ['/', '/a', '/b', "/it's\t\\odd/ü", ''],
	route: ['', '', '/[id]'],
	referrer: ['', 'https://news.example/x', 'https://example.com/'],
	source: ['', 'Google', 'internal', 'news.example'],
	channel: ['Direct', 'Organic Search', 'Referral', 'Internal'],
	utm_source: ['', 'letter', 'ad'],
	utm_medium: ['', 'email', 'cpc'],
	utm_campaign: ['', 'spring', 'autumn'],
	utm_term: ['', 'shoes'],
	utm_content: ['', 'red', 'blue'],
	click_id: ['', 'gclid', 'fbclid'],
	country: ['', 'DE', 'NP', 'US'],
	region: ['', 'DE-BE', 'US-NY'],
	city: ['', 'Berlin', 'Kathmandu'],
	language: ['', 'de', 'en'],
	browser: ['', 'Firefox', 'Chrome'],
	browser_version: ['', '140', '141'],
	os: ['', 'Linux', 'iOS'],
	os_version: ['', '18', '26'],
	device: ['', 'desktop', 'phone'],
	screen: ['', 'xs', 'xl'],
} satisfies Partial<Record<keyof Event, readonly string[]>>;

/** A zone, and up to two others that it was changed to, each by the product's own rule. */
function randomZones(random: Random, aroundMs: number): Zones {
	const rows = [{ from: '0001-01-01', zone: random.pick(zoneNames) }];
	for (let changes = random.whole(3); changes > 0; changes--) {
		const changedMs = aroundMs + (random.whole(96) - 24) * hourMs;
		const from = nextDate(dateOf(toZones(rows), changedMs).date);
		if (from > (rows.at(-1)?.from ?? '')) rows.push({ from, zone: random.pick(zoneNames) });
	}
	return toZones(rows);
}

/** The events of a few visitors of one website over some two days. */
export function randomEvents(random: Random, websiteId: number): Event[] {
	const beginMs = Date.parse(`${random.pick(startDates)}T00:00:00Z`);
	const zones = randomZones(random, beginMs);
	const usedIds = new Set<string>(['0']);

	function newId(): string {
		// Small ones too, and those above 2^63: the order is that of numbers, not of their digits, and has no sign.
		const id = random.pick([
			() => BigInt(random.whole(30)),
			() => BigInt(random.whole(2 ** 31)),
			() => 2n ** 64n - 1n - BigInt(random.whole(30)),
			() => BigInt(random.whole(2 ** 32)) * 2n ** 32n + BigInt(random.whole(2 ** 32)),
		])();
		if (usedIds.has(String(id))) return newId();
		usedIds.add(String(id));
		return String(id);
	}

	function newEvent(kind: EventKind, visitorId: string, ms: number): Event {
		const event: Event = {
			...blankEvent,
			website_id: websiteId,
			visitor_id: visitorId,
			event_id: newId(),
			kind,
		};
		for (const name of keysOf(texts)) event[name] = random.pick<string>(texts[name]);
		event.time = timeOf(ms);
		event.date = dateOf(zones, ms).date;
		event.late = random.pick([0, 0, 1]);
		if (kind === 'custom') {
			event.name = random.pick(['signup', 'outbound', 'Kauf']);
			event.revenue = random.pick(['0', '19.99', '-5.5', '0.0001', '1200']);
			event.currency = event.revenue === '0' ? '' : random.pick(['EUR', 'USD', 'JPY']);
		}
		return event;
	}

	/** What was sent when a page was hidden: dated by its page view, however late it came. */
	function newEngagement(page: Event, pageMs: number): Event {
		const afterMs = random.pick([0, 1_000, 20 * minuteMs, hourMs, 5 * hourMs, -1_000]);
		const event = newEvent(
			random.pick(['engagement', 'engagement', 'vital']),
			page.visitor_id,
			pageMs + afterMs,
		);
		event.date = page.date;
		event.page_event_id = page.event_id;
		event.engaged_ms = random.pick([0, 1, 9_999, 10_000, 65_536, 4_294_967_295]);
		event.scroll = random.whole(101);
		return event;
	}

	/** One that belongs nowhere, because the visitor, the date, the page view or its kind is another. */
	function mislead(event: Event): Event {
		const wrong: Partial<Event> = random.pick([
			{ page_event_id: '0' },
			{ page_event_id: newId() },
			{ visitor_id: '0' },
			{ visitor_id: '77' },
			{ date: nextDate(event.date) },
			{ website_id: websiteId + 1 },
		]);
		return { ...event, ...wrong };
	}

	const events: Event[] = [];
	const visitorIds = ['0', '1', '9', '10', '18446744073709551615'];
	for (const visitorId of visitorIds.filter(() => random.next() < 0.6)) {
		let ms = beginMs + random.whole(24 * 4) * 15 * minuteMs + random.pick([0, 0, -1, 1, 7_321]);
		const onlyCustom = random.next() < 0.15;
		for (let left = 1 + random.whole(14); left > 0; left--) {
			const event = newEvent(onlyCustom || random.next() < 0.3 ? 'custom' : 'pageview', visitorId, ms);
			events.push(event);
			for (let quiet = random.whole(3); quiet > 0; quiet--) {
				const engagement = newEngagement(event, ms);
				events.push(random.next() < 0.2 ? mislead(engagement) : engagement);
			}
			ms += random.pick(gapsMs);
		}
	}
	return events;
}

/** As chance has it: in which order rows arrive. */
export function shuffle<T>(random: Random, of: readonly T[]): T[] {
	return of
		.map((item) => ({ item, key: random.next() }))
		.toSorted((a, b) => a.key - b.key)
		.map(({ item }) => item);
}

function keysOf<Key extends string>(of: Readonly<Record<Key, unknown>>): Key[] {
	// The compiler takes an object's keys for any strings; those of a literal are exactly the ones it was written with.
	return Object.keys(of) as Key[];
}
