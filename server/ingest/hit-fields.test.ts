import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isFault, isWebsiteId, readAmount, readCurrency, readId } from './hit-fields.ts';
import { readWebsiteId } from './parse-hit.ts';

test('[T75] only ids that a row can hold are ids of websites', () => {
	for (const id of [1, 42, 4_294_967_295]) assert.equal(readWebsiteId({ w: id }), id);
	const refused = [0, -1, 0.5, 4_294_967_296, 2 ** 53, 2 ** 64, 1e300, Number.NaN, '1', true, null, [1], {}];
	for (const id of refused) assert.ok(isFault(readWebsiteId({ w: id })), String(id));
	for (const body of [null, undefined, 1, 'w', [], { W: 1 }]) assert.ok(isFault(readWebsiteId(body)));
	fc.assert(
		fc.property(fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger()), (id) => {
			assert.equal(isWebsiteId(id), Number.isInteger(id) && id >= 1 && id < 2 ** 32);
		}),
	);
});

test('[T75] ids of events are 64 bits, whatever is sent', () => {
	assert.equal(readId('ffffffffffffffff'), '18446744073709551615');
	assert.equal(readId('0000000000000001'), '1');
	const ids = ['00000000000000ff', '00000000000000FF', 'ff', 'FF', '0ff', '0', '0000000000000000'].map(
		readId,
	);
	assert.equal(ids[0], '255');
	assert.equal(new Set(ids).size, ids.length, 'ids that differ as text are different events');
	assert.ok(isFault(readId('')));
	assert.ok(isFault(readId('x'.repeat(65))));
	fc.assert(
		fc.property(fc.string({ minLength: 1, maxLength: 64, unit: 'binary' }), (text) => {
			const id = readId(text);
			if (isFault(id)) return assert.ok(text.length > 64);
			assert.ok(BigInt(id) > 0n && BigInt(id) < 2n ** 64n);
			assert.equal(readId(text), id);
		}),
	);
});

for (const [sent, amount] of [
	['19.99', '19.99'],
	['19.90', '19.9'],
	['100', '100'],
	['0', '0'],
	['-0.00', '0'],
	['-0.00004', '0'],
	['+7', '7'],
	[' 7 ', '7'],
	['007.50', '7.5'],
	['0.99995', '1'],
	['-1.23456', '-1.2346'],
	['99999999999999.9999', '99999999999999.9999'],
	[19.99, '19.99'],
	[0.1 + 0.2, '0.3'],
	[1e-9, '0'],
	[123_456_789_012, '123456789012'],
	[-5.5, '-5.5'],
] as const)
	test(`an amount of ${JSON.stringify(sent)} is ${amount}`, () => assert.equal(readAmount(sent), amount));

test('[T75] what is no amount, or too large for its column, is refused', () => {
	const refused = [
		'',
		'.',
		'1.',
		'.5',
		'1,5',
		'1e3',
		'0x1',
		'Infinity',
		'NaN',
		'١',
		'99999999999999.99995',
		'1'.repeat(31),
	];
	for (const sent of [...refused, 1e15, 1e300, Number.NaN, Number.NEGATIVE_INFINITY, true, null, {}, ['1']])
		assert.ok(isFault(readAmount(sent)), String(sent));
});

test('currencies of ISO 4217, in either case', () => {
	assert.deepEqual(['EUR', 'usd', ' JPY '].map(readCurrency), ['EUR', 'USD', 'JPY']);
	for (const sent of ['', 'EU', 'EURO', '€', 'XXQ', 978, null, '__proto__'])
		assert.ok(isFault(readCurrency(sent)), String(sent));
});
