import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../lib/app-error.ts';
import { toZones } from '../websites/zones.ts';
import type { TrackedWebsite } from './hit.ts';
import { createWebsiteRateLimits, peekWebsiteId } from './website-rate-limits.ts';

/** Only the fields that a rate limit reads. */
const websiteOf = (id: number, hitLimit: number | null = null) =>
	({ id, hitLimit, zones: toZones([{ from: '0001-01-01', zone: 'Asia/Kathmandu' }]) }) as TrackedWebsite;

function make(hitsPerSecond: number) {
	let monotonicMs = 0;
	const drops: { websiteId: number; date: string; reason: string }[] = [];
	const rateLimits = createWebsiteRateLimits({
		hitsPerSecond,
		eventLog: { countDrop: (drop) => drops.push(drop) },
		now: () => new Date('2026-11-15T22:30:00Z'),
		monotonicMs: () => monotonicMs,
	});
	return {
		rateLimits,
		drops,
		pass: (ms: number) => {
			monotonicMs += ms;
		},
		/** How many of so many single hits are taken. */
		send(website: TrackedWebsite, hits: number) {
			let taken = 0;
			for (let n = 0; n < hits; n++) {
				try {
					rateLimits.check(website.id);
					rateLimits.take(website, 1);
					taken++;
				} catch (error) {
					assert.ok(error instanceof AppError && error.code === 'too_many_requests');
				}
			}
			return taken;
		},
	};
}

test('[T30] ten seconds of the limit at once, then the limit; every refusal is counted', () => {
	const { send, pass, drops } = make(20);
	const website = websiteOf(7);
	assert.equal(send(website, 2_000), 200);
	for (let second = 0; second < 30; second++) {
		pass(1_000);
		assert.equal(send(website, 200), 20);
	}
	assert.equal(drops.length, 1_800 + 30 * 180);
	assert.deepEqual(drops[0], { websiteId: 7, date: '2026-11-16', reason: 'over_budget' });
	assert.equal(send(websiteOf(8), 200), 200, 'another has its own');
	pass(3_600_000);
	assert.equal(send(website, 2_000), 200, 'no more is kept than for the burst');
});

test('[T30] the limit of its account replaces the default, also when it changes', () => {
	const { send, pass } = make(20);
	assert.equal(send(websiteOf(7, 100), 5_000), 1_000);
	pass(1_000);
	assert.equal(send(websiteOf(7, 100), 5_000), 100);
	pass(1_000);
	assert.equal(send(websiteOf(7, 5), 5_000), 50);
	pass(1_000);
	assert.equal(send(websiteOf(7, 5), 5_000), 5);
});

test('[T30] a list may take more than is left, and the balance becomes negative', () => {
	const { rateLimits, send, pass, drops } = make(20);
	const website = websiteOf(7);
	rateLimits.take(website, 199);
	rateLimits.take(website, 1_000);
	assert.throws(
		() => rateLimits.take(website, 50),
		(error) => error instanceof AppError && error.retryAfterSeconds === 50,
	);
	assert.equal(drops.length, 50);
	pass(50_000);
	assert.equal(send(website, 20), 1);
});

test('[T30] the website is read from the first bytes, as the tracker writes them', () => {
	const cases: [string, number | undefined][] = [
		['{"w":42,"i":"0f3a9c5be2d17468"}', 42],
		['{"w":42}', 42],
		[' { "w" : 42 , "n":"x"}', 42],
		[`{"w":123456789012345,"u":"${'x'.repeat(1_000)}"}`, 123_456_789_012_345],
		['{"i":"0f","w":42}', undefined],
		['{"w":"42"}', undefined],
		['{"w":4.2}', undefined],
		['{"w":42', undefined],
		['{"w":042}', undefined],
		['{"w":-1}', undefined],
		['{"w":1e3}', undefined],
		['', undefined],
		['[]', undefined],
	];
	for (const [body, id] of cases) assert.equal(peekWebsiteId(Buffer.from(body)), id, body);
	assert.equal(peekWebsiteId(undefined), undefined);
});
