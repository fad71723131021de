import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitsVitals, formatVital, ratingOf } from './vitals.ts';

const thresholds = { good: 2500, poor: 4000 };
for (const [value, rating] of [
	[0, 'good'],
	[2500, 'good'],
	[2501, 'needs_improvement'],
	[4000, 'needs_improvement'],
	[4001, 'poor'],
] as const)
	test(`${value} is ${rating}`, () => assert.equal(ratingOf({ thresholds }, value), rating));

for (const [name, value, language, text] of [
	['lcp', 2310, 'en', '2.31s'],
	['lcp', 980, 'de', '0,98 Sek.'],
	['inp', 184, 'en', '184ms'],
	['cls', 0.1, 'en', '0.100'],
	['cls', 0.0834, 'de', '0,083'],
	['cls', null, 'en', '–'],
] as const)
	test(`${value} of ${name} in ${language} is ${text}`, () =>
		assert.equal(formatVital(name, value, language).replace(/\s/g, ' '), text));

test('filters of single page views fit, those of visits do not', () => {
	const filter = (dimension: string) => ({ test: 'is', dimension, values: ['x'] }) as const;
	assert.deepEqual(
		['page', 'country', 'os', 'source', 'city', 'property:plan'].map((name) => fitsVitals(filter(name))),
		[true, true, true, false, false, false],
	);
});
