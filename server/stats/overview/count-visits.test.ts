import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countNames } from '../../derive/counts.ts';
import { render } from '../../store/sql.ts';
import { toZones } from '../../websites/zones.ts';
import type { Goal } from '../question/question.ts';
import { readFilter } from '../question/read-filter.ts';
import { countPieces, type DayCountPiece } from './count-visits.ts';

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Asia/Tokyo', 'Pacific/Apia'];
const tests = Array.from({ length: 49 }, (_, n) => [
	...['contains', n % 2 === 0 ? 'page' : `property:p${n}`, ['x', 'y']],
	{ case_sensitive: false },
]);

for (const filter of [
	null,
	['is', 'country', ['DE']],
	['is', 'page', ['/a']],
	['and', ['or', ...tests], ['is', 'hour', [3]]],
])
	test(`[C-OVER-10] no statement is longer than a server accepts: ${JSON.stringify(filter).slice(0, 30)}`, async () => {
		// Nothing that could be shared is the same.
		const pieces = Array.from(
			{ length: 18 },
			(_, n): DayCountPiece => ({
				website: { id: n + 1, zones: toZones([{ from: '0001-01-01', zone: zones[n % zones.length] ?? '' }]) },
				date: '2026-11-15',
				timing: { startMs: null, endMs: 1_000 + n },
				visits: { from: 'events', sinceMs: n },
				...{ size: 1, stamp: null },
			}),
		);
		const goals = new Map(
			pieces.map(({ website: { id } }): [number, Goal] => [
				id,
				{
					...{ id, revision: id, name: 'Sale', kind: 'event', pattern: `buy${id}` },
					property: { name: 'plan', value: '1', test: 'contains' },
				},
			]),
		);
		const lengths: number[] = [];
		await countPieces(
			async (statement) => {
				lengths.push(render(statement).query.length);
				return [];
			},
			pieces,
			{ names: countNames, filter: filter && readFilter(filter, []), goals },
		);
		assert.ok(lengths.length > 1 && Math.max(...lengths) < 128 * 1024, String(lengths));
	});
