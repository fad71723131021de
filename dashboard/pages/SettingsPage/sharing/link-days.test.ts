import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfDay, lastDayOf } from './link-days.ts';

test('a link works until the end of its last day, also at the end of a month and on days when clocks change', () => {
	for (const day of ['2026-11-30', '2026-12-31', '2027-02-28', '2026-03-29', '2026-10-25', '2026-11-01']) {
		assert.equal(lastDayOf(endOfDay(day)), day);
		assert.equal(new Date(endOfDay(day)).getHours(), 0);
	}
});
