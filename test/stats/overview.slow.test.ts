import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { sealDays, sealSteps } from '../../server/derive/seal.ts';
import { blankEvent, type Event } from '../../server/ingest/event.ts';
import { createLog } from '../../server/lib/log.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { dateOf } from '../../server/websites/zones.ts';
import { closeBatch, noLogRange, openBatch } from '../../server/write/batch.ts';
import { assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { holdJobs } from '../support/hold-jobs.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { sample } from '../support/sample.ts';
import { daysOf, sealServices } from '../support/sealing.ts';
import { randomStatsEvents } from '../support/stats-questions.ts';
import { type TestAccount, world } from '../support/world.ts';

const rounds = Number(process.env.OVERVIEW_ROUNDS ?? 1);
const websites = 6;
/** Of each overview so many lines are compared with the website alone, other ones each time. */
const linesToCompare = sample('OVERVIEW_LINES', 2, websites);

let now = new Date('2026-06-17T12:00:00.000Z');
const w = await world({ after }, { now: () => now });
const log = createLog('warn', () => undefined);
const postgres = openPostgres(w.postgresConnection ?? { connectionString: w.config.databaseUrl ?? '' }, {
	log,
});
// The days stay as the test makes them.
const holder = await holdJobs(postgres, 'seal days');
after(async () => {
	await holder.end();
	await postgres.close();
});
const services = sealServices({ postgres, clickhouse: w.clickhouse, now: () => now, log });

/** As the writer does it: numbered, inserted, closed. */
async function write(events: readonly Event[]): Promise<void> {
	if (events.length === 0) return;
	const batch = await postgres.transaction((tx) => openBatch(tx, noLogRange, daysOf(events)));
	const lines = events.map((event) => JSON.stringify(event)).join('\n');
	await w.clickhouse.insert({ table: 'events', lines, token: crypto.randomUUID() });
	await closeBatch(postgres, batch);
}

type Place = { websiteId: number; date: string };

async function seal(days: readonly Place[], kind: 'whole' | 'provisional'): Promise<void> {
	const { failures } = await sealDays(services, days, kind);
	for (const { error } of failures) throw error;
}

/** Websites with random calendars, events, resets and retention, whose days are sealed, open, late or provisional. */
async function fill(random: Random, account: TestAccount) {
	const websiteIds: number[] = [];
	for (let left = websites; left > 0; left--)
		websiteIds.push(
			websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain() } }), 201).id,
		);
	// One has no events at all.
	const { events, asked } = randomStatsEvents(random, { websiteIds: websiteIds.slice(0, -1) });
	now = new Date(asked[0]?.about.now ?? 0);
	for (const { website } of asked) {
		await w.sql('DELETE FROM website_zones WHERE website_id = $1', [website.id]);
		for (const { from, zone } of website.zones)
			await w.sql('INSERT INTO website_zones VALUES ($1, $2, $3)', [website.id, from, zone]);
		if (website.resetAt !== null)
			await w.sql(
				'INSERT INTO tombstones (website_id, until_seq, is_reset, created_at) VALUES ($1, 0, true, $2)',
				[website.id, new Date(website.resetAt)],
			);
	}
	// Few things happen in random days: with these, an hour more or less shows.
	let visitor = 1_000;
	const often = asked.flatMap(({ website, about }) =>
		Array.from({ length: 24 * 9 }, (_, hour) => {
			const ms = about.now - hour * 3_600_000 - random.whole(3_600_000);
			const id = String(++visitor);
			return {
				...blankEvent,
				website_id: website.id,
				visitor_id: id,
				event_id: id,
				date: dateOf(website.zones, ms).date,
				time: new Date(ms).toISOString().replace('T', ' ').slice(0, -1),
			};
		}),
	);
	const ours = [...events, ...often].filter(({ website_id }) => websiteIds.includes(website_id));
	const [early, late] = [ours.filter((_, n) => n % 5 !== 0), ours.filter((_, n) => n % 5 === 0)];
	await write(early);
	const places = daysOf(early);
	await seal(
		places.filter(() => random.next() < 0.6),
		'whole',
	);
	const large = places.filter(() => random.next() < 0.2);
	for (const { websiteId, date } of large)
		await w.sql('UPDATE days SET size = 300000 WHERE website_id = $1 AND date = $2', [websiteId, date]);
	await seal(
		large.filter(() => random.next() < 0.8),
		'provisional',
	);
	// Sealed days become late ones, and provisional totals old.
	await write(late.splice(0, Math.floor(late.length / 2)));
	const ofMany = asked[0];
	const gone = ofMany?.about.dates[Math.floor(ofMany.about.dates.length / 2)];
	if (ofMany && gone && random.next() < 0.5)
		await w.sql('UPDATE websites SET raw_from = $2 WHERE id = $1', [ofMany.website.id, gone]);
	const dates = asked.flatMap(({ about }) => about.dates).sort();
	/** What came late is sealed, and more comes: days have another generation, and the former is still on the disk. */
	const change = async () => {
		await write(late);
		// One that was killed before it counted.
		await sealDays(services, places, 'whole', { steps: sealSteps.slice(0, 2) });
		await seal(
			places.filter(() => random.next() < 0.5),
			'whole',
		);
	};
	return { websiteIds, dates, change };
}

