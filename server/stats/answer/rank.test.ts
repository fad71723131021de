import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../test/support/random.ts';
import { noCounts } from '../question/metrics.ts';
import type { Breakdown } from '../question/question.ts';
import { compareBytes, type RankedRow, rank } from './rank.ts';

test('texts are ordered by their bytes, as ClickHouse orders them', (t) => {
	const random = seededRandom();
	t.diagnostic(`SEED=${random.seed}`);
	const characters = ['a', 'b', 'A', '/', 'é', 'ÿ', '世', '\u{fffd}', '\u{e000}', '😀', '𝒜', ''];
	const text = () => Array.from({ length: random.whole(5) }, () => random.pick(characters)).join('');
	for (let round = 0; round < 5_000; round++) {
		const [a, b] = [text(), text()];
		const expected = Buffer.compare(Buffer.from(a), Buffer.from(b));
		assert.equal(Math.sign(compareBytes(a, b)), expected, JSON.stringify([a, b]));
	}
});

const breakdown: Breakdown = {
	dimension: { name: 'page' },
	sort: { by: 'visits', descending: true },
	search: null,
	offset: 0,
	limit: 10,
};
const row = (value: string, visits: number, isOther = false): RankedRow => ({
	value,
	isOther,
	counts: { ...noCounts, visits },
});

test('rows of several sources are summed, then sorted: others last, ties by value, empty rows left out', () => {
	const lists = [
		[row('/b', 1), row('/a', 2), row('/none', 0)],
		[row('/b', 1), row('/c', 3), row('', 9, true)],
	];
	const read = { own: lists, compared: [] };
	const { rows, total } = rank(read, breakdown, ['visits']);
	assert.deepEqual(
		rows.map(({ value, counts }) => [value, counts.visits]),
		[
			['/c', 3],
			['/a', 2],
			['/b', 2],
			['', 9],
		],
	);
	assert.equal(total, 4);
	const page = rank(read, { ...breakdown, offset: 1, limit: 1 }, ['visits']);
	assert.deepEqual([page.rows.map(({ value }) => value), page.total], [['/a'], 4]);
	assert.equal(lists[0]?.[0]?.counts.visits, 1, 'rows that are kept do not change');
});

test('compared rows: values of either span, sorted by the metric or by its change', () => {
	const read = {
		own: [[row('/same', 4), row('/new', 3), row('/less', 1)], [row('/same', 1)]],
		compared: [[row('/same', 5), row('/less', 9), row('/gone', 2), row('', 1, true)]],
	};
	const ranked = (sort: Partial<Breakdown['sort']>) =>
		rank(read, { ...breakdown, isCompared: true, sort: { ...breakdown.sort, ...sort } }, ['visits']).rows.map(
			({ value, counts, compared }) => [value, counts.visits, compared?.visits],
		);
	assert.deepEqual(ranked({}), [
		['/same', 5, 5],
		['/new', 3, 0],
		['/less', 1, 9],
		['/gone', 0, 2],
		['', 0, 1],
	]);
	const values = (sort: Partial<Breakdown['sort']>) => ranked(sort).map(([value]) => value);
	assert.deepEqual(values({ descending: false }), ['/less', '/new', '/same', '/gone', ''], 'gone ones last');
	assert.deepEqual(values({ isByChange: true }), ['/new', '/same', '/gone', '/less', '']);
	assert.deepEqual(values({ isByChange: true, descending: false }), ['/less', '/gone', '/same', '/new', '']);
});
