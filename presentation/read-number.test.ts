import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNumber, writeNumber } from './read-number.ts';

for (const [language, text, number] of [
	['en', '1,000', '1000'],
	['en', '1,234,567.89', '1234567.89'],
	['en', '19.99', '19.99'],
	['en', '19,99', '19.99'],
	['en', '-5', '-5'],
	['en', '1.234', '1.234'],
	['de', '1.000', '1000'],
	['de', '1.234,5', '1234.5'],
	['de', '19,99', '19.99'],
	['de', '19.99', '19.99'],
	['de', '1,234', '1.234'],
	['fr', '1 000', '1000'],
	['fr', '1\u202f000,5', '1000.5'],
	['pl', '12,5', '12.5'],
	['ja', '1,000', '1000'],
	['en', 'ten', 'ten'],
	['en', '1,00,0', '1,00,0'],
] as const)
	test(`in ${language}, ${text} is ${number}`, () => {
		assert.equal(readNumber(text, language), number);
	});

test('what is written is read as the same number', () => {
	for (const language of ['en', 'de', 'es', 'fr', 'it', 'ja', 'pl', 'pt', 'zh'])
		for (const number of ['0', '-1', '1000', '1.234', '-19.99', '1234567.891', '0.5'])
			assert.equal(readNumber(writeNumber(number, language), language), number, `${language} ${number}`);
});
