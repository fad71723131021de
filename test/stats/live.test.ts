import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { blankEvent, type Event } from '../../server/ingest/event.ts';
import { type Audience, type LiveSnapshot, readLive } from '../../server/stats/live/live.ts';
import { dateOf, toZones, type Zones } from '../../server/websites/zones.ts';
import { engineFor } from '../engine/engine.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { sample } from '../support/sample.ts';

const minuteMs = 60_000;
const writeTime = (ms: number) => new Date(ms).toISOString().replace('T', ' ').slice(0, -1);
const msOf = ({ time }: Event) => Date.parse(`${time.replace(' ', 'T')}Z`);
const rounds = sample('LIVE_ROUNDS', 8, 25);

let ids = 1;
function eventOf(zones: Zones, ms: number, more: Partial<Event>): Event {
	const kind = more.kind ?? 'pageview';
	return {
		...blankEvent,
		name: kind,
		event_id: String(ids++),
		date: dateOf(zones, ms).date,
		time: writeTime(ms),
		path: '/',
		...more,
	};
}

/** The last hour of a website, as if it were always a quarter past midnight: visitors of two dates are there. */
function randomHour(random: Random, websiteId: number, zones: Zones, now: number): Event[] {
	return Array.from({ length: 150 }, () => {
		const ms = now - random.whole(40 * minuteMs) + random.pick([0, 0, 0, 0, 3 * minuteMs]);
		return eventOf(zones, random.pick([ms, ms, now, now + 1, now - 5 * minuteMs, now - 5 * minuteMs - 1]), {
			website_id: random.next() < 0.9 ? websiteId : websiteId + 1,
			visitor_id: random.pick(['0', '1', '2', '3', '4', '5', '6', '18446744073709551615']),
			kind: random.pick(['pageview', 'pageview', 'custom', 'engagement', 'vital']),
			path: random.pick(['/', '/a', '/b', "/it's\t\\odd/ü", ...Array.from({ length: 9 }, (_, n) => `/${n}`)]),
			source: random.pick(['', 'Google', 'internal', 'internal', 'internal']),
			country: random.pick(['', 'DE', 'NP']),
		});
	});
}

/** Counted one by one. */
function countLive(
	events: readonly Event[],
	website: { id: number; resetAt: number | null },
	{ audience, now }: { audience: Audience; now: number },
): LiveSnapshot {
	const stepMs = (audience === 'people' ? 1 : 5) * minuteMs;
	const thisStep = now - (now % stepMs);
	const [firstMs, lastMs, asOf] =
		audience === 'people'
			? [thisStep - 29 * minuteMs, now, now]
			: [thisStep - 30 * minuteMs, thisStep - 1, thisStep];
	const seen = events.filter(
		(event) =>
			event.website_id === website.id &&
			['pageview', 'custom'].includes(event.kind) &&
			msOf(event) >= Math.max(firstMs, website.resetAt ?? 0) &&
			msOf(event) <= lastMs,
	);
	const who = ({ date, visitor_id }: Event) => `${date} ${visitor_id}`;
	const visitorsOf = (those: readonly Event[]) =>
		new Set(those.filter(({ visitor_id }) => visitor_id !== '0').map(who)).size;
	const here = seen.filter((event) => msOf(event) >= asOf - 5 * minuteMs);
	const inOrder = (a: Event, b: Event) => msOf(a) - msOf(b) || Number(a.event_id) - Number(b.event_id);
	const entryOf = (visitor: string) => {
		const all = seen.filter((event) => who(event) === visitor).toSorted(inOrder);
		return all.find(({ kind, source }) => kind === 'pageview' && source !== 'internal') ?? all[0];
	};
	const isFew = (visitors: number) => visitors === 1 || visitors === 2;
	const top = (read: (event: Event) => string, isPart: boolean) => {
		const rows = [...Map.groupBy(here, read)]
			.map(([value, those]) => ({ value, visitors: visitorsOf(those) }))
			.filter(({ visitors }) => visitors > 0)
			.toSorted(
				(a, b) => b.visitors - a.visitors || Buffer.compare(Buffer.from(a.value), Buffer.from(b.value)),
			);
		if (audience === 'people') return rows.slice(0, 10);
		// Neither a row nor what it leaves of all visitors is one or two of them, and neither is what all rows leave.
		const whole = visitorsOf(here);
		const shown = rows.filter(({ visitors }) => !isFew(visitors) && !isFew(whole - visitors));
		const sumOf = (those: typeof rows) => those.reduce((sum, { visitors }) => sum + visitors, 0);
		while (shown.length > 0 && isFew((isPart ? whole : sumOf(rows)) - sumOf(shown))) shown.pop();
		return shown.slice(0, 10);
	};
	return {
		asOf: new Date(asOf),
		stepMinutes: stepMs / minuteMs,
		visitors: visitorsOf(here),
		steps: Array.from({ length: (30 * minuteMs) / stepMs }, (_, n) => {
			const from = firstMs + n * stepMs;
			const those = seen.filter((event) => msOf(event) >= from && msOf(event) < from + stepMs);
			const visitors = visitorsOf(those);
			const isHidden = audience === 'public' && isFew(visitors);
			return {
				time: new Date(from),
				visitors,
				pageviews: isHidden ? null : those.filter(({ kind }) => kind === 'pageview').length,
			};
		}),
		pages: top(({ path }) => path, false),
		sources: top((event) => entryOf(who(event))?.source ?? '', true),
		countries: top((event) => entryOf(who(event))?.country ?? '', true),
	};
}

test('[C-LIVE-2][C-LIVE-8] what is live is a count of the last half hour, for people and for the public', async (t) => {
	const { clickhouse } = await engineFor(t);
	await clickhouse.script(readFileSync('migrations/clickhouse/0001_events.sql', 'utf8'));
	const random = seededRandom();
	t.diagnostic(`SEED=${random.seed}`);
	let rows = 0;
	for (let round = 0; round < rounds; round++) {
		const zones = toZones([
			{ from: '0001-01-01', zone: random.pick(['UTC', 'Asia/Kathmandu', 'America/New_York']) },
		]);
		const today = Date.parse('2026-11-15T00:00:00Z');
		const now = today + random.pick([0, 18.25, 5, 5.2, 12]) * 60 * minuteMs + random.whole(20 * minuteMs);
		const id = 10 * round + 1;
		const events = randomHour(random, id, zones, now);
		await clickhouse.insert({
			table: 'events',
			lines: events.map((event) => JSON.stringify(event)).join('\n'),
			token: crypto.randomUUID(),
		});
		for (const resetAt of [null, now - random.whole(30 * minuteMs), now - 60 * minuteMs])
			for (const audience of ['people', 'public'] as const) {
				const picture = await readLive(clickhouse, { id, zones, resetAt }, { audience, now: new Date(now) });
				assert.deepEqual(
					picture,
					countLive(events, { id, resetAt }, { audience, now }),
					`round ${round} ${audience} reset ${resetAt} now ${new Date(now).toISOString()}`,
				);
				rows += picture.pages.length + picture.sources.length + picture.countries.length;
			}
	}
	assert.ok(rows > 10 * rounds, 'the hours had nothing in them');
});
