import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateIn, shiftPeriod } from './shift-period.ts';

const today = '2026-11-15';
const named = { from: undefined, to: undefined };

test('arrows go to the period beside this one', () => {
	const cases: [Parameters<typeof shiftPeriod>[0]['period'], string, string, -1 | 1, unknown][] = [
		['7d', '2026-11-09', today, -1, { period: 'custom', from: '2026-11-02', to: '2026-11-08' }],
		['custom', '2026-11-02', '2026-11-08', 1, { period: '7d', ...named }],
		['custom', '2026-11-05', '2026-11-11', 1, { period: '7d', ...named }],
		['30d', '2026-10-17', today, -1, { period: 'custom', from: '2026-09-17', to: '2026-10-16' }],
		['custom', '2026-09-17', '2026-10-16', 1, { period: '30d', ...named }],
		['today', today, today, -1, { period: 'yesterday', ...named }],
		['yesterday', '2026-11-14', '2026-11-14', -1, { period: 'custom', from: '2026-11-13', to: '2026-11-13' }],
		['yesterday', '2026-11-14', '2026-11-14', 1, { period: 'today', ...named }],
		['28d', '2026-10-19', today, -1, { period: 'custom', from: '2026-09-21', to: '2026-10-18' }],
		['custom', '2026-05-20', '2026-08-17', 1, { period: '90d', ...named }],
		['last_week', '2026-11-02', '2026-11-08', -1, { period: 'custom', from: '2026-10-26', to: '2026-11-01' }],
		['custom', '2026-11-14', '2026-11-14', 1, { period: 'today', ...named }],
		['24h', '2026-11-14', today, -1, { period: 'yesterday', ...named }],
		['month', '2026-11-01', today, -1, { period: 'custom', from: '2026-10-01', to: '2026-10-31' }],
		[
			'last_month',
			'2026-10-01',
			'2026-10-31',
			-1,
			{ period: 'custom', from: '2026-09-01', to: '2026-09-30' },
		],
		['custom', '2026-02-01', '2026-02-28', 1, { period: 'custom', from: '2026-03-01', to: '2026-03-31' }],
		['custom', '2026-10-01', '2026-10-31', 1, { period: 'custom', from: '2026-11-01', to: today }],
		['quarter', '2026-10-01', today, -1, { period: 'custom', from: '2026-07-01', to: '2026-09-30' }],
		['6months', '2026-06-01', today, -1, { period: 'custom', from: '2025-12-01', to: '2026-05-31' }],
		['year', '2026-01-01', today, -1, { period: 'custom', from: '2025-01-01', to: '2025-12-31' }],
		['12months', '2025-12-01', today, -1, { period: 'custom', from: '2024-12-01', to: '2025-11-30' }],
		['all', '2026-08-01', today, -1, undefined],
		['30d', '2026-10-17', today, 1, undefined],
		['custom', '2027-01-01', '2027-01-05', 1, undefined],
	];
	for (const [period, from, to, direction, expected] of cases)
		assert.deepEqual(
			shiftPeriod({ period }, { from, to }, today, direction),
			expected,
			`${period} ${from} ${to} ${direction}`,
		);
});

test('a date is that of the website', () => {
	assert.equal(dateIn('Europe/Berlin', '2026-11-14T23:30:00Z'), '2026-11-15');
	assert.equal(dateIn('America/New_York', '2026-11-15T04:30:00Z'), '2026-11-14');
});
