import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { countNames, isGoalCount, storedDimensions } from '../../server/derive/counts.ts';
import { insertTotals, insertVisits } from '../../server/derive/insert-derived.ts';
import { sealDays, sealSteps } from '../../server/derive/seal.ts';
import type { SealDay, SealStep } from '../../server/derive/seal-types.ts';
import { blankEvent, type Event } from '../../server/ingest/event.ts';
import type { Counts } from '../../server/stats/question/metrics.ts';
import type { Goal, StatsWebsite } from '../../server/stats/question/question.ts';
import { locks } from '../../server/store/locks.ts';
import { param, sql, value } from '../../server/store/sql.ts';
import { addTombstone } from '../../server/websites/tombstones.ts';
import { noLogRange, openBatch } from '../../server/write/batch.ts';
import { seededRandom } from '../support/random.ts';
import { sample } from '../support/sample.ts';
import { daysOf, openSealing, type TotalsRow } from '../support/sealing.ts';
import { countOf } from '../support/stats-oracle.ts';
import { randomStatsEvents } from '../support/stats-questions.ts';
import { patience } from '../support/timeout-factor.ts';
import { shuffle } from '../support/visits-events.ts';

const s = await openSealing({ after });
const { postgres, clickhouse } = s;
const random = seededRandom();

/** Random websites that are counted by hand; `SEAL_WEBSITES=2` counts twice as many. */
const websiteIds = Array.from({ length: sample('SEAL_WEBSITES', 1, 2) }, (_, index) => index + 1);

let ids = 0;

/** A page view at noon, unless something else is said. */
const view = (websiteId: number, date: string, more: Partial<Event> = {}): Event => ({
	...blankEvent,
	...{ website_id: websiteId, date, time: `${date} 12:00:00.000`, visitor_id: String(1 + (ids % 3)) },
	...{ event_id: String(++ids), path: `/${ids % 4}`, ...more },
});

/** The whole day as `days` names it. */
async function viewsNow({ websiteId, date }: SealDay): Promise<number | undefined> {
	const [day] = (await s.days(websiteId)).filter((one) => one.date === date);
	if (!day) return undefined;
	const [whole] = await s.totals(websiteId, date, day.generation);
	return whole ? Number(whole.views) : 0;
}

/** A sum of 0 is not stored. */
const withMoney = (counts: Counts): Counts => ({
	...counts,
	conversions: 0,
	converted_visitors: 0,
	revenue: Object.fromEntries(Object.entries(counts.revenue).filter(([, amount]) => amount !== 0)),
});

const countsOf = (row: TotalsRow): Counts => {
	const numbers = countNames.map((name) => [name, isGoalCount(name) ? 0 : Number(row[name])]);
	const revenue = Object.entries(row.revenue as Record<string, string>).map(([name, amount]) => [
		name,
		Number(amount),
	]);
	return withMoney({ ...Object.fromEntries(numbers), revenue: Object.fromEntries(revenue) });
};

/** All stored dimensions of one date, counted by hand: `dimension value` and its counts. */
function countByHand(events: readonly Event[], website: StatsWebsite, date: string): Map<string, Counts> {
	const dimensions = storedDimensions.filter((name) => name !== '').map((name) => ({ name }));
	const { totals, breakdowns } = countOf(events, {
		website,
		span: { from: date, to: date, startMs: null, endMs: null },
		...{ compared: null, buckets: null, comparedBuckets: null, filter: null, goal: null },
		metrics: ['visitors'],
		breakdowns: dimensions.map((dimension) => ({
			...{ dimension, sort: { by: 'visitors', descending: true }, search: null, offset: 0, limit: 100_000 },
		})),
	});
	const revisions = new Map(website.goals.map(({ id, revision }) => [String(id), String(revision)]));
	const rows = breakdowns.flatMap(({ rows }, index) => {
		const name = dimensions[index]?.name ?? '';
		return rows.map(({ value, counts }): [string, Counts] => [
			`${name} ${name === 'goal' ? revisions.get(value) : value}`,
			withMoney(counts),
		]);
	});
	const isThere = totals.views + totals.events > 0;
	return new Map([...(isThere ? [[' ', withMoney(totals)] as const] : []), ...rows]);
}

