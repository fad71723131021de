import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Principal } from '../../accounts/principal.ts';
import { AppError } from '../../lib/app-error.ts';
import { createLog } from '../../lib/log.ts';
import type { ClickHouse } from '../../store/clickhouse.ts';
import type { Queries } from '../../store/postgres.ts';
import { createLive, type Watch } from './watch-live.ts';

const key = (accountId: number): Principal => ({
	kind: 'key',
	accountId,
	keyId: 1,
	access: 'full',
	scopes: null,
	websiteIds: null,
});
const share: Principal = { kind: 'share', websiteId: 1 };

/** Stores that say how often they were asked, with a number of visitors that the test sets. */
function made() {
	const state = { asked: 0, under: 0, visitors: 1, isThere: true, isBroken: false, holdMs: 0 };
	const zones = [{ from: '0001-01-01', zone: 'UTC' }];
	const row = { zones, rawFrom: null, resetAt: null, firstDate: null };
	// Only what is called is there.
	const postgres = { rows: async () => (state.isThere ? [row] : []) } as unknown as Queries;
	const clickhouse = {
		rows: async (_: unknown, { signal }: { signal?: AbortSignal }) => {
			state.asked += 1;
			state.under += 1;
			await wait(state.holdMs, undefined, { ...(signal && { signal }) }).finally(() => {
				state.under -= 1;
			});
			if (state.isBroken) throw new Error('The engine is away.');
			return [{ list: 'now', value: '', visitors: String(state.visitors), pageviews: '0' }];
		},
	} as unknown as ClickHouse;
	const lines: string[] = [];
	const log = createLog('warn', (line) => lines.push(line));
	const now = () => new Date('2026-11-15T09:00:00Z');
	return { state, lines, live: createLive({ postgres, clickhouse, now, log }) };
}

const visitorsOf = async (watch: Watch, withinMs = 5_000) => {
	const next = await watch.next(withinMs);
	return typeof next === 'string' ? next : next.visitors;
};

test('[C-LIVE-4] many who watch a website share one poll, and nobody is polled for when nobody watches', async (t) => {
	const { live, state } = made();
	t.after(() => live.close());
	const watches = Array.from({ length: 40 }, () => live.watch(1, key(7)));
	assert.deepEqual(
		await Promise.all(watches.map((watch) => visitorsOf(watch))),
		watches.map(() => 1),
	);
	assert.equal(state.asked, 1);
	const other = live.watch(2, key(7));
	assert.equal(await visitorsOf(other), 1);
	assert.equal(state.asked, 2);
	for (const watch of [...watches, other]) watch.end();
	await wait(2_300);
	assert.equal(state.asked, 2);
	// Who comes after that is told at once.
	const late = live.watch(1, key(7));
	assert.equal(await visitorsOf(late), 1);
	late.end();
});

test('[C-LIVE-3] a change is told once, at the earliest after 2 seconds; what is the same is not', async (t) => {
	const { live, state } = made();
	const watch = live.watch(1, key(7));
	t.after(() => live.close());
	assert.equal(await visitorsOf(watch), 1);
	assert.equal(await visitorsOf(watch, 2_500), 'nothing');
	state.visitors = 2;
	const began = performance.now();
	state.visitors = 3;
	assert.equal(await visitorsOf(watch), 3);
	assert.ok(performance.now() - began < 2_500);
	assert.equal(await visitorsOf(watch, 100), 'nothing');
	// One who joins is shown what is known.
	const joined = live.watch(1, key(8));
	assert.equal(await visitorsOf(joined, 100), 3);
	assert.equal(state.asked, 3);
});

test('[C-LIVE-4] the public and people have a poll each, and a slow one is asked less often', async (t) => {
	const { live, state } = made();
	t.after(() => live.close());
	state.holdMs = 300;
	const watches = [live.watch(1, key(7)), live.watch(1, share), live.watch(1, share)];
	await Promise.all(watches.map((watch) => visitorsOf(watch)));
	assert.equal(state.asked, 2);
	await wait(2_500);
	assert.equal(state.asked, 2);
	await wait(1_000);
	assert.equal(state.asked, 3);
});

test('[C-LIVE-5] at most 50 streams for an account, and as many for the public of a website', async (t) => {
	const { live } = made();
	t.after(() => live.close());
	const refuses = (websiteId: number, principal: Principal) =>
		assert.throws(
			() => live.watch(websiteId, principal),
			(error) => error instanceof AppError && error.code === 'too_many_requests',
		);
	const watches = Array.from({ length: 50 }, (_, n) => live.watch(n + 1, key(7)));
	refuses(1, key(7));
	live.watch(1, key(8));
	for (let n = 0; n < 50; n++) live.watch(1, share);
	refuses(1, share);
	watches[0]?.end();
	watches[0]?.end();
	live.watch(3, key(7));
	refuses(3, key(7));
});

test('[C-LIVE-6] a watch is over when it ends, when its website is gone and when the service stops', async () => {
	const { live, state } = made();
	const ended = live.watch(1, key(7));
	await visitorsOf(ended);
	const waiting = visitorsOf(ended);
	ended.end();
	assert.equal(await waiting, 'over');

	const ofGone = live.watch(1, key(7));
	await visitorsOf(ofGone);
	state.isThere = false;
	assert.equal(await visitorsOf(ofGone), 'over');
	state.isThere = true;

	state.holdMs = 60_000;
	const stopped = live.watch(1, key(7));
	const last = visitorsOf(stopped);
	await wait(50);
	assert.equal(state.under, 1);
	const began = performance.now();
	await live.close();
	assert.equal(await last, 'over');
	assert.equal(state.under, 0);
	assert.ok(performance.now() - began < 500);
	assert.throws(() => live.watch(1, key(7)), /stopped/);
});

test('an engine that is away ends nothing, and is asked again', async (t) => {
	const { live, state, lines } = made();
	t.after(() => live.close());
	state.isBroken = true;
	const watch = live.watch(1, key(7));
	assert.equal(await visitorsOf(watch, 500), 'nothing');
	state.isBroken = false;
	assert.equal(await visitorsOf(watch), 1);
	assert.equal(lines.length, 1);
});

test('equal looks at the same time are one', async (t) => {
	const { live, state } = made();
	t.after(() => live.close());
	state.holdMs = 100;
	const { signal } = new AbortController();
	const looks = await Promise.all(
		Array.from({ length: 20 }, () => live.snapshot(1, { principal: key(7), signal })),
	);
	assert.ok(looks.every(({ visitors }) => visitors === 1));
	assert.equal(state.asked, 1);
});

test('[C-LIVE-8] a share is the public', async (t) => {
	const { live } = made();
	t.after(() => live.close());
	const { signal } = new AbortController();
	const [mine, shared] = await Promise.all([
		live.snapshot(1, { principal: key(7), signal }),
		live.snapshot(1, { principal: share, signal }),
	]);
	assert.deepEqual([mine.stepMinutes, mine.steps.length], [1, 30]);
	assert.deepEqual([shared.stepMinutes, shared.steps.length], [5, 6]);
	assert.equal((await live.snapshot(1, { principal: { kind: 'nobody' }, signal })).stepMinutes, 5);
});
