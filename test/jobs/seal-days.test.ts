import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SealDay } from '../../server/derive/seal-types.ts';
import { blankEvent, type Event } from '../../server/ingest/event.ts';
import { startJobs } from '../../server/jobs/schedule.ts';
import { createSealJob } from '../../server/jobs/seal-days.ts';
import { addDays } from '../../server/lib/local-dates.ts';
import { sql, value } from '../../server/store/sql.ts';
import { openSealing } from '../support/sealing.ts';
import { until } from '../support/service.ts';
import { patience } from '../support/timeout-factor.ts';

const s = await openSealing({ after });
const { postgres } = s;

let ids = 0;
const view = ({ websiteId, date }: SealDay): Event => ({
	...blankEvent,
	...{ website_id: websiteId, date, time: `${date} 12:00:00.000`, visitor_id: '7', event_id: String(++ids) },
});

/** A job with a watch of its own; the clock of days is the stores'. */
function makeJob() {
	let ms = 1_000_000;
	const run = createSealJob(() => ms);
	return {
		run: () => run(s.services),
		pass(moreMs: number) {
			ms += moreMs;
		},
	};
}

const at = (time: string) => {
	s.clock.now = new Date(time);
};

test('a day is sealed when it has been over for two hours on the clock of its website', async () => {
	const [east, utc, west] = [
		await s.website([{ from: '0001-01-01', zone: 'Pacific/Kiritimati' }]),
		await s.website(),
		await s.website([{ from: '0001-01-01', zone: 'Pacific/Pago_Pago' }]),
	];
	const date = '2026-05-10';
	const days = [east, utc, west].map((websiteId) => ({ websiteId, date }));
	const old = { websiteId: west, date: '2026-05-01' };
	await s.write([...days, old].map(view));
	const job = makeJob();
	const dirty = async () => {
		job.pass(60_000);
		await job.run();
		return Promise.all([...days, old].map(s.isDirty));
	};
	at('2026-05-10T11:59:59Z');
	assert.deepEqual(await dirty(), [true, true, true, false]);
	at('2026-05-10T12:00:00Z');
	assert.deepEqual(await dirty(), [false, true, true, false]);
	at('2026-05-11T01:59:59Z');
	assert.deepEqual(await dirty(), [false, true, true, false]);
	at('2026-05-11T02:00:00Z');
	assert.deepEqual(await dirty(), [false, false, true, false]);
	at('2026-05-11T12:59:59Z');
	assert.deepEqual(await dirty(), [false, false, true, false]);
	at('2026-05-11T13:00:00Z');
	assert.deepEqual(await dirty(), [false, false, false, false]);
});

test('the zone that counts is the one that the day was cut in', async () => {
	const changed = await s.website([
		{ from: '0001-01-01', zone: 'UTC' },
		{ from: '2026-05-11', zone: 'Pacific/Pago_Pago' },
	]);
	const days = ['2026-05-10', '2026-05-11'].map((date) => ({ websiteId: changed, date }));
	await s.write(days.map(view));
	at('2026-05-12T12:00:00Z');
	await makeJob().run();
	assert.deepEqual(await Promise.all(days.map(s.isDirty)), [false, true]);
});

test('what comes late is sealed again after half a minute of quiet, or after ten minutes', async () => {
	const day = { websiteId: await s.website(), date: '2026-05-10' };
	await s.write([view(day)]);
	at('2026-05-13T12:00:00Z');
	const job = makeJob();
	await job.run();
	assert.equal(await s.isDirty(day), false);
	await s.write([view(day)]);
	job.pass(20_000);
	await job.run();
	job.pass(29_000);
	await job.run();
	assert.equal(await s.isDirty(day), true, '29 s of quiet that we know of');
	job.pass(31_000);
	await job.run();
	assert.equal(await s.isDirty(day), false);

	// One that never rests.
	for (let minute = 1; minute < 10; minute++) {
		at(`2026-05-13T12:0${minute}:00Z`);
		await s.write([view(day)]);
		job.pass(31_000);
		await s.write([view(day)]);
		await job.run();
		assert.equal(await s.isDirty(day), true, `after ${minute} minutes`);
	}
	at('2026-05-13T12:10:01Z');
	job.pass(31_000);
	await s.write([view(day)]);
	await job.run();
	assert.equal(await s.isDirty(day), false);
});

test('a day that is not kept is left alone', async () => {
	const day = { websiteId: await s.website(), date: '2026-05-10' };
	await s.write([view(day)]);
	await postgres.run(sql`UPDATE websites SET raw_from = '2026-05-11' WHERE id = ${value(day.websiteId)}`);
	at('2026-05-13T12:00:00Z');
	let turns = 0;
	const counted: typeof postgres = {
		...postgres,
		dedicatedConnection(lost) {
			turns++;
			return postgres.dedicatedConnection(lost);
		},
	};
	await createSealJob()({ ...s.services, postgres: counted });
	assert.deepEqual([await s.isDirty(day), turns], [true, 0]);
});

const makeLarge = (day: SealDay, size = 200_001) =>
	postgres.run(sql`UPDATE days SET size = ${value(size)} WHERE website_id = ${value(day.websiteId)}`);

