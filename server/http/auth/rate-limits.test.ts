import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimiter, rateLimitHeaders } from './rate-limits.ts';
import { createSharedRateLimits } from './shared-rate-limits.ts';

function atTime(limit: number, maxCallers?: number) {
	let now = 1_000_000;
	return {
		limiter: createRateLimiter(limit, () => now, maxCallers === undefined ? {} : { maxCallers }),
		wait: (ms: number) => {
			now += ms;
		},
	};
}

test('the limit is the last request that passes, and a minute later requests pass again', () => {
	const { limiter, wait } = atTime(3);
	assert.deepEqual(limiter.count('a'), { limit: 3, remaining: 2, resetsInSeconds: 60, exceeded: false });
	wait(30_000);
	assert.equal(limiter.count('a').remaining, 1);
	assert.deepEqual(limiter.count('a'), { limit: 3, remaining: 0, resetsInSeconds: 30, exceeded: false });
	assert.deepEqual(limiter.count('a'), { limit: 3, remaining: 0, resetsInSeconds: 30, exceeded: true });
	wait(29_999);
	assert.equal(limiter.count('a').exceeded, true, 'one more does not make the window longer');
	assert.equal(limiter.peek('a').resetsInSeconds, 1);
	wait(1);
	assert.deepEqual(limiter.count('a'), { limit: 3, remaining: 2, resetsInSeconds: 60, exceeded: false });
});

test('callers are counted separately, and peeking counts nothing', () => {
	const { limiter } = atTime(1);
	assert.equal(limiter.count('a').exceeded, false);
	assert.equal(limiter.count('a').exceeded, true);
	assert.equal(limiter.count('b').exceeded, false);
	for (let times = 0; times < 5; times++) assert.equal(limiter.peek('c').remaining, 1);
	assert.equal(limiter.peek('a').exceeded, true);
});

test('a clock that goes back blocks no caller', () => {
	const { limiter, wait } = atTime(1);
	limiter.count('a');
	limiter.count('a');
	wait(-3_600_000);
	assert.equal(limiter.count('a').exceeded, false);
});

test('[T77] a flood of new callers neither fills the memory nor unblocks a blocked caller', () => {
	const { limiter } = atTime(10, 1_000);
	for (let times = 0; times < 11; times++) limiter.count('offender');
	assert.equal(limiter.peek('offender').exceeded, true);
	const before = process.memoryUsage().heapUsed;
	for (let number = 0; number < 200_000; number++) {
		limiter.count(`2001:db8::${number.toString(16)}`);
		// A blocked caller that keeps sending stays blocked, however many others come.
		if (number % 500 === 0) assert.equal(limiter.count('offender').exceeded, true, `after ${number} others`);
	}
	const grown = process.memoryUsage().heapUsed - before;
	assert.ok(grown < 50_000_000, `${grown} bytes more`);
});

test('the headers have the limit and when to retry', () => {
	const state = { limit: 600, remaining: 599, resetsInSeconds: 60, exceeded: false };
	assert.deepEqual(rateLimitHeaders('key', state, 1_000), {
		'x-ratelimit-limit': '600',
		'x-ratelimit-remaining': '599',
		'ratelimit-policy': '"key";q=600;w=60',
		ratelimit: '"key";r=599;t=60',
	});
	const over = { limit: 600, remaining: 0, resetsInSeconds: 7, exceeded: true };
	assert.deepEqual(rateLimitHeaders('address', over, 1_500), {
		'x-ratelimit-limit': '600',
		'x-ratelimit-remaining': '0',
		'ratelimit-policy': '"address";q=600;w=60',
		ratelimit: '"address";r=0;t=7',
		'retry-after': '7',
		'x-ratelimit-reset': '9',
	});
});

test('processes that share a port share their counts, each count once', () => {
	const processes = [0, 1].map(() => {
		const counts = createSharedRateLimits();
		const limiterOf = (name: string, limit: number) =>
			createRateLimiter(limit, () => 1_000_000, { share: counts.connect(name) });
		return { counts, keys: limiterOf('key', 3), hits: limiterOf('hits', 100) };
	});
	const [one, other] = processes;
	assert.ok(one && other);
	for (let times = 0; times < 2; times++) one.keys.count('a');
	assert.equal(other.keys.count('a').remaining, 2, 'not yet heard of');
	one.hits.count('a');
	const counted = one.counts.take();
	assert.deepEqual(counted, [
		['key', 'a', 2],
		['hits', 'a', 1],
	]);
	other.counts.add(counted);
	one.counts.add(other.counts.take());
	assert.deepEqual([one.keys.peek('a').remaining, other.keys.peek('a').remaining], [0, 0]);
	assert.equal(other.hits.peek('a').remaining, 99);
	assert.equal(other.keys.count('a').exceeded, true);
	assert.deepEqual(one.counts.take(), [], 'what was heard is not told on');
	assert.deepEqual(other.counts.take(), [['key', 'a', 1]]);
});

test('[T98] a new /64 for each request is blocked by the limit of its /48; another /48 and IPv4 are not', () => {
	const { limiter, wait } = atTime(3);
	const asks = (caller: string) => limiter.count(caller).exceeded;
	const passed = Array.from({ length: 200 }, (_, n) => asks(`2001:db8:1:${n.toString(16)}::/64`)).filter(
		(no) => !no,
	);
	assert.equal(passed.length, 3 * 32);
	assert.equal(limiter.peek('2001:db8:1:ffff::/64').exceeded, true);
	assert.equal(limiter.peek('2001:db8:1:ffff::/64').remaining, 0);
	assert.equal(asks('2001:db8:2:1::/64'), false);
	assert.equal(asks('192.0.2.1'), false);
	wait(60_000);
	assert.equal(asks('2001:db8:1:1::/64'), false);
});