/** A website of stats-questions.ts as a row of our own. */
async function adopt(made: { website: StatsWebsite; events: readonly Event[] }) {
	const websiteId = await s.website();
	await s.configure({ ...made.website, id: websiteId });
	const events = made.events
		.filter(({ website_id }) => website_id === made.website.id)
		.map((event) => ({ ...event, website_id: websiteId }));
	const goals: Goal[] = [];
	for (const [index, { kind, pattern, property }] of made.website.goals.entries()) {
		const name = `Goal ${index}`;
		const [goal] = await postgres.rows<{ id: number; revision: number }>(sql`
			INSERT INTO goals (website_id, revision, name, kind, pattern, property_name, property_value, property_test, created_at, updated_at)
			VALUES (${value(websiteId)}, nextval('goal_revisions'), ${value(name)}, ${value(kind)}, ${value(pattern)},
				${value(property?.name ?? null)}, ${value(property?.value ?? null)}, ${value(property?.test ?? null)}, now(), now()) RETURNING id, revision`);
		if (goal) goals.push({ ...goal, name, kind, pattern, property });
	}
	return { website: { ...made.website, id: websiteId, goals }, events };
}

async function compareTotals(events: readonly Event[], website: StatsWebsite, seed: number) {
	for (const { websiteId, date } of daysOf(events)) {
		const [day] = (await s.days(websiteId)).filter((one) => one.date === date);
		assert.ok(day);
		const found = await s.totals(websiteId, date, day.generation);
		assert.deepEqual(
			new Map(found.map((row) => [`${row.dimension} ${row.value}`, countsOf(row)])),
			new Map([...countByHand(events, website, date)].toSorted()),
			`SEED=${seed} ${date}`,
		);
		const newest = Math.max(0, ...website.goals.map(({ revision }) => revision));
		assert.deepEqual([day.last_batch <= day.sealed_batch, day.goal_revision], [true, newest]);
	}
}

test('what was emptied before anything was counted hides nothing that comes', async () => {
	const websiteId = await s.website();
	await postgres.transaction((tx) => addTombstone(tx, s.services.now, websiteId, { isReset: true }));
	assert.deepEqual(
		await postgres.rows(
			sql`SELECT until_seq AS seq, until_generation AS generation FROM tombstones WHERE website_id = ${value(websiteId)}`,
		),
		[{ seq: 0, generation: 0 }],
	);
});

test('sealed totals are what a count by hand finds: together, day by day and in pieces', async (t) => {
	t.diagnostic(`SEED=${random.seed}`);
	for (const eventsAtOnce of [300_000, 40, 7]) {
		const { events, asked } = randomStatsEvents(random, {
			websiteIds: [...websiteIds, ...websiteIds.map((id) => id + websiteIds.length)],
		});
		const adopted = [];
		for (const { website } of asked) adopted.push(await adopt({ website, events }));
		const all = adopted.flatMap(({ events }) => events);
		await s.write(all);
		s.services.atOnce.events = eventsAtOnce;
		const days = daysOf(all);
		// As many websites as dates or fewer are put together by website, else by date.
		const sealed = [...(await s.seal(days.slice(0, 5))), ...(await s.seal(days.slice(5)))];
		s.services.atOnce.events = 300_000;
		assert.deepEqual(sealed.length, days.length);
		for (const { website, events } of adopted) {
			await compareTotals(events, website, random.seed);
			assert.deepEqual(await s.deadGenerations(website.id), []);
		}
	}
});

/** Of an event, or of the entry of a visit: which column a dimension shows. */
const columnOf = (dimension: string): keyof Event =>
	dimension === 'event' ? 'name' : ((dimension.endsWith('page') ? 'path' : dimension) as keyof Event);

