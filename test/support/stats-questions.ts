/**
 * Random events and random questions about them, for comparing answers with stats-oracle.ts. There are few values of
 * everything, so that rows collide and conditions are met. Questions are made resolved: their spans and buckets are found by
 * asking a clock on the wall, instant after instant, and not by the product's periods.
 */
import type { GoalProperty } from '../../server/derive/goal-property.ts';
import { blankEvent, type Event, type EventKind } from '../../server/ingest/event.ts';
import { addDays, nextDate } from '../../server/lib/local-dates.ts';
import type { PathRule } from '../../server/stats/page-groups/rules.ts';
import {
	type Dimension,
	dimensionNames,
	type FilterDimension,
	writeDimension,
} from '../../server/stats/question/dimensions.ts';
import { type MetricName, metricNames, metricOf } from '../../server/stats/question/metrics.ts';
import { changeNames } from '../../server/stats/question/parse-question.ts';
import {
	type Breakdown,
	type Bucket,
	type Filter,
	type Goal,
	type Interval,
	numberTests,
	type Question,
	type Span,
	type StatsWebsite,
	textTests,
} from '../../server/stats/question/question.ts';
import { checkExpression } from '../../server/stats/question/regular-expression.ts';
import { dateOf, toZones, type Zones } from '../../server/websites/zones.ts';
import type { Random } from './random.ts';
import { isOfVisit } from './stats-oracle.ts';
import { shuffle } from './visits-events.ts';

