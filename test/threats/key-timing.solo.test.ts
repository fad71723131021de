import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { makeKey } from '../../server/accounts/keys.ts';
import { client } from '../support/client.ts';
import { world } from '../support/world.ts';

/**
 * A byte-by-byte comparison would take a little longer for a key that begins like a real one. Two groups of wrong
 * keys are sent in turn and their times are compared by rank (Mann and Whitney), which is deaf to outliers.
 */
const w = await world({ after });
const { key } = await w.account({ timezone: 'UTC' });
const samples = 600;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** How many standard deviations the ranks of one group are away from those of the other. */
function rankDistance(one: number[], other: number[]): number {
	const ranked = [...one.map((ms) => ({ ms, first: true })), ...other.map((ms) => ({ ms, first: false }))];
	ranked.sort((a, b) => a.ms - b.ms);
	const sum = ranked.reduce((total, { first }, index) => total + (first ? index + 1 : 0), 0);
	const [n, m] = [one.length, other.length];
	const mean = (n * (n + m + 1)) / 2;
	return (sum - mean) / Math.sqrt((n * m * (n + m + 1)) / 12);
}

/** Told apart: by far too many standard deviations for chance, and by more than a network would hide. */
const differ = (one: number[], other: number[]) =>
	Math.abs(rankDistance(one, other)) > 5 && Math.abs(median(one) - median(other)) > 0.1 * median(other);

async function time(wrong: string): Promise<number> {
	const begin = performance.now();
	const { status } = await client(w.base, wrong)('GET', '/account');
	const ms = performance.now() - begin;
	assert.equal(status, 401);
	return ms;
}

const groups: { name: string; make: () => string }[] = [
	{
		name: 'a real key but for its last character',
		make: () => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'),
	},
	{
		name: 'the first half of a real key and a random rest',
		make: () => key.slice(0, 28) + makeKey().slice(28),
	},
	{ name: 'a text with a wrong checksum', make: () => `tm_${randomBytes(40).toString('hex').slice(0, 49)}` },
];
for (const { name, make } of groups)
	test(`[T04] ${name} takes as long as a random key`, async (t) => {
		for (let n = 0; n < 50; n++) await time(makeKey());
		const alike: number[] = [];
		const random: number[] = [];
		for (let n = 0; n < samples; n++) {
			alike.push(await time(make()));
			random.push(await time(makeKey()));
		}
		t.diagnostic(
			`medians ${median(alike).toFixed(3)} and ${median(random).toFixed(3)} ms, ${rankDistance(alike, random).toFixed(2)} deviations`,
		);
		assert.equal(differ(alike, random), false);
	});

test('[T04] the comparison would notice a fifth of the time', () => {
	const noise = () => Array.from({ length: samples }, () => 1 + Math.random());
	assert.equal(differ(noise(), noise()), false);
	assert.equal(
		differ(
			noise().map((ms) => ms + 0.3),
			noise(),
		),
		true,
	);
});
