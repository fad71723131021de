import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Counts, noCounts } from '../question/metrics.ts';
import type { CountedSpan } from './overview-lines.ts';
import { sumRows, toRow } from './overview-rows.ts';

const website = {
	id: 1,
	domain: 'a.example',
	favoritePosition: null,
	labels: [],
	timezone: 'UTC',
	privacy: 1 as const,
	lastDate: null,
};

const metrics = ['visitors', 'visits'] as const;

/** `null`: part of the span is no longer available. */
function rowOf(visitors: number | null, compared: number | null) {
	const spanOf = (count: number | null): CountedSpan => ({
		span: { from: '2026-11-01', to: '2026-11-07', startMs: null, endMs: null },
		counts: count === null ? null : ({ ...noCounts, visitors: count } satisfies Counts),
		lacking: new Set(['visits']),
	});
	const line = {
		...{ website, now: 0, hasGoal: false, own: spanOf(visitors), compared: spanOf(compared) },
		sparkline: () => [],
	};
	return toRow(line, { metrics });
}

const sum = (...rows: ReturnType<typeof rowOf>[]) => sumRows(rows, { metrics, isCompared: true });

test('[C-OVER-12] totals are compared only if both sums cover the same websites', () => {
	assert.deepEqual(
		[sum(rowOf(100, 100), rowOf(20, 10))].map(({ values, comparedValues }) => [
			values.visitors,
			comparedValues?.visitors,
		]),
		[[120, 110]],
	);
	for (const gone of [rowOf(null, 900), rowOf(5, null), rowOf(null, null)]) {
		const { comparedValues } = sum(rowOf(100, 100), gone);
		assert.equal(comparedValues?.visitors, null);
	}
	assert.equal(sum(rowOf(100, 100), rowOf(null, 900)).values.visitors, 100);
	assert.equal(sum(rowOf(100, 100)).comparedValues?.visits, null);
});