export type About = {
	/** The local dates that have events, and those between. */
	dates: readonly string[];
	goals: readonly Goal[];
	now: number;
	/** Instants at which something happened: a cut is drawn there rather than where nothing is. */
	times?: readonly number[];
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

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

/** Days of 23 to 25 hours, ends of a month and of a year, and one like any other. */
const startDates = ['2026-03-26', '2026-10-22', '2026-04-02', '2026-09-03', '2026-12-27', '2026-06-17'];

const gapsMs = [
	0,
	1,
	999,
	10_000,
	5 * minuteMs,
	15 * minuteMs,
	30 * minuteMs - 1,
	30 * minuteMs,
	31 * minuteMs,
	45 * minuteMs,
	9 * hourMs,
];

/** Those twice are frequent. The order of 😀 and ﬁ by their bytes is not that by their UTF-16 units. */
const texts = {
	hostname: ['example.com', 'example.com', 'shop.example.com', ''],
	path: [
		'/',
		'/',
		'/a',
		'/a',
		'/A',
		'/a.b',
		'/axb',
		'/100%_b',
		"/it's\t\\odd/ü",
		'',
		'/p/1',
		'/p/22',
		'/p/1/x',
	],
	route: ['', '', '', '', '/p/[id]', '/a'],
	title: ['Home', 'Home', 'A "quoted" title', 'Über uns 😀', 'Über uns ﬁ', ''],
	referrer: ['', 'https://news.example/x', 'https://example.com/'],
	source: ['', 'Google', 'internal', 'news.example'],
	channel: ['Direct', 'Organic Search', 'Internal'],
	utm_source: ['', 'letter'],
	utm_medium: ['', 'email', 'Email'],
	utm_campaign: ['', "spring's \\ 'sale'", 'autumn'],
	utm_term: ['', 'shoes'],
	utm_content: ['', 'red', 'blue'],
	country: ['', 'DE', 'NP'],
	region: ['', 'DE-BE', 'US-NY'],
	city: ['', 'Berlin', 'Zürich'],
	language: ['', 'de', 'en'],
	browser: ['Firefox', 'Chrome'],
	browser_version: ['', '14', '140'],
	os: ['Linux', 'iOS'],
	os_version: ['', '18', '26'],
	device: ['desktop', 'mobile'],
	screen: ['', 'xs', 'xl'],
} satisfies Partial<Record<keyof Event, readonly string[]>>;

const eventNames = ['signup', 'signup', 'Kauf', 'sign*up', "it's"];
const propertyNames = ['plan', 'plan', 'size', 'an "odd" \\ näme'];
const propertyValues = [
	'free',
	'pro',
	'PRO',
	'',
	'10',
	'it\'s "odd" \\ ü',
	'😀',
	'ﬁ',
	'STRAẞE',
	'straße',
	'ΣΊΣΥΦΟΣ',
];
/** Numbers, and texts that are none. */
const numberValues = [
	'10',
	'9.5',
	'010.0',
	'-3',
	'0.30000000000000004',
	'0.3',
	'10.',
	'1e3',
	'+5',
	'٣',
	' 7',
];

/** As `events` spells an instant. */
const writeTime = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').slice(0, -1);

/** A zone, and up to two others that it was changed to, each by the product's own rule. */
function randomZones(random: Random, beginMs: number, days: number): Zones {
	const rows = [{ from: '0001-01-01', zone: random.pick(zoneNames) }];
	for (let changes = random.pick([0, 0, 1, 2]); changes > 0; changes--) {
		const from = nextDate(dateOf(toZones(rows), beginMs + random.whole(days * 24) * hourMs).date);
		if (from > (rows.at(-1)?.from ?? '')) rows.push({ from, zone: random.pick(zoneNames) });
	}
	return toZones(rows);
}

const patterns = [
	'/',
	'/*',
	'/**',
	'/a',
	'/a*',
	'/a.*',
	'/*b',
	'/p/*',
	'/p/**',
	'/*/*',
	'/*/1/**',
	'/p/*/x',
	"/it's*odd/*",
	'/100%*',
	'/(a|b)+[^/]?$',
];
const targets = ['/p/:id', '/', '/a', '/$1', '[$1]', 'All {p0:String} ü', '$0 $$1 %', '$1/$1'];

/** Each target has a wildcard for what it names. */
const randomRules = (random: Random): PathRule[] =>
	Array.from({ length: random.pick([0, 1, 2, 3, 6]) }, () => {
		const pattern = random.pick(patterns);
		return { pattern, target: random.pick(pattern.includes('*') ? targets : targets.slice(0, 3)) };
	});

function randomGoals(random: Random): Goal[] {
	// One's digits are within another's, as texts of filters may be.
	return shuffle(random, [1, 2, 12, 21, 112])
		.slice(0, random.pick([0, 2, 3, 4, 5]))
		.map((id) => {
			const kind = random.pick(['page', 'event'] as const);
			const patterns =
				kind === 'page'
					? ['/', '/a', '/a*', '*', '/a.b', '/*_b', '/1*%*b', "/it's*ü", '*\\*', '/none', '']
					: ['signup', 'sign*', 'sign*up', '*', 'kauf', '*au*', "it's"];
			return {
				id,
				revision: 1 + random.whole(3),
				name: random.pick(['Signed up', 'Käufe', '100% \\ done', 'signed off']),
				kind,
				pattern: random.pick(patterns),
				property: random.next() < 0.4 ? randomGoalProperty(random) : null,
			};
		});
}

function randomGoalProperty(random: Random): GoalProperty {
	const name = random.pick(propertyNames);
	const text = random.pick(propertyValues);
	return random.pick<() => GoalProperty>([
		() => ({ name, value: text }),
		() => ({
			name,
			value: randomFragment(random, text) || text,
			test: random.pick(['contains', 'starts_with', 'ends_with'] as const),
		}),
		() => ({ name, value: random.pick(['*', 'p*', '*o*', '*\\*', '%', text]), test: 'wildcard' }),
		() => ({
			name,
			value: random.pick(limits),
			test: random.pick(['greater_than', 'at_least', 'less_than', 'at_most'] as const),
		}),
	])();
}

/** Some days of several websites up to one now, and what questions about each can be about. */
export function randomStatsEvents(
	random: Random,
	{ websiteIds }: { websiteIds: readonly number[] },
): { events: Event[]; asked: { website: StatsWebsite; about: About }[] } {
	const beginMs = Date.parse(`${random.pick(startDates)}T00:00:00Z`);
	const days = 5 + random.whole(7);
	const now =
		beginMs + (days - 1) * dayMs + random.whole(24 * 4) * 15 * minuteMs + random.pick([0, 1, 7_321]);
	const usedIds = new Set<string>(['0']);

	function newId(): string {
		// Small ones too, and those above 2^63: the order is that of numbers, not of their digits, and has no sign.
		const id = random.pick([
			() => BigInt(random.whole(2_000)),
			() => 2n ** 64n - 1n - BigInt(random.whole(2_000)),
			() => BigInt(random.whole(2 ** 32)) * 2n ** 32n + BigInt(random.whole(2 ** 32)),
		])();
		if (usedIds.has(String(id))) return newId();
		usedIds.add(String(id));
		return String(id);
	}

	function randomWebsite(id: number): { events: Event[]; website: StatsWebsite; about: About } {
		const zones = randomZones(random, beginMs, days);

		function newEvent(kind: EventKind, visitorId: string, ms: number): Event {
			const event: Event = { ...blankEvent, website_id: id, visitor_id: visitorId, event_id: newId(), kind };
			for (const name of keysOf(texts)) event[name] = random.pick<string>(texts[name]);
			event.name = kind === 'custom' ? random.pick(eventNames) : kind;
			event.time = writeTime(ms);
			event.date = dateOf(zones, ms).date;
			event.late = random.pick([0, 0, 1]);
			return event;
		}

		/** A page view or custom event: these carry properties and money. */
		function newActive(kind: 'pageview' | 'custom', visitorId: string, ms: number): Event {
			const event = newEvent(kind, visitorId, ms);
			for (let left = random.pick([0, 1, 1, 2]); left > 0; left--)
				event.properties = {
					...event.properties,
					[random.pick(propertyNames)]: random.pick(random.next() < 0.4 ? numberValues : propertyValues),
				};
			if (random.next() < (kind === 'custom' ? 0.5 : 0.1)) {
				event.revenue = random.pick([
					'0',
					'0.1',
					'0.2',
					'19.99',
					'-19.99',
					'0.0001',
					'1200',
					'99999999.9999',
				]);
				event.currency = random.pick(['EUR', 'EUR', 'USD']);
			}
			return event;
		}

		/** What was sent when a page was hidden: dated by its page view, however late it came. */
		function newQuiet(page: Event, pageMs: number): Event {
			const afterMs = random.pick([0, 1_000, 20 * minuteMs, 5 * hourMs, -1_000]);
			const event = newEvent(
				random.pick(['engagement', 'engagement', 'vital']),
				page.visitor_id,
				pageMs + afterMs,
			);
			event.date = page.date;
			event.page_event_id = page.event_id;
			event.engaged_ms = random.pick([0, 0, 1, 4_000, 5_999, 6_000, 9_999, 10_000, 4_294_967_295]);
			event.scroll = random.pick([0, 0, 1, 55, 100]);
			return event;
		}

		/** One that belongs nowhere, because the visitor, the date, the page view or the website is another. */
		function mislead(event: Event): Event {
			const wrong: Partial<Event> = random.pick([
				{ page_event_id: '0' },
				{ page_event_id: newId() },
				{ visitor_id: '0' },
				{ visitor_id: '77' },
				{ date: nextDate(event.date) },
				{ website_id: random.pick([id + 1, ...websiteIds.filter((other) => other !== id)]) },
			]);
			return { ...event, ...wrong };
		}

		const events: Event[] = [];
		for (let day = 0; day < days; day++)
			// The same ids on every day: a visitor is one of a date.
			for (const visitorId of ['0', '0', '1', '9', '10', '18446744073709551615']) {
				if (random.next() < 0.4) continue;
				let ms =
					beginMs + day * dayMs + random.whole(24 * 4) * 15 * minuteMs + random.pick([0, 0, -1, 1, 7_321]);
				const onlyCustom = random.next() < 0.15;
				for (let left = random.pick([1, 1, 2, 3, 4, 6]); left > 0 && ms <= now; left--) {
					const kind = onlyCustom || random.next() < 0.3 ? 'custom' : 'pageview';
					const event = newActive(kind, visitorId, ms);
					events.push(event);
					for (let quiet = random.pick([0, 0, 1, 1, 2]); quiet > 0; quiet--) {
						const hidden = newQuiet(event, ms);
						events.push(random.next() < 0.15 ? mislead(hidden) : hidden);
					}
					ms += random.pick(gapsMs);
				}
			}

		const active = events.filter(({ kind }) => kind === 'pageview' || kind === 'custom');
		const times = active.map(({ time }) => Date.parse(`${time.replace(' ', 'T')}Z`));
		const dates: string[] = [];
		for (let date = dateOf(zones, beginMs - 1).date; date <= dateOf(zones, now).date; date = nextDate(date))
			dates.push(date);
		const goals = randomGoals(random);
		const resetAt = random.next() < 0.15 ? random.pick([now, ...times]) : null;
		return {
			events,
			website: { id, zones, rawFrom: null, resetAt, goals, pathRules: randomRules(random) },
			about: { dates, goals, now, times },
		};
	}

	const made = websiteIds.map(randomWebsite);
	return {
		// Nothing is of the future; what was sent later from a page that was hidden later did not arrive yet.
		events: shuffle(
			random,
			made.flatMap(({ events }) => events).filter(({ time }) => time <= writeTime(now)),
		),
		asked: made.map(({ website, about }) => ({ website, about })),
	};
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
	const clock =
		clocks.get(zone) ??
		new Intl.DateTimeFormat('en', {
			timeZone: zone,
			year: 'numeric',
			month: '2-digit',
			day: '2-digit',
			hour: '2-digit',
			minute: '2-digit',
			second: '2-digit',
			hourCycle: 'h23',
		});
	clocks.set(zone, clock);
	return clock;
}

/** What a clock on the wall shows, as far as a minute, and the date that the website's calendar has then. */
function lookAtClock(zones: Zones, ms: number): { date: string; shown: string; offset: string } {
	const holding = zones.findLast(({ since }) => since <= ms);
	if (!holding) throw new Error('A website without a zone.');
	const parts = Object.fromEntries(
		clockOf(holding.zone)
			.formatToParts(ms)
			.map(({ type, value }) => [type, value]),
	);
	const day = `${parts.year}-${parts.month}-${parts.day}`;
	const shown = `${day}T${parts.hour}:${parts.minute}`;
	const offsetMinutes = Math.round((Date.parse(`${shown}:${parts.second}Z`) - ms) / minuteMs);
	const digits = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60].map((part) =>
		String(part).padStart(2, '0'),
	);
	return {
		// Dates never go back: the first one of a zone that is still in the day before is longer.
		date: day < holding.from ? holding.from : day,
		shown,
		offset: `${offsetMinutes < 0 ? '-' : '+'}${digits.join(':')}`,
	};
}

