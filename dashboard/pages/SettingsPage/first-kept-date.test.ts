import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstKeptDate } from './first-kept-date.ts';

for (const [now, zone, months, expected] of [
	['2026-11-15T12:00:00Z', 'UTC', 12, '2025-11-15'],
	['2026-11-15T22:30:00Z', 'Asia/Kathmandu', 1, '2026-10-16'],
	['2026-03-31T12:00:00Z', 'UTC', 1, '2026-02-28'],
	['2028-03-31T12:00:00Z', 'UTC', 1, '2028-02-29'],
	['2026-01-31T12:00:00Z', 'UTC', 2, '2025-11-30'],
	['2026-05-31T00:00:00Z', 'America/New_York', 120, '2016-05-30'],
] as const)
	test(`${months} months before ${now} in ${zone}`, () => {
		assert.equal(firstKeptDate(new Date(now), zone, months), expected);
	});
