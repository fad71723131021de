import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '../../server/lib/local-dates.ts';
import { findDue, maxLateMs, periodAround, periodBefore } from '../../server/reports/periods.ts';

const hour = 3_600_000;

/** Zones whose clocks were set on days that matter, and those with odd offsets. */
const zones = [
	...['UTC', 'Europe/Berlin', 'Europe/Dublin', 'America/New_York', 'America/Santiago', 'America/Sao_Paulo'],
	...['America/St_Johns', 'America/Havana', 'Australia/Lord_Howe', 'Australia/Adelaide', 'Africa/Cairo'],
	...['Africa/Casablanca', 'Asia/Beirut', 'Asia/Gaza', 'Asia/Kathmandu', 'Asia/Tehran', 'Asia/Kolkata'],
	...['Pacific/Apia', 'Pacific/Chatham', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Antarctica/Troll'],
];

const clocks = new Map(
	zones.map((zone) => [
		zone,
		new Intl.DateTimeFormat('sv-SE', {
			...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
			...{ hour: '2-digit', minute: '2-digit' },
		}),
	]),
);
/** `2026-11-15 07:00`, as the clock on the wall shows it. */
const shown = (zone: string, ms: number) => clocks.get(zone)?.format(ms) ?? '';

test('[F33] a week is Monday to Sunday, a month is a month; beside each stand the one before and the one a year ago', () => {
	const cases: [Parameters<typeof periodAround>, string[]][] = [
		[
			['week', '2026-11-15'],
			['2026-11-09', '2026-11-15', '2026-11-02', '2026-11-08', '2025-11-10', '2025-11-16'],
		],
		[
			['week', '2026-11-09'],
			['2026-11-09', '2026-11-15', '2026-11-02', '2026-11-08', '2025-11-10', '2025-11-16'],
		],
		// Over the end of a year.
		[
			['week', '2027-01-01'],
			['2026-12-28', '2027-01-03', '2026-12-21', '2026-12-27', '2025-12-29', '2026-01-04'],
		],
		// With a leap day in it.
		[
			['week', '2028-02-29'],
			['2028-02-28', '2028-03-05', '2028-02-21', '2028-02-27', '2027-03-01', '2027-03-07'],
		],
		[
			['month', '2028-02-29'],
			['2028-02-01', '2028-02-29', '2028-01-01', '2028-01-31', '2027-02-01', '2027-02-28'],
		],
		[
			['month', '2029-02-10'],
			['2029-02-01', '2029-02-28', '2029-01-01', '2029-01-31', '2028-02-01', '2028-02-29'],
		],
		[
			['month', '2027-01-31'],
			['2027-01-01', '2027-01-31', '2026-12-01', '2026-12-31', '2026-01-01', '2026-01-31'],
		],
		[
			['month', '2026-03-31'],
			['2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28', '2025-03-01', '2025-03-31'],
		],
	];
	for (const [[kind, date], expected] of cases) {
		const { from, to, before, yearAgo } = periodAround(kind, date);
		assert.deepEqual(
			[from, to, before.from, before.to, yearAgo.from, yearAgo.to],
			expected,
			`${kind} ${date}`,
		);
	}
	assert.equal(periodBefore('week', '2026-11-16').from, '2026-11-09');
	assert.equal(periodBefore('week', '2026-11-15').from, '2026-11-02', 'this week is not over on its Sunday');
	assert.equal(periodBefore('month', '2027-01-01').from, '2026-12-01');
});

/** The first minute of a date from 07:00 on, found by looking at the clock. */
function lookFor(zone: string, day: string): number {
	for (let ms = Date.parse(`${day}T07:00:00Z`) - 15 * hour; ; ms += 60_000) {
		const [date = '', time = ''] = shown(zone, ms).split(' ');
		if (date > day || (date === day && time >= '07:00')) return ms;
	}
}

test('[F33] due at 07:00 on the clock of the zone, on every Monday and 1st near a day on which clocks are set', () => {
	const days = [
		...['2026-03-30', '2026-10-26', '2026-03-09', '2026-11-02', '2026-11-01', '2026-04-06', '2026-10-05'],
		...['2026-09-07', '2026-02-16', '2026-04-01', '2026-10-01', '2028-02-29', '2028-03-01', '2027-01-01'],
		...['2011-12-26', '2012-01-01', '2012-01-02', '2026-12-28', '2027-01-04', '2028-02-28', '2024-04-26'],
	].filter((day) => day.endsWith('-01') || new Date(`${day}T00:00:00Z`).getUTCDay() === 1);
	assert.ok(days.length > 15);
	for (const zone of zones)
		for (const day of days) {
			const at = lookFor(zone, day);
			assert.equal(shown(zone, at), `${day} 07:00`);
			const of = (ms: number) => findDue([zone], ms).filter((one) => one.day === day);
			assert.deepEqual(of(at - 1), [], `${zone} ${day}: not before`);
			const due = of(at);
			assert.ok(due.length > 0, `${zone} ${day}`);
			for (const one of due) assert.equal(one.atMs, at, `${zone} ${day}`);
			assert.deepEqual(of(at + maxLateMs - 1), due, 'as long as it is not too late');
			assert.deepEqual(of(at + maxLateMs), [], 'then it is left out');
		}
});

test('[F33] [T78] over four years every period of every zone is due once, whatever the clock does', () => {
	for (const zone of zones) {
		const seen = new Map<string, number>();
		const [start, end] = [Date.parse('2024-12-20T00:00:00Z'), Date.parse('2029-01-20T00:00:00Z')];
		// Looked at by the half hour, as somebody who is never off.
		for (let ms = start; ms < end; ms += hour / 2) {
			// Only where something could begin: most half hours are like the one before.
			const time = shown(zone, ms).slice(11);
			if (time < '06:00' || time > '09:00') continue;
			for (const { period, atMs } of findDue([zone], ms)) {
				const key = `${period.kind} ${period.from}`;
				assert.equal(seen.get(key) ?? atMs, atMs, `${zone} ${key} is due at one instant`);
				seen.set(key, atMs);
			}
		}
		const weeks = [...seen.keys()].filter((key) => key.startsWith('week')).sort();
		for (const [index, key] of weeks.slice(1).entries())
			assert.equal(key.slice(5), addDays(weeks[index]?.slice(5) ?? '', 7), `${zone}: no week is left out`);
		const months = [...seen.keys()].filter((key) => key.startsWith('month'));
		assert.equal(months.length, 49, `${zone}: no month is left out`);
		assert.equal(weeks.length, 213, zone);
	}
});

test('[F33] a 1st that never was is reported on when the next date begins', () => {
	// Kiritimati went over the date line at the end of 1994.
	const missing = ['1994-12-31', '1995-01-01'].find(
		(day) =>
			!Array.from({ length: 96 }, (_, n) =>
				shown('Pacific/Kiritimati', Date.parse(`${day}T12:00:00Z`) + (n - 48) * hour),
			).some((text) => text.startsWith(day)),
	);
	assert.ok(missing, 'a date is missing');
	const at = Date.parse('1995-01-02T00:00:00Z') + 17 * hour;
	const due = findDue(['Pacific/Kiritimati'], at).filter(({ period }) => period.kind === 'month');
	assert.equal(due.length, 1);
	assert.equal(due[0]?.period.from, '1994-12-01');
});