const dateAt = (zones: Zones, ms: number): string => lookAtClock(zones, ms).date;

/** The first instant that is of this date or a later one. */
function beginOf(zones: Zones, date: string): number {
	let ms = Date.parse(`${date}T00:00:00Z`) - 30 * hourMs;
	while (dateAt(zones, ms) < date) ms += 15 * minuteMs;
	return ms;
}

/** The hours or minutes from the one that an instant lies in, without end. One ends when the clock shows another, or is set. */
function* walkInstants(
	zones: Zones,
	{ interval, fromMs, now }: { interval: 'hour' | 'minute'; fromMs: number; now: number },
): Generator<Bucket> {
	const stepMs = interval === 'hour' ? 15 * minuteMs : minuteMs;
	const nameAt = (ms: number) => {
		const { date, shown, offset } = lookAtClock(zones, ms);
		return `${date} ${shown.slice(0, interval === 'hour' ? -3 : undefined)} ${offset}`;
	};
	let startMs = Math.floor(fromMs / stepMs) * stepMs;
	while (nameAt(startMs - stepMs) === nameAt(startMs)) startMs -= stepMs;
	while (true) {
		let endMs = startMs + stepMs;
		while (nameAt(endMs) === nameAt(startMs)) endMs += stepMs;
		const { date, shown, offset } = lookAtClock(zones, startMs);
		yield {
			time: `${shown}:00${offset}`,
			from: date,
			to: date,
			startMs,
			endMs,
			isUnfinished: startMs <= now && now < endMs,
		};
		startMs = endMs;
	}
}

