import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countWeek, piecesOf } from './hours.ts';

test('a time of up to 93 dates is one piece', () => {
	assert.deepEqual(piecesOf('2026-11-15', '2026-11-15'), {
		pieces: [{ from: '2026-11-15', to: '2026-11-15' }],
		isCut: false,
	});
	assert.deepEqual(piecesOf('2026-08-15', '2026-11-15').pieces, [{ from: '2026-08-15', to: '2026-11-15' }]);
});

test('a longer one is pieces without a gap or a date twice', () => {
	const { pieces, isCut } = piecesOf('2026-01-01', '2026-11-15');
	assert.equal(isCut, false);
	assert.deepEqual(pieces, [
		{ from: '2026-01-01', to: '2026-04-03' },
		{ from: '2026-04-04', to: '2026-07-05' },
		{ from: '2026-07-06', to: '2026-10-06' },
		{ from: '2026-10-07', to: '2026-11-15' },
	]);
});

test('of more than a year the last 52 weeks are query, and that is said', () => {
	const { pieces, isCut } = piecesOf('2020-01-01', '2026-11-15');
	assert.equal(isCut, true);
	assert.equal(pieces[0]?.from, '2025-11-17');
	assert.equal(pieces.at(-1)?.to, '2026-11-15');
	assert.equal(pieces.length, 4);
});

test('points are counted by what the clock of the website shows, the doubled hour twice', () => {
	const week = countWeek([
		{ time: '2026-10-25T02:00:00+02:00', visits: 3 },
		{ time: '2026-10-25T02:00:00+01:00', visits: 4 },
		{ time: '2026-11-02T23:00:00+01:00', visits: 5 },
		{ time: '2026-11-09T23:00:00+01:00', visits: 1 },
		{ time: '2026-11-09T22:00:00+01:00', visits: null },
	]);
	assert.equal(week[6]?.[2], 7);
	assert.equal(week[0]?.[23], 6);
	assert.equal(
		week.flat().reduce((sum, one) => sum + one),
		13,
	);
});
