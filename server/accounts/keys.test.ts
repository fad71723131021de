import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { hasKeyForm, makeKey } from './keys.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const read = (text: string) =>
	[...text].reduce((total, digit) => total * 62n + BigInt(alphabet.indexOf(digit)), 0n);

test('a key has a prefix, 43 characters of chance and a checksum', () => {
	assert.match(makeKey(), /^tm_[0-9A-Za-z]{49}$/);
	for (const random of [
		Buffer.alloc(32),
		Buffer.alloc(32, 0xff),
		Buffer.from('0123456789abcdef'.repeat(2)),
	]) {
		const key = makeKey(random);
		assert.equal(key.length, 52);
		assert.equal(read(key.slice(3, 46)), BigInt(`0x${random.toString('hex')}`), 'no bit is lost');
		assert.equal(read(key.slice(46)), BigInt(crc32(key.slice(0, 46))));
	}
});

test('ten thousand keys are ten thousand different ones, all of the right form', () => {
	const keys = new Set(Array.from({ length: 10_000 }, () => makeKey()));
	assert.equal(keys.size, 10_000);
	for (const key of keys) assert.ok(hasKeyForm(key), key);
});

test('a mistyped key is told by its checksum', () => {
	const key = makeKey();
	for (let place = 3; place < key.length; place++) {
		const other = key[place] === 'a' ? 'b' : 'a';
		assert.ok(!hasKeyForm(key.slice(0, place) + other + key.slice(place + 1)), `changed at ${place}`);
		assert.ok(!hasKeyForm(key.slice(0, place) + key.slice(place + 1)), `missing at ${place}`);
		const swapped = key.slice(0, place - 1) + key[place] + key[place - 1] + key.slice(place + 1);
		if (swapped !== key) assert.ok(!hasKeyForm(swapped), `swapped at ${place}`);
	}
	for (const text of [
		'',
		'tm_',
		key.toLowerCase(),
		key.toUpperCase(),
		` ${key}`,
		`${key} `,
		`${key}\n`,
		key.slice(3),
	])
		assert.ok(!hasKeyForm(text), JSON.stringify(text));
});