/** The days, weeks or months from the one that a date lies in, without end. */
function* walkDates({
	interval,
	from: begin,
	today,
}: {
	interval: 'day' | 'week' | 'month';
	from: string;
	today: string;
}): Generator<Bucket> {
	const isFirst = (date: string) => {
		const isMonday = new Date(`${date}T00:00:00Z`).getUTCDay() === 1;
		return interval === 'day' || (interval === 'week' ? isMonday : date.endsWith('-01'));
	};
	let from = begin;
	while (!isFirst(from)) from = addDays(from, -1);
	while (true) {
		let to = from;
		while (!isFirst(nextDate(to))) to = nextDate(to);
		yield { time: from, from, to, startMs: null, endMs: null, isUnfinished: from <= today && today <= to };
		from = nextDate(to);
	}
}

const earlierOf = (a: string, b: string): string => [a, b].toSorted()[0] ?? a;
const laterOf = (a: string, b: string): string => [a, b].toSorted()[1] ?? a;

function randomInstant(random: Random, { zones }: StatsWebsite, { dates, times = [] }: About): number {
	if (times.length > 0 && random.next() < 0.7)
		return random.pick(times) + random.pick([0, 0, 1, -1, -15 * minuteMs, hourMs]);
	return beginOf(zones, random.pick(dates)) + random.whole(24 * 4) * 15 * minuteMs;
}

