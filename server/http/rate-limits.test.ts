import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimiter, rateLimitHeaders } from './rate-limits.ts';
import { createSharedCounts } from './shared-counts.ts';

function atTime(limit: number, maxCallers?: number) {
	let now = 1_000_000;
	return {
		limiter: createRateLimiter(limit, () => now, maxCallers === undefined ? {} : { maxCallers }),
		wait: (ms: number) => {
			now += ms;
		},
	};
}

test('the limit is the last request that passes, and a minute later all is well again', () => {
	const { limiter, wait } = atTime(3);
	assert.deepEqual(limiter.count('a'), { limit: 3, remaining: 2, resetsInSeconds: 60, exceeded: false });
	wait(30_000);
	assert.equal(limiter.count('a').remaining, 1);
	assert.deepEqual(limiter.count('a'), { limit: 3, remaining: 0, resetsInSeconds: 30, exceeded: false });
	assert.deepEqual(limiter.count('a'), { limit: 3, remaining: 0, resetsInSeconds: 30, exceeded: true });
	wait(29_999);
	assert.equal(limiter.count('a').exceeded, true, 'one more does not make the window longer');
	assert.equal(limiter.look('a').resetsInSeconds, 1);
	wait(1);
	assert.deepEqual(limiter.count('a'), { limit: 3, remaining: 2, resetsInSeconds: 60, exceeded: false });
});

test('callers are counted apart, and looking counts nothing', () => {
	const { limiter } = atTime(1);
	assert.equal(limiter.count('a').exceeded, false);
	assert.equal(limiter.count('a').exceeded, true);
	assert.equal(limiter.count('b').exceeded, false);
	for (let times = 0; times < 5; times++) assert.equal(limiter.look('c').remaining, 1);
	assert.equal(limiter.look('a').exceeded, true);
});

test('a clock that goes back locks nobody out', () => {
	const { limiter, wait } = atTime(1);
	limiter.count('a');
	limiter.count('a');
	wait(-3_600_000);
	assert.equal(limiter.count('a').exceeded, false);
});

test('[T77] a flood of new callers neither fills the memory nor frees the one who is blocked', () => {
	const { limiter } = atTime(10, 1_000);
	for (let times = 0; times < 11; times++) limiter.count('offender');
	assert.equal(limiter.look('offender').exceeded, true);
	const before = process.memoryUsage().heapUsed;
	for (let number = 0; number < 200_000; number++) {
		limiter.count(`2001:db8::${number.toString(16)}`);
		// Who goes on asking goes on being refused, however many others come.
		if (number % 500 === 0) assert.equal(limiter.count('offender').exceeded, true, `after ${number} others`);
	}
	const grown = process.memoryUsage().heapUsed - before;
	assert.ok(grown < 50_000_000, `${grown} bytes more`);
});

test('the headers say the limit, and when to come back', () => {
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

test('processes that share a port count together: each hears what the others counted, once', () => {
	const processes = [0, 1].map(() => {
		const counts = createSharedCounts();
		const limiterOf = (name: string, limit: number) =>
			createRateLimiter(limit, () => 1_000_000, { share: counts.of(name) });
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
	other.counts.hear(counted);
	one.counts.hear(other.counts.take());
	assert.deepEqual([one.keys.look('a').remaining, other.keys.look('a').remaining], [0, 0]);
	assert.equal(other.hits.look('a').remaining, 99);
	assert.equal(other.keys.count('a').exceeded, true);
	assert.deepEqual(one.counts.take(), [], 'what was heard is not told on');
	assert.deepEqual(other.counts.take(), [['key', 'a', 1]]);
});