const number = z.number().nullable();
const totals = {
	visitors: number,
	visits: number,
	pageviews: number,
	bounce_rate: number,
	visit_duration: number,
};
const overviewSchema = z.object({
	data: z.array(
		z.object({
			id: z.number(),
			from: z.string(),
			to: z.string(),
			...totals,
			change: number,
			sparkline: z.array(z.number()),
		}),
	),
	meta: z.object({
		totals: z.object({ ...totals, change: number, sparkline: z.array(z.number()) }),
		interval: z.string(),
		as_of: z.string(),
	}),
});
const statsSchema = z.object({
	data: z.object({
		totals: z.object(totals),
		series: z.array(z.object({ visitors: number })),
		compared: z.object({ totals: z.object(totals) }).nullable(),
	}),
	meta: z.object({ from: z.string(), to: z.string(), as_of: z.string() }),
});

async function ask<T extends z.ZodType>(account: TestAccount, path: string, schema: T): Promise<z.output<T>> {
	const answer = await account.api('GET', path);
	assertStatus(answer, 200);
	return schema.parse(answer.json);
}

test('[C-OVER-2] the overview shows the numbers that each website shows alone', async (t) => {
	const seed = seededRandom().seed;
	t.diagnostic(`SEED=${seed}`);
	let compared = 0;
	let changes = 0;
	for (let round = 0; round < rounds; round++) {
		const random = seededRandom(seed + round);
		const account = await w.account({ timezone: 'UTC' });
		const { websiteIds, dates, change: changeDays } = await fill(random, account);
		const [from = '', to = ''] = [random.pick(dates), random.pick(dates)].sort();
		const times = ['today', '24h', '7d', '30d', 'month', 'last_month', 'year', '12months', 'all'].map(
			(period) => `period=${period}`,
		);
		// Twice, because something is kept of the first time; and again when it is no longer true.
		for (const time of [
			...times,
			...times.slice(0, 3),
			'',
			...times,
			`period=custom&from=${from}&to=${to}`,
		]) {
			if (time === '') {
				await changeDays();
				continue;
			}
			const about = `SEED=${seed + round} ${time} ${now.toISOString()}`;
			const overview = await ask(account, `/stats?per_page=100&sort_by=id&sort=asc&${time}`, overviewSchema);
			assert.deepEqual(
				overview.data.map(({ id }) => id),
				websiteIds,
			);
			const sum = { visitors: 0, visits: 0, pageviews: 0 };
			for (const line of overview.data)
				for (const name of ['visitors', 'visits', 'pageviews'] as const) sum[name] += line[name] ?? 0;
			const first = random.whole(websites);
			for (const line of [...overview.data, ...overview.data].slice(first, first + linesToCompare)) {
				const interval = time === 'period=24h' ? '' : `&interval=${overview.meta.interval}`;
				const alone = await ask(
					account,
					`/websites/${line.id}/stats?compare=previous&${time}${interval}`,
					statsSchema,
				);
				const { id, from, to, change, sparkline, ...values } = line;
				assert.deepEqual(values, alone.data.totals, `${about} website ${id}`);
				assert.deepEqual([from, to], [alone.meta.from, alone.meta.to], about);
				const before = alone.data.compared?.totals.visitors ?? null;
				const expected =
					before === null || before === 0 || values.visitors === null
						? null
						: (values.visitors - before) / before;
				assert.equal(change, expected, `${about} website ${id}`);
				// A point before the website's retention is null there when what it is compared with cannot be had.
				if (time !== 'period=24h' && values.visitors !== null)
					assert.deepEqual(
						sparkline,
						alone.data.series.map(({ visitors }, n) => visitors ?? sparkline[n]),
						`${about} website ${id}`,
					);
				if (values.visitors !== null)
					assert.equal(
						sparkline.reduce((all, visitors) => all + visitors, 0),
						values.visitors,
						about,
					);
				assert.ok(overview.meta.as_of <= alone.meta.as_of, about);
				if (change !== null) changes++;
				compared++;
			}
			const { visitors, visits, pageviews } = overview.meta.totals;
			assert.deepEqual({ visitors, visits, pageviews }, sum, about);
		}
	}
	t.diagnostic(`${compared} lines, ${changes} with a change`);
	assert.ok(compared >= 20 * linesToCompare * rounds && changes > compared / 10);
});