function randomSpan(random: Random, website: StatsWebsite, about: About): Span {
	const { zones } = website;
	const between = (startMs: number, endMs: number): Span => ({
		from: dateAt(zones, startMs),
		to: dateAt(zones, endMs - 1),
		startMs,
		endMs,
	});
	const [first = '', last = ''] = [about.dates[0], about.dates.at(-1)];
	const someDate = () => random.pick([...about.dates, addDays(first, -2), addDays(last, 2)]);
	const [from = '', to = ''] = [someDate(), someDate()].toSorted();
	const instant = randomInstant(random, website, about);
	return random.pick<() => Span>([
		() => ({ from, to, startMs: null, endMs: null }),
		() => ({ from: first, to: last, startMs: null, endMs: null }),
		() => ({ from: first, to: last, startMs: null, endMs: null }),
		() => ({ from, to: from, startMs: null, endMs: null }),
		() => {
			const to = dateAt(zones, instant - 1);
			return { from: earlierOf(first, to), to, startMs: null, endMs: instant };
		},
		() => {
			const from = dateAt(zones, instant);
			return { from, to: laterOf(from, last), startMs: instant, endMs: null };
		},
		() => {
			const [startMs = 0, endMs = 0] = [instant, randomInstant(random, website, about)].toSorted(
				(a, b) => a - b,
			);
			return between(startMs, Math.max(endMs, startMs + 1));
		},
		() => between(about.now - dayMs, about.now),
		() => between(instant - random.whole(60) * minuteMs, instant + (1 + random.whole(60)) * minuteMs),
	])();
}