test('a dimension with more values than are stored has one row for all others, exact to the visitor', async (t) => {
	t.diagnostic(`SEED=${random.seed}`);
	let capped = 0;
	for (const [cap, eventsAtOnce] of [
		[1, 300_000],
		[2, 50],
		[3, 300_000],
	] as const) {
		const { events: made, asked } = randomStatsEvents(random, { websiteIds });
		for (const { website: one } of asked) {
			const { website, events } = await adopt({ website: one, events: made });
			await s.write(events);
			s.services.atOnce.events = eventsAtOnce;
			await s.seal(daysOf(events), 'whole', { cap });
			s.services.atOnce.events = 300_000;
			for (const { websiteId, date } of daysOf(events)) {
				const [day] = (await s.days(websiteId)).filter((row) => row.date === date);
				assert.ok(day);
				const found = await s.totals(websiteId, date, day.generation);
				const byHand = countByHand(events, website, date);
				const full: string[] = [];
				for (const dimension of storedDimensions.filter((name) => !['', 'goal'].includes(name))) {
					const values = [...byHand].filter(([key]) => key.startsWith(`${dimension} `));
					const ranked = values.toSorted(
						([a, x], [b, y]) =>
							y.visitors - x.visitors || y.views - x.views || Buffer.compare(Buffer.from(a), Buffer.from(b)),
					);
					const rows = found.filter((row) => row.dimension === dimension);
					const stored = rows.filter(({ is_other }) => is_other === 0);
					assert.deepEqual(
						new Map(stored.map((row) => [`${dimension} ${row.value}`, countsOf(row)])),
						new Map(ranked.slice(0, cap).toSorted()),
						`SEED=${random.seed} ${dimension} of ${date}`,
					);
					const others = rows.filter(({ is_other }) => is_other === 1);
					assert.equal(others.length, ranked.length > cap ? 1 : 0);
					if (ranked.length <= cap) continue;
					full.push(dimension);
					// The same with one name for all of them.
					const column = columnOf(dimension);
					const kept = new Set(stored.map(({ value }) => value));
					const renamed = events.map((event) =>
						kept.has(String(event[column])) ? event : { ...event, [column]: '(other)' },
					);
					const expected = countByHand(renamed, website, date).get(`${dimension} (other)`);
					// Hours and weekdays are no columns of events.
					if (dimension === 'hour' || dimension === 'weekday') continue;
					assert.deepEqual(others.map(countsOf), [expected], `SEED=${random.seed} ${dimension} of ${date}`);
					capped++;
				}
				assert.deepEqual(day.capped, full.toSorted());
			}
		}
	}
	assert.ok(capped > 25 * websiteIds.length, `only ${capped} dimensions were capped`);
});

test('a batch that is open while a day is sealed leaves it dirty, and its events count after the next seal', async () => {
	const websiteId = await s.website();
	const day = { websiteId, date: '2026-05-01' };
	await s.write([view(websiteId, day.date), view(websiteId, day.date)]);
	const late = [view(websiteId, day.date)];
	const open = await s.number(late);
	await s.seal([day]);
	assert.deepEqual([await viewsNow(day), await s.isDirty(day)], [2, true]);
	await s.insert(late);
	await s.seal([day]);
	// Its events are there, but nobody could know that all of them are.
	assert.deepEqual([await viewsNow(day), await s.isDirty(day)], [3, true]);
	await s.close(open);
	assert.equal(await s.isDirty(day), true);
	await s.seal([day]);
	assert.deepEqual([await viewsNow(day), await s.isDirty(day)], [3, false]);
});