test('a large day that is not over has provisional totals, renewed no sooner than it can pay for', async () => {
	const [large, small] = [
		{ websiteId: await s.website(), date: '2026-05-20' },
		{ websiteId: await s.website(), date: '2026-05-20' },
	];
	await s.write([view(large), view(small)]);
	await makeLarge(large);
	at('2026-05-20T13:00:00Z');
	const job = makeJob();
	await job.run();
	const provisional = async (day: SealDay) => (await s.days(day.websiteId))[0]?.provisional_generation ?? 0;
	const first = await provisional(large);
	assert.ok(first > 0);
	assert.equal(await provisional(small), 0);
	assert.equal(await s.isDirty(large), true, 'they are no seal');
	job.pass(60_001);
	await job.run();
	assert.equal(await provisional(large), first, 'nothing came since');
	await s.write([view(large)]);
	await job.run();
	const second = await provisional(large);
	assert.ok(second > first);
	// The watch stood still, so it took no time: five seconds at least.
	await s.write([view(large)]);
	job.pass(4_999);
	await job.run();
	assert.equal(await provisional(large), second);
	job.pass(2);
	await job.run();
	const third = await provisional(large);
	assert.ok(third > second);

	// As soon as it is over it is sealed like any other.
	at('2026-05-21T02:00:00Z');
	job.pass(60_001);
	await job.run();
	assert.equal(await s.isDirty(large), false);
	assert.deepEqual(
		(await s.deadGenerations(large.websiteId)).map(({ generation }) => generation),
		[first, second, third],
	);
});

test('the pace of provisional totals is ten times what they took, and a minute at most', async () => {
	const day = { websiteId: await s.website(), date: '2026-05-20' };
	await s.write([view(day)]);
	await makeLarge(day);
	at('2026-05-20T13:00:00Z');
	let ms = 0;
	let tookMs = 2_000;
	const run = createSealJob(() => ms);
	const services = {
		...s.services,
		goalsOf: async () => {
			ms += tookMs;
			return [];
		},
	};
	const renews = async (moreMs: number) => {
		ms += moreMs;
		const before = (await s.days(day.websiteId))[0]?.provisional_generation;
		await s.write([view(day)]);
		await makeLarge(day);
		await run(services);
		return (await s.days(day.websiteId))[0]?.provisional_generation !== before;
	};
	assert.deepEqual([await renews(0), await renews(19_000), await renews(1_001)], [true, false, true]);
	tookMs = 30_000;
	assert.deepEqual([await renews(20_001), await renews(59_000), await renews(1_001)], [true, false, true]);
});

test('what fails is told, tried again after a minute, and holds up nobody', async () => {
	const [bad, good] = [
		{ websiteId: await s.website(), date: '2026-05-10' },
		{ websiteId: await s.website([{ from: '0001-01-01', zone: 'Asia/Kathmandu' }]), date: '2026-05-10' },
	];
	await s.write([view(bad), view(good)]);
	at('2026-05-13T12:00:00Z');
	let ms = 0;
	let tries = 0;
	let isBroken = true;
	const run = createSealJob(() => ms);
	const services = {
		...s.services,
		goalsOf: async (websiteIds: readonly number[]) => {
			if (!websiteIds.includes(bad.websiteId)) return [];
			tries++;
			if (isBroken) throw new Error('Something is wrong with it.');
			return [];
		},
	};
	const pass = async (moreMs: number) => {
		ms += moreMs;
		await run(services);
		return tries;
	};
	assert.equal(await pass(0), 1);
	assert.match(s.log(), /could not seal days.*|Something is wrong with it/);
	assert.deepEqual([await s.isDirty(bad), await s.isDirty(good)], [true, false]);
	assert.equal(await pass(31_000), 1);
	assert.equal(await pass(31_000), 2);
	assert.equal(await pass(61_000), 2, 'then after two minutes');
	assert.equal(await pass(61_000), 3);
	isBroken = false;
	assert.equal(await pass(241_000), 4);
	assert.equal(await s.isDirty(bad), false);
});

test('a round takes about a million events, oldest first, and the next goes on at once', async () => {
	const websiteId = await s.website();
	const days = [0, 1, 2, 3].map((more) => ({ websiteId, date: addDays('2026-05-01', more) }));
	await s.write(days.map(view));
	await postgres.run(sql`UPDATE days SET size = 450000 WHERE website_id = ${value(websiteId)}`);
	at('2026-06-01T00:00:00Z');
	const job = makeJob();
	const rounds: (boolean | undefined)[][] = [];
	for (let round = 0; round < 2; round++) {
		await job.run();
		rounds.push(await Promise.all(days.map(s.isDirty)));
	}
	assert.deepEqual(rounds, [
		[false, false, true, true],
		[false, false, false, false],
	]);
});

test('the jobs seal by themselves, and stop at once in the middle of a seal', async () => {
	const day = { websiteId: await s.website(), date: '2026-05-10' };
	await s.write([view(day)]);
	at('2026-06-01T00:00:00Z');
	const jobs = startJobs(s.services);
	await until(async () => (await s.isDirty(day)) === false, 15_000, 'the day is sealed');
	await jobs.stop();

	await s.write([view(day)]);
	await postgres.run(sql`UPDATE days SET sealed_at = NULL`);
	const begun = Promise.withResolvers<void>();
	let ended = '';
	const clickhouse: typeof s.clickhouse = {
		...s.clickhouse,
		async command(query, of = {}) {
			if (of.name !== 'seal runs') return s.clickhouse.command(query, of);
			begun.resolve();
			// A statement that takes long.
			await s.clickhouse
				.rows(sql`SELECT sleepEachRow(1) FROM numbers(50)`, { ...of, settings: { max_block_size: '1' } })
				.catch((error: unknown) => {
					ended = String(error);
					throw error;
				});
		},
	};
	const others = startJobs({ ...s.services, clickhouse });
	await begun.promise;
	await sleep(500);
	assert.equal(ended, '', 'it is under way');
	const began = performance.now();
	await others.stop();
	const tookMs = performance.now() - began;
	assert.ok(tookMs < 2_000 * patience, `${tookMs} ms`);
	assert.match(ended, /abort/i);
	assert.equal(await s.isDirty(day), true);
});