/** The same some days before, or any other. */
function randomCompared(
	random: Random,
	website: StatsWebsite,
	{ about, span }: { about: About; span: Span },
): Span {
	if (random.next() < 0.3) return randomSpan(random, website, about);
	const length = (Date.parse(span.to) - Date.parse(span.from)) / dayMs + 1;
	const days = random.pick([1, 7, length, length, 364]);
	const startMs = span.startMs === null ? null : span.startMs - days * dayMs;
	const endMs = span.endMs === null ? null : span.endMs - days * dayMs;
	const from = startMs === null ? addDays(span.from, -days) : dateAt(website.zones, startMs);
	const to = endMs === null ? addDays(span.to, -days) : dateAt(website.zones, endMs - 1);
	return { from, to: laterOf(from, to), startMs, endMs };
}

type Series = Pick<Question, 'buckets' | 'comparedBuckets'>;

function randomSeries(
	random: Random,
	{ zones }: StatsWebsite,
	{ about, span, compared }: { about: About; span: Span; compared: Span | null },
): Series {
	const beginMs = span.startMs ?? beginOf(zones, span.from);
	const endMs = span.endMs ?? beginOf(zones, nextDate(span.to));
	const intervals: (Interval | null)[] = [null, 'day', 'day', 'week', 'month'];
	if (endMs - beginMs <= 3 * dayMs) intervals.push('hour', 'hour', 'hour');
	if (endMs - beginMs <= 3 * hourMs) intervals.push('minute', 'minute', 'minute', 'minute', 'minute');
	const interval = random.pick(intervals);
	const isComparedToo = compared !== null && random.next() < 0.8;

	switch (interval) {
		case null:
			return { buckets: null, comparedBuckets: null };
		case 'hour':
		case 'minute': {
			const walk = (fromMs: number) => walkInstants(zones, { interval, fromMs, now: about.now });
			const buckets: Bucket[] = [];
			for (const bucket of walk(beginMs)) {
				if ((bucket.startMs ?? 0) >= endMs) break;
				buckets.push(bucket);
			}
			const comparedBuckets = isComparedToo
				? walk(compared.startMs ?? beginOf(zones, compared.from))
						.take(buckets.length)
						.toArray()
				: null;
			return { buckets, comparedBuckets };
		}
		case 'day':
		case 'week':
		case 'month': {
			// The first and last week or month of a span are given in full or only as far as the span goes: both mean the same.
			const isClipped = random.next() < 0.5;
			const clip = (bucket: Bucket, { from, to }: Span): Bucket => ({
				...bucket,
				from: isClipped && bucket.from < from ? from : bucket.from,
				to: isClipped && bucket.from <= to && to < bucket.to ? to : bucket.to,
			});
			const today = dateAt(zones, about.now);
			const buckets: Bucket[] = [];
			for (const bucket of walkDates({ interval, from: span.from, today })) {
				if (bucket.from > span.to) break;
				buckets.push(clip(bucket, span));
			}
			const comparedBuckets = isComparedToo
				? walkDates({ interval, from: compared.from, today })
						.take(buckets.length)
						.map((bucket) => clip(bucket, compared))
						.toArray()
				: null;
			return { buckets, comparedBuckets };
		}
	}
}

const allDimensions: readonly Dimension[] = [
	...dimensionNames.map((name) => ({ name })),
	...[...new Set([...propertyNames, 'missing'])].map((name) => ({
		name: 'property' as const,
		property: name,
	})),
];
const ofEvents = allDimensions.filter((dimension) => !isOfVisit(dimension));

/** Those of events and of visits equally often, though there are fewer of events. */
const randomDimension = (random: Random): Dimension =>
	random.pick(random.next() < 0.4 ? ofEvents : allDimensions);

