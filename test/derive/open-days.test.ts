import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createOpenDays, type OpenDays } from '../../server/derive/open-days.ts';
import { createLog } from '../../server/lib/log.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { param, sql } from '../../server/store/sql.ts';
import { until } from '../engine/engine.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const now = new Date('2026-11-08T12:00:00.000Z');
const w = await world({ after }, { now: () => now });
const owner = await w.account({ timezone: 'UTC' });
const log = createLog('error');
const postgres = openPostgres(w.postgresTarget, { log });
after(() => postgres.close());
const date = '2026-11-08';
const utc = { sinceMs: [0], minutes: [0] };

async function newWebsite(): Promise<number> {
	return websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain('o') } }), 201).id;
}

let sent = 0;
async function view(websiteId: number) {
	const answer = await owner.api('POST', `/websites/${websiteId}/events`, {
		json: {
			url: `https://${await domainOf(websiteId)}/`,
			ip: `203.0.113.${++sent % 250}`,
			user_agent: 'Mozilla/5.0 Firefox/140.0',
			time: now.toISOString(),
		},
	});
	assert.equal(answer.status, 202, answer.text);
}

const domainOf = async (id: number): Promise<string> =>
	websiteOf(await owner.api('GET', `/websites/${id}`), 200).domain;

async function runsIn(openDays: OpenDays, websiteId: number) {
	const found = await openDays.find({ websiteId, dates: [date], offsets: utc, sinceMs: null, hidden: null });
	const generation = found.get(date)?.generation ?? 0n;
	const [row] = await w.clickhouse.rows<{ runs: number }>(
		sql`SELECT toUInt32(count()) AS runs FROM open_visits WHERE website_id = ${param('UInt32', websiteId)} AND generation = ${param('UInt64', generation)}`,
	);
	return { generation, runs: row?.runs ?? 0 };
}

test('runs of an open day serve until more has come, and then are found anew', async () => {
	const openDays = createOpenDays({ postgres, clickhouse: w.clickhouse, now: () => now, log });
	try {
		const id = await newWebsite();
		await view(id);
		await w.drain();
		const first = await runsIn(openDays, id);
		assert.equal(first.runs, 1);
		await pause(700);
		assert.deepEqual(await runsIn(openDays, id), first, 'nothing came, so nothing is searched');
		await view(id);
		await w.drain();
		// They may serve for some time longer: four times as long as it took to find them.
		await until(async () => (await runsIn(openDays, id)).runs === 2, 20_000);
		const second = await runsIn(openDays, id);
		assert.notEqual(second.generation, first.generation);
	} finally {
		await openDays.close();
	}
});

test('questions at the same time share one search, and websites do not share runs', async () => {
	const openDays = createOpenDays({ postgres, clickhouse: w.clickhouse, now: () => now, log });
	try {
		const [one, other] = [await newWebsite(), await newWebsite()];
		await view(one);
		await view(other);
		await view(other);
		await w.drain();
		const [a, b, c] = await Promise.all([
			runsIn(openDays, one),
			runsIn(openDays, one),
			runsIn(openDays, other),
		]);
		assert.equal(a.generation, b.generation);
		assert.notEqual(a.generation, c.generation);
		assert.deepEqual([a.runs, c.runs], [1, 2]);
	} finally {
		await openDays.close();
	}
});

test('runs that nobody has any more are dropped, those in use are not', async () => {
	let clock = now;
	const openDays = createOpenDays({ postgres, clickhouse: w.clickhouse, now: () => clock, log });
	try {
		const id = await newWebsite();
		await view(id);
		await w.drain();
		// Of a process that was killed an hour ago, and of one that runs.
		const left = BigInt(now.getTime() - 3_600_000) << 22n;
		await w.clickhouse.command(
			sql`INSERT INTO open_visits (website_id, date, generation) SELECT ${param('UInt32', id)}, toDate('2026-11-08'), ${param('UInt64', left)}`,
			{ as: 'ingest' },
		);
		const used = await runsIn(openDays, id);
		clock = new Date(now.getTime() + 3_000_000);
		await openDays.tidy();
		const rows = await w.clickhouse.rows<{ generation: string }>(
			sql`SELECT DISTINCT generation FROM open_visits WHERE website_id = ${param('UInt32', id)}`,
		);
		assert.deepEqual(
			rows.map(({ generation }) => BigInt(generation)),
			[used.generation],
		);
	} finally {
		await openDays.close();
	}
});

test('a large day is searched in pieces, by visitor, and comes to the same', async () => {
	const id = await newWebsite();
	for (let nth = 0; nth < 12; nth++) await view(id);
	await w.drain();
	const read = async (openDays: OpenDays) => {
		const { generation, runs } = await runsIn(openDays, id);
		const rows = await w.clickhouse.rows(
			sql`SELECT * EXCEPT generation FROM open_visits WHERE website_id = ${param('UInt32', id)} AND generation = ${param('UInt64', generation)} ORDER BY visitor_id, start`,
		);
		const [parts] = await w.clickhouse.rows<{ parts: number }>(
			sql`SELECT toUInt32(count()) AS parts FROM system.parts WHERE table = 'open_visits' AND partition = toString(${param('UInt64', generation)}) AND level = 0`,
			{ as: 'migrate' },
		);
		return { runs, rows, parts: parts?.parts ?? 0 };
	};
	const make = (eventsAtOnce?: number) =>
		createOpenDays({
			...{ postgres, clickhouse: w.clickhouse, now: () => now, log },
			...(eventsAtOnce && { eventsAtOnce }),
		});
	const [whole, pieces] = [make(), make(3)];
	try {
		const expected = await read(whole);
		const found = await read(pieces);
		assert.equal(expected.runs, 12);
		assert.equal(expected.parts, 1);
		assert.ok(found.parts > 1, 'it was one statement');
		assert.deepEqual(found.rows, expected.rows);
	} finally {
		await whole.close();
		await pieces.close();
	}
});