test('a batch that is being numbered while a day is sealed leaves it dirty', async () => {
	const websiteId = await s.website();
	const day = { websiteId, date: '2026-05-01' };
	await s.write([view(websiteId, day.date)]);
	const late = [view(websiteId, day.date)];
	const [numbered, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const batch = postgres.transaction(async (tx) => {
		const number = await openBatch(tx, noLogRange, [{ ...day, events: 1 }]);
		numbered.resolve();
		await commit.promise;
		return number;
	});
	await numbered.promise;
	// The number is given and nobody can see it. A seal that did not wait would include it.
	const sealing = s.seal([day]);
	await sleep(300);
	commit.resolve();
	const number = await batch;
	await sealing;
	assert.deepEqual([await viewsNow(day), await s.isDirty(day)], [1, true]);
	await s.insert(late);
	await s.close(number);
	await s.seal([day]);
	assert.deepEqual([await viewsNow(day), await s.isDirty(day)], [2, false]);
});

test('two writers number at once: the second waits for the first, so that no number comes after a higher one', async () => {
	const websiteId = await s.website();
	const day = { websiteId, date: '2026-05-01' };
	await s.write([view(websiteId, day.date)]);
	const [numbered, mark] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const first = postgres.transaction(async (tx) => {
		const number = await openBatch(tx, noLogRange, [{ ...day, events: 1 }]);
		numbered.resolve();
		await mark.promise;
		return number;
	});
	await numbered.promise;
	// Another day: the row of the first does not block it. What its transaction sees is decided by PostgreSQL; the order in which
	// answers arrive here is not.
	const second = postgres.transaction(async (tx) => {
		const number = await openBatch(tx, noLogRange, [{ websiteId, date: '2026-05-02', events: 1 }]);
		return {
			number,
			open: await tx.rows<{ number: number }>(sql`SELECT number FROM batches ORDER BY number`),
		};
	});
	const isWaiting = sql`
		SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${value(locks.batchNumber)}::bigint AND NOT granted`;
	let isNumbered = false;
	const numbering = second.finally(() => {
		isNumbered = true;
	});
	while (!isNumbered && (await postgres.rows(isWaiting)).length === 0) await sleep(5);
	mark.resolve();
	const lower = await first;
	const { number: higher, open } = await numbering;
	assert.deepEqual(open, [{ number: lower }, { number: higher }]);
	assert.ok(lower < higher);
	await s.close(higher);
	await s.seal([day]);
	assert.equal(await s.isDirty(day), true, 'the lower one is open');
	await s.close(lower);
	await s.seal([day]);
	assert.equal(await s.isDirty(day), false);
});

test('late events: the day is sealed again, and what it replaces is dead', async () => {
	const websiteId = await s.website();
	const day = { websiteId, date: '2026-05-01' };
	await s.write([view(websiteId, day.date)]);
	await s.seal([day]);
	const [before] = await s.days(websiteId);
	await s.write([view(websiteId, day.date), view(websiteId, '2026-05-02')]);
	assert.deepEqual([await s.isDirty(day), await viewsNow(day)], [true, 1]);
	await s.seal([day]);
	assert.deepEqual([await s.isDirty(day), await viewsNow(day)], [false, 2]);
	assert.deepEqual(await s.deadGenerations(websiteId), [{ date: day.date, generation: before?.generation }]);
	assert.equal((await s.days(websiteId)).map(({ size }) => size).join(), '2,1');
});

test('a seal that stops after any of its steps leaves the day as it was, and the next one counts', async () => {
	for (let done = 0; done <= sealSteps.length; done++) {
		const websiteId = await s.website();
		const day = { websiteId, date: '2026-05-01' };
		await s.write([view(websiteId, day.date)]);
		await s.seal([day]);
		await s.write([view(websiteId, day.date)]);
		const sealed = await s.seal([day], 'whole', { steps: sealSteps.slice(0, done) });
		const isDone = done === sealSteps.length;
		assert.deepEqual(
			[sealed.length, await viewsNow(day), await s.isDirty(day)],
			isDone ? [1, 2, false] : [0, 1, true],
		);
		const [row] = await s.days(websiteId);
		const dead = (await s.deadGenerations(websiteId)).map(({ generation }) => generation);
		for (const table of ['visits', 'totals'] as const)
			for (const generation of await s.generations(table, websiteId))
				assert.ok(
					generation === row?.generation || dead.includes(generation),
					`${table} ${generation} is known to nobody`,
				);
		await s.seal([day]);
		assert.deepEqual([await viewsNow(day), await s.isDirty(day)], [2, false]);
	}
});

test('rows that were lost or doubled on the way are noticed, and nothing counts', async () => {
	const spoil: Record<string, SealStep> = {
		'runs twice': (services, seal) => insertVisits(services, seal),
		'totals twice': (services, seal) => insertTotals(services, seal),
		'a value is missing': async (_, { generation }) => {
			await clickhouse.command(
				sql`ALTER TABLE totals DELETE WHERE generation = ${param('UInt64', generation)} AND dimension = 'source'`,
				{ settings: { mutations_sync: '2' } },
			);
		},
		'a run is missing': async (_, { generation }) => {
			await clickhouse.command(
				sql`ALTER TABLE visits DELETE WHERE generation = ${param('UInt64', generation)} AND visitor_id = 2`,
				{ settings: { mutations_sync: '2' } },
			);
		},
		'an event is missing': async (_, { generation }) => {
			await clickhouse.command(
				sql`ALTER TABLE events DELETE WHERE website_id IN (SELECT website_id FROM visits WHERE generation = ${param('UInt64', generation)}) AND visitor_id = 2`,
				{ settings: { mutations_sync: '2' } },
			);
		},
	};
	for (const [what, step] of Object.entries(spoil)) {
		const websiteId = await s.website();
		const day = { websiteId, date: '2026-05-01' };
		await s.write(Array.from({ length: 6 }, () => view(websiteId, day.date)));
		const steps = sealSteps.toSpliced(3, 0, step);
		await assert.rejects(s.seal([day], 'whole', { steps }), /has wrong counts/, what);
		assert.deepEqual([await s.isDirty(day), (await s.days(websiteId))[0]?.generation], [true, 0], what);
	}
});

test('a website that is deleted during a seal stays without days', async () => {
	const websiteId = await s.website();
	const day = { websiteId, date: '2026-05-01' };
	await s.write([view(websiteId, day.date)]);
	const remove: SealStep = async () => {
		await postgres.transaction(async (tx) => {
			await addTombstone(tx, s.services.now, websiteId, { isReset: false });
			await tx.run(sql`DELETE FROM websites WHERE id = ${value(websiteId)}`);
		});
	};
	const sealed = await s.seal([day], 'whole', { steps: sealSteps.toSpliced(4, 0, remove) });
	assert.deepEqual([sealed, await s.days(websiteId)], [[], []]);
	assert.equal((await s.deadGenerations(websiteId)).length, 1);
	assert.deepEqual(await s.seal([day]), [], 'and it is sealed no more');
});

test('a website that is emptied during a seal: the day that begins anew does not get what was before', async () => {
	const websiteId = await s.website();
	const date = '2026-05-01';
	s.clock.now = new Date(`${date}T13:00:00Z`);
	await s.write([view(websiteId, date), view(websiteId, date)]);
	const later = view(websiteId, date, { time: `${date} 14:00:00.000`, path: '/later' });
	const empty: SealStep = async () => {
		await postgres.transaction((tx) => addTombstone(tx, s.services.now, websiteId, { isReset: true }));
		await s.write([later]);
	};
	const sealed = await s.seal([{ websiteId, date }], 'whole', { steps: sealSteps.toSpliced(4, 0, empty) });
	assert.deepEqual([sealed, await s.isDirty({ websiteId, date })], [[], true]);
	assert.equal((await s.deadGenerations(websiteId)).length, 1);
	await s.seal([{ websiteId, date }]);
	assert.deepEqual([await viewsNow({ websiteId, date }), await s.isDirty({ websiteId, date })], [1, false]);
	const [row] = await s.days(websiteId);
	const pages = (await s.totals(websiteId, date, row?.generation ?? 0)).filter(
		({ dimension }) => dimension === 'page',
	);
	assert.deepEqual(
		pages.map(({ value }) => value),
		['/later'],
	);
	const [tombstone] = await postgres.rows<{ until: number }>(
		sql`SELECT until_generation AS until FROM tombstones WHERE website_id = ${value(websiteId)}`,
	);
	const dead = (await s.deadGenerations(websiteId))[0]?.generation ?? 0;
	assert.ok(tombstone && dead <= tombstone.until && tombstone.until < (row?.generation ?? 0));
});

test('a day before those that are kept is not sealed, nor does a seal count that began before', async () => {
	const websiteId = await s.website();
	const [old, kept] = [
		{ websiteId, date: '2026-05-01' },
		{ websiteId, date: '2026-05-02' },
	];
	await s.write([view(websiteId, old.date), view(websiteId, kept.date)]);
	const retain: SealStep = async () => {
		await postgres.run(
			sql`UPDATE websites SET raw_from = ${value(kept.date)}::date WHERE id = ${value(websiteId)}`,
		);
	};
	assert.deepEqual(await s.seal([old, kept], 'whole', { steps: sealSteps.toSpliced(4, 0, retain) }), [kept]);
	assert.deepEqual(await s.seal([old, kept]), [kept]);
	assert.deepEqual([await s.isDirty(old), await s.isDirty(kept)], [true, false]);
	const dead = (await s.deadGenerations(websiteId)).filter(({ date }) => date === old.date);
	assert.equal(dead.length, 1, 'the second one did not even begin with it');
});

test('what is being deleted cannot be made to count', async () => {
	const websiteId = await s.website();
	const day = { websiteId, date: '2026-05-01' };
	await s.write([view(websiteId, day.date)]);
	const take: SealStep = async (_, { generation }) => {
		await postgres.run(
			sql`UPDATE dead_generations SET is_going = true WHERE generation = ${value(generation)}`,
		);
	};
	assert.deepEqual(await s.seal([day], 'whole', { steps: sealSteps.toSpliced(4, 0, take) }), []);
	assert.equal((await s.days(websiteId))[0]?.generation, 0);
});

test('a seal that was overtaken by a later one does not count', async () => {
	const websiteId = await s.website();
	const day = { websiteId, date: '2026-05-01' };
	await s.write([view(websiteId, day.date)]);
	// As when the connection that holds the turn was lost.
	const overtake: SealStep = async (_, { generation }) => {
		await postgres.run(
			sql`UPDATE days SET generation = ${value(generation + 1)} WHERE website_id = ${value(websiteId)}`,
		);
	};
	assert.deepEqual(await s.seal([day], 'whole', { steps: sealSteps.toSpliced(4, 0, overtake) }), []);
	assert.equal(await s.isDirty(day), true);
});

test('provisional totals are those of a seal; the day stays open, and its runs are not kept', async () => {
	const websiteId = await s.website();
	const day = { websiteId, date: '2026-05-01' };
	const events = Array.from({ length: 40 }, () => view(websiteId, day.date));
	await s.write(events);
	s.services.atOnce.events = 15;
	assert.deepEqual(await s.seal([day], 'provisional', { cap: 2 }), [day]);
	s.services.atOnce.events = 300_000;
	const [first] = await s.days(websiteId);
	assert.ok(first);
	assert.deepEqual([first.generation, first.sealed_batch, first.provisional_batch], [0, 0, first.last_batch]);
	assert.ok(first.provisional_capped.includes('page'));
	const [whole] = await s.totals(websiteId, day.date, first.provisional_generation);
	assert.equal(Number(whole?.views), 40);
	assert.deepEqual(await s.generations('visits', websiteId), []);
	assert.deepEqual(await clickhouse.rows(sql`SELECT 1 FROM open_visits LIMIT 1`), []);

	await s.write([view(websiteId, day.date)]);
	await s.seal([day], 'provisional');
	const [second] = await s.days(websiteId);
	assert.deepEqual(await s.deadGenerations(websiteId), [
		{ date: day.date, generation: first.provisional_generation },
	]);
	await s.seal([day]);
	const [sealed] = await s.days(websiteId);
	assert.ok(second && sealed);
	assert.equal(sealed.provisional_generation, sealed.generation, 'its totals serve while it is dirty again');
	await s.write([view(websiteId, day.date)]);
	await s.seal([day], 'provisional');
	const [dirty] = await s.days(websiteId);
	assert.ok(
		dirty && dirty.generation === sealed.generation && dirty.provisional_generation > sealed.generation,
	);
	const dead = (await s.deadGenerations(websiteId)).map(({ generation }) => generation);
	assert.deepEqual(dead, [first.provisional_generation, second.provisional_generation]);
	assert.equal(await viewsNow(day), 41, 'what the seal counted is still there');
});

test('seals take turns, and one that is told to stop ends without a trace that counts', async () => {
	const websiteId = await s.website();
	const day = { websiteId, date: '2026-05-01' };
	await s.write([view(websiteId, day.date)]);
	const log: string[] = [];
	const noted =
		(name: string): SealStep =>
		async () => {
			log.push(`${name} begins`);
			await sleep(200);
			log.push(`${name} ends`);
		};
	await Promise.all([
		s.seal([day], 'whole', { steps: [noted('one'), ...sealSteps] }),
		s.seal([day], 'whole', { steps: [noted('two'), ...sealSteps] }),
	]);
	assert.ok(
		log.join() === 'one begins,one ends,two begins,two ends' ||
			log.join() === 'two begins,two ends,one begins,one ends',
		log.join(),
	);

	const stop = new AbortController();
	const [before] = await s.days(websiteId);
	const began = performance.now();
	const { days, failures } = await sealDays({ ...s.services, signal: stop.signal }, [day], 'whole', {
		steps: [async () => stop.abort(), ...sealSteps],
	});
	assert.deepEqual([days, failures], [[], []]);
	assert.ok(performance.now() - began < 2_000 * patience);
	assert.equal((await s.days(websiteId))[0]?.generation, before?.generation);
});

test('the writer and a seal of the same days do not wait for each other', async () => {
	const websites: number[] = [];
	for (let count = 0; count < 20; count++) websites.push(await s.website());
	const events = () =>
		shuffle(
			random,
			websites.map((id) => view(id, '2026-05-01')),
		);
	await s.write(events());
	const days = websites.map((websiteId) => ({ websiteId, date: '2026-05-01' }));
	let over = false;
	const writing = (async () => {
		while (!over) await s.write(events());
	})();
	for (let round = 0; round < 10; round++) await s.seal(shuffle(random, days));
	over = true;
	await writing;
	await s.seal(days);
	for (const day of days)
		assert.deepEqual([await s.isDirty(day), ((await viewsNow(day)) ?? 0) > 1], [false, true]);
});