/** What the events have of a dimension. */
function textsOf({ name }: Dimension, goals: readonly Goal[]): readonly string[] {
	switch (name) {
		case 'page':
		case 'entry_page':
		case 'exit_page':
			return texts.path;
		case 'page_group':
			return [...texts.path, ...texts.route, ...targets];
		case 'event':
			return eventNames;
		case 'property':
			return propertyValues;
		case 'goal':
			return [...goals.map(({ id }) => String(id)), '4'];
		case 'hour':
			return Array.from({ length: 24 }, (_, hour) => String(hour));
		case 'weekday':
			return ['1', '2', '3', '4', '5', '6', '7'];
		default:
			return texts[name];
	}
}

/** By whole characters, as far as they are. */
function randomFragment(random: Random, text: string): string {
	const characters = [...text];
	const begin = random.whole(characters.length + 1);
	return characters.slice(begin, begin + 1 + random.whole(3)).join('');
}

/** In the other case, where that can be undone: ß would become two letters. */
function swapCase(text: string): string {
	const swapped = text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
	return swapped.toLowerCase() === text.toLowerCase() ? swapped : text;
}

const limits = [
	'0',
	'10',
	'10.0',
	'-3',
	'9.50',
	'0.3',
	'0.30000000000000003',
	'19.99',
	'-19.99',
	'100',
	'0.0001',
];

function randomNumberTest(random: Random): Filter {
	const dimension: FilterDimension = random.pick([
		{ name: 'revenue', currency: random.pick(['', 'EUR', 'USD', 'CHF']) },
		{ name: 'property', property: random.pick(propertyNames) },
	]);
	const test = random.pick([...numberTests, 'is_set'] as const);
	const numbers = [random.pick(limits), random.pick(limits)].toSorted((a, b) => Number(a) - Number(b));
	const count = test === 'is_set' ? 0 : test === 'between' ? 2 : 1;
	return { kind: 'test', dimension, test, values: numbers.slice(0, count) };
}

/** An expression about a text: parts of it, repeated or not, and what may stand for them. */
function randomExpression(random: Random, text: string): string {
	const part = () => randomFragment(random, text).replace(/[\\.*+?()|[\]{}^$]/g, '\\$&');
	const repeat = () => random.pick(['', '', '?', '*', '+', '{0}', '{1,2}', '*?']);
	const piece = () =>
		random.pick([
			() => part(),
			() => part(),
			() => `(?:${part()})${repeat()}`,
			() => `${[...text].at(-1)?.replace(/[^\p{L}\p{S}]/u, '') || 'x'}${repeat()}`,
			() =>
				`${random.pick(['.', '\\d', '\\w', '\\W', '\\s', '[a-z]', '[^a-z]', '\\pL', '\\p{Lu}', '[üß]'])}${repeat()}`,
			() => random.pick(['^', '$', '\\b', '(?i)', '|', '\\Q.\\E']),
		])();
	return Array.from({ length: random.pick([1, 2, 3]) }, piece).join('');
}

function randomTest(random: Random, { goals }: About): Filter {
	if (random.next() < 0.15) return randomNumberTest(random);
	const dimension = randomDimension(random);
	const isOfNumbers = ['goal', 'hour', 'weekday'].includes(dimension.name);
	if (random.next() < 0.1 && !['hour', 'weekday'].includes(dimension.name))
		return { kind: 'test', dimension, test: 'is_set', values: [] };
	const test = isOfNumbers ? 'is' : random.pick(['is', 'is', ...textTests] as const);
	const ignoresCase = !isOfNumbers && random.next() < 0.3;
	const all = textsOf(dimension, goals);
	const values = Array.from({ length: random.pick([1, 2, 3, 4]) }, () => {
		const text = random.pick(dimension.name === 'property' ? [...all, ...numberValues] : all);
		if (isOfNumbers) return text;
		const part = randomFragment(random, text);
		const value = {
			is: () => text,
			contains: () => part,
			starts_with: () => [...text].slice(0, 1 + random.whole(3)).join(''),
			ends_with: () => [...text].slice(-1 - random.whole(3)).join(''),
			wildcard: () => random.pick([text, `*${part}*`, text.replace(part, '*'), `${part}*`, `*${part}`, '*']),
			matches: () => validExpression(randomExpression(random, text)),
		}[test]();
		const isOdd = random.next() < 0.1 && test !== 'matches';
		if (isOdd) return random.pick([`${text} `, 'nothing of the kind', '%', '_', '*', '']);
		return random.next() < (ignoresCase ? 0.5 : 0.05) && test !== 'matches' ? swapCase(value) : value;
	});
	return { kind: 'test', dimension, test, values, ...(ignoresCase && { ignoresCase }) };
}

