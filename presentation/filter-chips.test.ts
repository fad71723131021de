import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chipsOf, type Filter, filterOf } from './filter-chips.ts';

const filters: Filter[][] = [
	[{ test: 'is', dimension: 'country', values: ['DE', 'AT'] }],
	[{ test: 'contains:i', dimension: 'page', values: ['/Blog'] }],
	[{ test: 'is_set', dimension: 'source', values: [] }],
	[
		{ test: 'is_not', dimension: 'browser', values: ['Chrome'] },
		{ test: 'at_least', dimension: 'property:price', values: ['10'] },
	],
];
for (const chips of filters)
	test(`chips that become a filter are read back from it: ${JSON.stringify(filterOf(chips))}`, () => {
		assert.deepEqual(chipsOf(filterOf(chips)), chips);
	});

test('a filter with alternatives has no chips', () => {
	const either = ['or', ['is', 'country', ['DE']], ['is', 'page', ['/']]];
	for (const filter of [
		either,
		['and', ['is', 'os', ['Linux']], either],
		['not', either],
		'is',
		null,
		['is'],
	])
		assert.equal(chipsOf(filter), undefined);
});
