import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatExact, formatRelative } from './format.ts';
import { axisOf, changeOf, changesOf, formatMetric, type Value } from './metrics.ts';
import type { MetricName } from './view-query.ts';

test('up is good only where more is better, and no difference that shows is none', () => {
	const cases: [MetricName, Value, Value, string | undefined][] = [
		['visitors', 112, 100, 'up good 12% share'],
		['visitors', 88, 100, 'down bad 12% share'],
		['visitors', 100, 100, 'same - 0% share'],
		['visitors', 5, 0, undefined],
		['visitors', null, 5, undefined],
		['bounce_rate', 0.44, 0.41, 'up bad 3.0 points'],
		['bounce_rate', 0.41, 0.44, 'down good 3.0 points'],
		['bounce_rate', 0.4104, 0.41, 'same - 0.0 points'],
		['visit_duration', 138, 144, 'down bad 6s seconds'],
		['views_per_visit', 2.4, 2.3, 'up good 0.1 number'],
		['revenue', { EUR: 5 }, { EUR: 4 }, undefined],
	];
	for (const [name, present, past, expected] of cases) {
		const change = changeOf(name, present, past, 'en');
		const quality = change?.isGood === undefined ? '-' : change.isGood ? 'good' : 'bad';
		const told = change && `${change.direction} ${quality} ${change.by.text} ${change.by.kind}`;
		assert.equal(told, expected, `${name} ${JSON.stringify(present)} ${JSON.stringify(past)}`);
	}
});

test('an axis has a few lines at round numbers, and reaches what is drawn', () => {
	const cases: [MetricName, number, number[]][] = [
		['visitors', 0, [0, 1]],
		['visitors', 3, [0, 1, 2, 3]],
		['visitors', 1371, [0, 500, 1000, 1500]],
		['bounce_rate', 0, [0, 0.25]],
		['bounce_rate', 0.41, [0, 0.2, 0.4, 0.6]],
		['visit_duration', 138, [0, 60, 120, 180]],
		['views_per_visit', 2.4, [0, 1, 2, 3]],
	];
	for (const [name, most, expected] of cases)
		assert.deepEqual(axisOf(name, most), expected, `${name} ${most}`);
});

test('a second axis has as many lines as the first', () => {
	assert.deepEqual(axisOf('pageviews', 3_960, [0, 500, 1000, 1500]), [0, 2000, 4000, 6000]);
	assert.deepEqual(axisOf('bounce_rate', 0.07, [0, 1, 2]), [0, 0.05, 0.1]);
	assert.deepEqual(axisOf('visits', 0, [0, 1, 2, 3]), [0, 1, 2, 3]);
});

test('money changes by currency', () => {
	const told = changesOf('revenue', { EUR: 12 }, { EUR: 10, USD: 4 }, 'en');
	assert.deepEqual(
		told.map(({ change, before }) => `${change.direction} ${change.by.text} ${before}`),
		['up 20% €10.00', 'down 100% $4.00'],
	);
	assert.deepEqual(changesOf('revenue', { EUR: 12 }, {}, 'en'), []);
	assert.equal(changesOf('visitors', 2, 1, 'en').length, 1);
});

test('a value is written in what it is measured in', () => {
	assert.equal(formatMetric('visitors', 28412, 'en'), '28,412');
	assert.equal(formatMetric('bounce_rate', 0.413, 'en'), '41%');
	assert.equal(formatMetric('visit_duration', 138, 'en'), '2m 18s');
	assert.equal(formatMetric('visit_duration', 3_660, 'en'), '1h 01m');
	assert.equal(formatMetric('visit_duration', 138, 'de'), '2m 18s');
	assert.equal(formatMetric('visit_duration', 138, 'fr'), '2min 18s');
	assert.equal(formatMetric('visit_duration', 65, 'ja'), '1 分 05 秒');
	assert.equal(formatMetric('scroll_depth', 63, 'en'), '63%');
	assert.equal(formatMetric('revenue', { EUR: 49.9, USD: 1200 }, 'en'), '$1,200 + €49.90');
	assert.equal(formatMetric('revenue', {}, 'en'), '–');
	assert.equal(formatMetric('visits', null, 'en'), '–');
});

test('a moment is told from now, and exactly with its zone', () => {
	const now = new Date('2026-11-18T12:00:00Z');
	for (const [iso, expected] of [
		['2026-11-18T11:59:30Z', 'now'],
		['2026-11-18T11:55:00Z', '5 min. ago'],
		['2026-11-18T09:10:00Z', '2 hr. ago'],
		['2026-11-17T11:00:00Z', 'yesterday'],
		['2026-11-08T12:00:00Z', '10 days ago'],
		['2026-08-01T12:00:00Z', '3 mo. ago'],
		['2024-11-01T12:00:00Z', '2 yr. ago'],
		['2026-11-18T14:00:00Z', 'in 2 hr.'],
	] as const)
		assert.equal(formatRelative(iso, now, 'en'), expected, iso);
	assert.equal(formatRelative('2026-11-18T11:55:00Z', now, 'de'), 'vor 5 Min.');
	assert.match(formatExact('2026-11-18T11:55:07Z', 'en'), /^Nov 18, 2026, \d\d:\d\d:07\s?[AP]M \S+$/);
});