/** What the product refuses is not asked. */
const validExpression = (expression: string): string =>
	'size' in checkExpression(expression) ? expression : '[0-9]';

function randomFilter(random: Random, about: About, depth: number): Filter {
	if (depth === 0) return randomTest(random, about);
	const inner = () => randomFilter(random, about, random.whole(depth));
	const kind = random.pick(['and', 'and', 'or', 'not'] as const);
	if (kind === 'not') return { kind, part: inner() };
	return { kind, parts: Array.from({ length: random.pick([1, 2, 2, 3]) }, inner) };
}

function randomBreakdown(
	random: Random,
	{
		dimension,
		goals,
		sortable,
		canCompare,
	}: {
		dimension: Dimension;
		goals: readonly Goal[];
		sortable: readonly MetricName[];
		canCompare: boolean;
	},
): Breakdown {
	const searched = dimension.name === 'goal' ? goals.map(({ name }) => name) : textsOf(dimension, goals);
	const search = randomFragment(random, random.pick(['nothing', ...searched]));
	const isCompared = canCompare && random.next() < 0.6;
	const isByChange = isCompared && random.next() < 0.5;
	const by = random.pick(isByChange ? changeNames.filter((name) => sortable.includes(name)) : sortable);
	const second = randomDimension(random);
	const isCrossed = random.next() < 0.3 && ![dimension.name, second.name].includes('goal');
	return {
		dimension: {
			...dimension,
			...(isCrossed && writeDimension(dimension) !== writeDimension(second) && { by: second }),
		},
		sort: { by, isByChange, descending: random.next() < 0.7 },
		isCompared,
		search: random.next() < 0.3 ? random.pick([search, swapCase(search)]) : null,
		offset: random.pick([0, 0, 0, 1, 3]),
		limit: random.pick([1, 2, 5, 100, 100]),
	};
}

export function randomQuestion(random: Random, website: StatsWebsite, about: About): Question {
	const { goals } = about;
	const span = randomSpan(random, website, about);
	const compared = random.next() < 0.5 ? randomCompared(random, website, { about, span }) : null;
	const goal = goals.length > 0 && random.next() < 0.6 ? random.pick(goals) : null;
	const divided = Array.from({ length: random.whole(5) }, () => randomDimension(random));

	/** Some are only asked with a goal, or by goal. */
	const askable = (isAboutGoals: boolean) =>
		metricNames.filter((name) => isAboutGoals || !metricOf(name).needsGoal);
	const all = askable(goal !== null || divided.some(({ name }) => name === 'goal'));
	const breakdowns = divided.map((dimension) => {
		const sortable = askable(goal !== null || dimension.name === 'goal');
		return randomBreakdown(random, { dimension, goals, sortable, canCompare: compared !== null });
	});

	return {
		website: { ...website, goals },
		span,
		compared,
		...randomSeries(random, website, { about, span, compared }),
		// A breakdown may be sorted by one that is not among them.
		metrics: shuffle(random, all).slice(0, 1 + random.whole(all.length)),
		filter: random.next() < 0.7 ? randomFilter(random, about, random.whole(4)) : null,
		goal,
		breakdowns,
	};
}

function keysOf<Key extends string>(of: Readonly<Record<Key, unknown>>): Key[] {
	// The compiler takes an object's keys for any strings; those of a literal are exactly the ones it was written with.
	return Object.keys(of) as Key[];
}
