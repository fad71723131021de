import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../test/support/random.ts';
import { createEventKeys, eventKey, keyOfWords } from './event-keys.ts';

const largest = 2n ** 64n - 1n;

test('a set of events answers as a set of texts does, however far it grows', (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const keys = createEventKeys();
	const texts = new Set<string>();
	const bits = () => BigInt(random.whole(2 ** 32));
	const ids = [0n, 1n, 2n ** 32n, 2n ** 32n - 1n, largest, largest - 1n, 2n ** 53n, 2n ** 53n + 1n];
	for (let step = 0; step < 60_000; step++) {
		const website = random.pick([1, 2, 255, 256, 2 ** 32 - 1]);
		// Near ones too: they differ in one half, or in the website alone.
		const id = String(random.pick([...ids, bits() % 5_000n, (bits() << 32n) | bits()]));
		const [key, text] = [eventKey(website, id), `${website} ${id}`];
		assert.equal(keys.has(key), texts.has(text), text);
		assert.equal(keys.add(key), !texts.has(text), text);
		texts.add(text);
	}
	assert.equal(keys.size(), texts.size);
	for (const text of texts) {
		const [website = '', id = ''] = text.split(' ');
		assert.ok(keys.has(eventKey(Number(website), id)), text);
	}
	assert.ok(!keys.has(eventKey(3, '0')), 'an id of another website');
});

test('a key made of its halves is the key made of its text', () => {
	assert.deepEqual(
		keyOfWords(7, 0x89abcdef, 0x01234567),
		eventKey(7, String(0x0123456789abcdefn)),
		'lower half first',
	);
});

test('ids that were made to be alike stand apart: the longest way to one is short', () => {
	// Only the upper half differs: where the place is taken from the lower bits, all of them stand in one run.
	const keys = createEventKeys();
	const places = new Set<number>();
	for (let n = 0; n < 10_000; n++) {
		const key = eventKey(1, String(BigInt(n) << 48n));
		places.add(key.hash & 16_383);
		keys.add(key);
	}
	// 10,000 thrown into 16,384 at random meet 7,500 different ones.
	assert.ok(places.size > 6_500, `${places.size} places`);
	assert.equal(keys.size(), 10_000);
});
