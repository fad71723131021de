import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blankEvent, type Event } from '../ingest/event.ts';
import type { Hit } from '../ingest/hit.ts';
import { attributeSource } from '../ingest/steps/attribute-source.ts';
import { addDays } from '../lib/local-dates.ts';
import { makeDay } from './make-events.ts';
import { pages } from './pages.ts';
import { storyDay, streams } from './story.ts';

const zone = 'Europe/Berlin';
const website = { id: 7, domain: 'example.com', madeOn: '2026-11-15' };
const dates = Array.from({ length: 90 }, (_, nth) => addDays(website.madeOn, nth - 89));
const days = new Map(dates.map((date) => [date, makeDay(website, date, zone)]));
const all = [...days.values()].flat();
const on = (daysAgo: number): Event[] => days.get(addDays(website.madeOn, -daysAgo)) ?? [];
const views = (events: readonly Event[]) => events.filter(({ kind }) => kind === 'pageview');
const hourFormat = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' });
const dateFormat = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
const instant = (event: Event) => Date.parse(`${event.time.replace(' ', 'T')}Z`);
const localHour = (event: Event) => Number(hourFormat.format(instant(event)));
const countBy = (events: readonly Event[], keyOf: (event: Event) => string | number) => {
	const counts = new Map<string | number, number>();
	for (const event of events) {
		const key = keyOf(event);
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return counts;
};

test('90 days are 150,000 to 250,000 events, each with a unique id and every member of an event', () => {
	assert.ok(all.length > 150_000 && all.length < 250_000, `${all.length}`);
	assert.equal(new Set(all.map(({ event_id }) => event_id)).size, all.length);
	const members = Object.keys(blankEvent).sort();
	for (const event of all) {
		assert.deepEqual(Object.keys(event).sort(), members);
		for (const [name, value] of Object.entries(event))
			assert.equal(typeof value, typeof blankEvent[name as keyof Event], name);
		assert.equal(event.website_id, 7);
		assert.notEqual(event.visitor_id, '0');
	}
});

test('the same website and day give the same events, another day or website others', () => {
	const date = '2026-10-01';
	assert.deepEqual(makeDay(website, date, zone), days.get(date));
	const others = [
		makeDay({ ...website, domain: 'example.org' }, date, zone),
		makeDay({ ...website, madeOn: '2026-11-14' }, date, zone),
		makeDay(website, '2026-10-02', zone),
	];
	const ids = new Set(days.get(date)?.map(({ event_id }) => event_id));
	for (const other of others) assert.ok(!other.some(({ event_id }) => ids.has(event_id)));
});

test('events lie within their local day and in the order of time, also where clocks are changed', () => {
	for (const [date, events] of [...days, ['2026-03-29', makeDay(website, '2026-03-29', zone)] as const]) {
		for (const event of events) {
			assert.equal(event.date, date);
			assert.equal(dateFormat.format(instant(event)), date);
		}
		assert.deepEqual(
			events.map(({ time }) => time),
			events.map(({ time }) => time).toSorted(),
		);
	}
	assert.ok(on(21).length > 0, 'the day of 25 hours is among them');
});

test('the week has a rhythm and the day a curve', () => {
	const weeks = [0, 1, 2, 3].map((week) => on(week * 7 + 1).length + on(week * 7).length);
	const weekdays = [0, 1, 2, 3].map((week) => on(week * 7 + 5).length + on(week * 7 + 4).length);
	weeks.forEach((weekend, week) => {
		assert.ok(weekend * 1.3 < (weekdays[week] ?? 0), `week ${week}: ${weekend}, ${weekdays[week]}`);
	});
	const hours = countBy(views(all), localHour);
	assert.ok((hours.get(10) ?? 0) > 8 * (hours.get(3) ?? 0));
	assert.ok((hours.get(20) ?? 0) > 8 * (hours.get(4) ?? 0));
});

test('the front-page day is the largest, from one source, in one afternoon, and leaves room for the others', () => {
	const sizes = [...days].map(([date, events]) => [date, events.length] as const);
	const [first, second] = sizes.toSorted((one, other) => other[1] - one[1]);
	assert.equal(first?.[0], addDays(website.madeOn, -26));
	assert.ok(first[1] > 1.3 * (second?.[1] ?? 0));
	// A chart with a day of ten times the others is a flat line.
	const middle = sizes.map(([, size]) => size).toSorted((one, other) => one - other)[
		Math.floor(sizes.length / 2)
	];
	assert.ok(first[1] < 5 * (middle ?? 0));
	const came = views(on(26)).filter(({ source }) => source === 'Hacker News');
	assert.ok(came.length > 1_000 && came.every((event) => localHour(event) >= 15));
});

test('nothing at all is measured during the outage', () => {
	const hours = countBy(on(11), localHour);
	for (const hour of [9, 10, 11, 12]) assert.equal(hours.get(hour), undefined);
	assert.ok((hours.get(8) ?? 0) > 20 && (hours.get(13) ?? 0) > 20);
});

test('a campaign comes and goes, search grows, assistants appear late', () => {
	const of = (daysAgo: number, holds: (event: Event) => boolean) => views(on(daysAgo)).filter(holds).length;
	const isCampaign = ({ utm_campaign }: Event) => utm_campaign === 'spring-tides';
	assert.deepEqual([of(70, isCampaign), of(30, isCampaign)], [0, 0]);
	assert.ok(of(57, isCampaign) > 2 * of(63, isCampaign) && of(57, isCampaign) > 4 * of(44, isCampaign));
	// Weeks, because days differ.
	const week = (first: number, channel: string) =>
		[0, 1, 2, 3, 4, 5, 6].reduce(
			(sum, day) => sum + of(first + day, (event) => event.channel === channel),
			0,
		);
	assert.ok(week(0, 'Organic Search') > 1.8 * week(80, 'Organic Search'));
	assert.equal(week(40, 'AI Assistants'), 0);
	assert.ok(week(0, 'AI Assistants') > 2 * week(20, 'AI Assistants'));
	assert.deepEqual(
		[0, 26, 89].map((ago) => storyDay(addDays(website.madeOn, 90 - ago), website.madeOn).daysAgo),
		[0, 26, 89],
		'the story begins anew',
	);
});

test('engagement and vitals belong to a page view of their visitor, and money has a currency', () => {
	const byId = new Map(views(all).map((event) => [event.event_id, event]));
	for (const event of all) {
		const belongs = event.kind === 'engagement' || event.kind === 'vital';
		const view = byId.get(event.page_event_id);
		assert.equal(view !== undefined, belongs);
		if (view) {
			assert.deepEqual([view.visitor_id, view.path, view.date], [event.visitor_id, event.path, event.date]);
			assert.ok(event.kind === 'vital' ? event.lcp_ms > 0 : event.engaged_ms > 0 && event.scroll <= 100);
		}
		assert.equal(event.revenue !== '0', event.currency !== '');
	}
	const sold = all.filter(({ currency }) => currency !== '');
	assert.deepEqual([...new Set(sold.map(({ currency }) => currency))].sort(), ['EUR', 'USD']);
	const names = countBy(
		all.filter(({ kind }) => kind === 'custom'),
		({ name }) => name,
	);
	for (const name of ['signup', 'purchase', 'download', 'outbound', 'form', '404'])
		assert.ok((names.get(name) ?? 0) > 100, `${name}: ${names.get(name)}`);
});

test('pages, countries, languages and devices have natural shares', () => {
	const paths = countBy(views(all), ({ path }) => path);
	assert.equal(paths.size, pages.length);
	for (const name of ['country', 'language', 'device', 'browser', 'os'] as const) {
		const shares = [...countBy(views(all), (event) => event[name]).values()];
		assert.ok(shares.length >= 3, name);
		assert.ok(Math.max(...shares) < 0.75 * views(all).length, name);
	}
});

test('sources and channels are those that the collector would have named', () => {
	for (const { arrivals } of streams) {
		for (const [arrival] of arrivals) {
			const hit = {
				website: { ...website, hostnames: [] },
				referrer: arrival.referrer && `https://${arrival.referrer}`,
			};
			// Only what the step reads.
			const event = { ...blankEvent, ...arrival, source: arrival.utm_source, channel: '' };
			const dropped = attributeSource(event, hit as unknown as Hit, {
				geo: { find: () => ({ country: '', region: '', city: '' }) },
			});
			assert.equal(dropped, undefined);
			const { source, channel, referrer } = event;
			assert.deepEqual(
				{ source, channel, referrer },
				{ source: arrival.source, channel: arrival.channel, referrer: arrival.referrer },
			);
		}
	}
});
