import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldCase, foldsInto } from './ignore-case.ts';

const pairs: [string, string, boolean][] = [
	['Straße', 'STRASSE', false],
	['Straße', 'STRAẞE', true],
	['ΣΊΣΥΦΟΣ', 'σίσυφος', true],
	['Ünïcode', 'üNÏCODE', true],
	['K', '\u212a', true],
	['s', 'ſ', true],
	['i', 'İ', false],
	['i', 'ı', false],
	['I', 'i', true],
	['ﬁ', 'FI', false],
	['Ǆ', 'ǅ', true],
	['𐐀', '𐐨', true],
	['Ꭰ', 'ꭰ', true],
	['/a%_\\*', '/A%_\\*', true],
	['', '', true],
];
for (const [a, b, isSame] of pairs)
	test(`${a} and ${b} are ${isSame ? 'the same' : 'different'} without case`, () => {
		assert.equal(foldCase(a) === foldCase(b), isSame);
		assert.equal(foldCase(foldCase(a)), foldCase(a));
	});

test('characters are the same exactly if JavaScript takes them for the same', () => {
	const isWhole = (code: number) => code < 0xd800 || code > 0xdfff;
	const characters = Array.from({ length: 0x110000 }, (_, code) => code)
		.filter(isWhole)
		.map((code) => String.fromCodePoint(code));
	const all = characters.join('');
	const byFolded = Map.groupBy(characters, foldCase);
	let count = 0;
	for (const [folded, same] of byFolded) {
		// A character without case: only those are worth a search that may have another.
		if (same.length === 1 && folded.toLowerCase() === folded && folded.toUpperCase() === folded) continue;
		count++;
		assert.deepEqual(all.match(new RegExp(RegExp.escape(folded), 'giu'))?.sort(), same.sort(), folded);
	}
	assert.ok(count > 1_300, `${count} letters have cases`);
});

test('only characters that matter are folded', () => {
	assert.deepEqual(foldsInto(['/123']), { from: '', to: '' });
	assert.deepEqual(foldsInto(['as']), { from: 'ASſ', to: 'ass' });
	assert.deepEqual(foldsInto(['σ', 'ß']), { from: 'Σςẞ', to: 'σσß' });
});