test('[C-OVER-2] a day that was sealed again is shown as it is now', async () => {
	now = new Date('2026-06-17T12:00:00.000Z');
	const account = await w.account({ timezone: 'UTC' });
	const { id } = websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const date = '2026-06-15';
	const visitors = async () => (await ask(account, '/stats', overviewSchema)).data[0]?.visitors;
	for (const visitor of [1, 2, 3]) {
		const event = { ...blankEvent, website_id: id, date, time: `${date} 10:00:00.000` };
		await write([{ ...event, visitor_id: String(visitor), event_id: String(visitor) }]);
		await seal([{ websiteId: id, date }], 'whole');
		assert.equal(await visitors(), visitor);
		assert.equal(await visitors(), visitor);
	}
});

test('[C-OVER-3] the sparklines of all time have one interval, whenever the websites began', async () => {
	now = new Date('2026-06-17T12:00:00.000Z');
	const account = await w.account({ timezone: 'UTC' });
	const add = async (dates: readonly string[]) => {
		const { id } = websiteOf(
			await account.api('POST', '/websites', { form: { domain: freshDomain() } }),
			201,
		);
		const events = dates.map((date, n): Event => {
			const event = { ...blankEvent, website_id: id, date, time: `${date} 10:00:00.000` };
			return { ...event, visitor_id: `${n + 1}`, event_id: `${n + 1}` };
		});
		await write(events);
		await seal(daysOf(events), 'whole');
		return id;
	};
	const [recent, old, empty] = [
		await add(['2026-06-01', '2026-06-17']),
		await add(['2025-11-20', '2026-05-02', '2026-06-03']),
		await add([]),
	];
	const { data, meta } = await ask(account, '/stats?period=all', overviewSchema);
	const sparklineOf = (website: number) => data.find(({ id }) => id === website)?.sparkline;
	assert.equal(meta.interval, 'month');
	assert.deepEqual(sparklineOf(old), [1, 0, 0, 0, 0, 0, 1, 1]);
	assert.deepEqual(sparklineOf(recent), [2]);
	assert.deepEqual(sparklineOf(empty), [0]);
	assert.deepEqual(meta.totals.sparkline, [1, 0, 0, 0, 0, 0, 1, 3]);
});

test('[C-OVER-2] events that arrive while the visits of hidden ones are reused are counted soon after', async () => {
	now = new Date('2026-06-17T12:00:00.000Z');
	const account = await w.account({ timezone: 'UTC' });
	const { id } = websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const date = '2026-06-17';
	const add = (visitor: number, path: string) =>
		write([
			{
				...{ ...blankEvent, website_id: id, date, time: `${date} 10:00:00.000`, path },
				...{ visitor_id: `${visitor}`, event_id: `${visitor}` },
			},
		]);
	await add(1, '/spam');
	const json = { conditions: [{ field: 'path', values: ['/spam'] }] };
	assertStatus(await account.api('POST', `/websites/${id}/deletions`, { json }), 201);
	const visitors = async () => (await ask(account, '/stats?period=today', overviewSchema)).data[0]?.visitors;
	await add(2, '/');
	assert.equal(await visitors(), 1);
	await add(3, '/');
	// The visits that were derived for the question before may be used for a moment, but not kept as the newest.
	const first = await visitors();
	const deadline = performance.now() + 20_000;
	while ((await visitors()) !== 2 && performance.now() < deadline) await sleep(200);
	assert.equal(await visitors(), 2, `after ${first} at first`);
});
