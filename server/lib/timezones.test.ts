import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTimezone } from './timezones.ts';

test('a zone is found by its name, with its letter case mended', () => {
	const cases: [string, string | undefined][] = [
		['Europe/Berlin', 'Europe/Berlin'],
		['europe/berlin', 'Europe/Berlin'],
		['AMERICA/NEW_YORK', 'America/New_York'],
		['america/port-au-prince', 'America/Port-au-Prince'],
		['UTC', 'UTC'],
		['utc', 'UTC'],
		['Etc/GMT+2', 'Etc/GMT+2'],
		['US/Eastern', 'US/Eastern'],
		['Asia/Kolkata', 'Asia/Kolkata'],
		['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
		['+02:00', undefined],
		['-0500', undefined],
		['GMT+2', undefined],
		['UTC+1', undefined],
		['Mars/Base', undefined],
		['Europe//Berlin', undefined],
		['Europe/Berlin ', undefined],
		['../etc/passwd', undefined],
		['', undefined],
	];
	for (const [text, expected] of cases) assert.equal(findTimezone(text), expected, text);
});

test('every zone that the runtime lists is found as it is spelt', () => {
	const zones = Intl.supportedValuesOf('timeZone');
	assert.ok(zones.length > 300);
	for (const zone of zones) assert.equal(findTimezone(zone), zone);
});
