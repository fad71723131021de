import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { zipOf } from '../../test/support/zip.ts';
import type { DayTotal, ForeignEvent, ImportSource, Item } from './importer.ts';
import { findImporter } from './importers.ts';
import { readCount, readDate, readTime } from './read-cells.ts';
import { gunzip } from './read-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-import-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

async function read(source: ImportSource, bytes: string | Buffer, zone = 'UTC') {
	const path = join(folder, `file-${++files}`);
	writeFileSync(path, bytes);
	const opened = await findImporter(source).open(path, { zone, domain: 'example.com' });
	const items: Item[] = [];
	for await (const item of opened.items) items.push(item);
	return {
		kind: opened.kind,
		suppliedCounts: opened.suppliedCounts(),
		totals: items.flatMap((item): DayTotal[] => ('total' in item ? [item.total] : [])),
		events: items.flatMap((item): ForeignEvent[] => ('event' in item ? [item.event] : [])),
		skipped: items.flatMap((item) => ('skipped' in item ? [item.skipped] : [])),
	};
}
const isRefused = (source: ImportSource, bytes: string | Buffer, why: RegExp) =>
	assert.rejects(read(source, bytes), (error: Error) => why.test(error.message) && error.name === 'AppError');

test('numbers of other people', () => {
	const cases: [string, number | undefined][] = [
		['12', 12],
		['12.0', 12],
		['', 0],
		['-1', undefined],
		['1e99', undefined],
		['0x10', undefined],
		['NaN', undefined],
		['Infinity', undefined],
		['=1+1', undefined],
		['1,000', undefined],
		['99999999999999', undefined],
	];
	for (const [text, number] of cases) assert.equal(readCount(text), number, text);
});

test('dates of other people', () => {
	const cases: [string, string | undefined][] = [
		['2026-03-29', '2026-03-29'],
		['20260329', '2026-03-29'],
		['2026-02-30', undefined],
		['0001-01-01', undefined],
		['9999-12-31', undefined],
		['29.03.2026', undefined],
		['', undefined],
	];
	for (const [text, date] of cases) assert.equal(readDate(text), date, text);
});

test('times of other people, with and without a zone, also when the clocks change', () => {
	const cases: [string, string, string | undefined][] = [
		['2026-03-29 10:00:00', 'UTC', '2026-03-29T10:00:00.000Z'],
		['2026-03-29T10:00:00.250Z', 'Europe/Berlin', '2026-03-29T10:00:00.250Z'],
		['2026-03-29 10:00:00+02', 'UTC', '2026-03-29T08:00:00.000Z'],
		['2026-03-29 01:59:59', 'Europe/Berlin', '2026-03-29T00:59:59.000Z'],
		['2026-03-29 03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
		// An hour that no clock showed.
		['2026-03-29 02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
		// An hour that clocks showed twice.
		['2026-10-25 02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
		['2026-10-25 03:00:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
		['yesterday', 'UTC', undefined],
	];
	for (const [text, zone, time] of cases) {
		const ms = readTime(text, zone);
		assert.equal(ms === undefined ? undefined : new Date(ms).toISOString(), time, `${text} ${zone}`);
	}
});

test('GA4: a report with a date gives totals, one without says nothing of days', async () => {
	const found = await read(
		'ga4',
		[
			'# ----------------------------------------',
			'# Pages and screens',
			'# Start date: 20260301',
			'# End date: 20260302',
			'Date,Active users,Sessions,Views,Engaged sessions,Average session duration',
			'20260301,10,12,30,8,50.5',
			'20260302,5,6,8,6,10',
			',Grand total,,,,',
			'#',
			'# Start date: 20260301',
			'Nth day,Active users',
			'0000,10',
			'# by page',
			'Date,Page path and screen class,Views,Active users',
			'20260301,/,20,9',
			'20260301,/a,10,3',
			'# by country, without a date',
			'Country,Active users',
			'Germany,12',
			'# by country',
			'Date,Country,Active users',
			'20260301,Germany,7',
			'20260301,Türkiye,3',
			'20260301,Germany,-7',
		].join('\n'),
	);
	assert.equal(found.kind, 'totals');
	assert.deepEqual(found.suppliedCounts, {
		'': ['visitors', 'visits', 'views', 'visit_views', 'bounces', 'seconds'],
		page: ['visitors', 'views', 'visit_views'],
		country: ['visitors'],
	});
	assert.deepEqual(found.skipped, ['said_before', 'no_day', 'bad_number']);
	assert.deepEqual(
		found.totals.map(({ date, dimension, value, counts }) => [date, dimension, value, counts.visitors]),
		[
			['2026-03-01', '', '', 10],
			['2026-03-02', '', '', 5],
			['2026-03-01', 'page', '/', 9],
			['2026-03-01', 'page', '/a', 3],
			['2026-03-01', 'country', 'DE', 7],
			['2026-03-01', 'country', 'TR', 3],
		],
	);
	assert.deepEqual(found.totals[0]?.counts, {
		visitors: 10,
		visits: 12,
		views: 30,
		visit_views: 30,
		bounces: 4,
		seconds: 606,
	});
});

test('GA4: events of BigQuery, a line of JSON each', async () => {
	const event = (name: string, params: Record<string, string>, more: object = {}) =>
		JSON.stringify({
			event_date: '20260301',
			event_timestamp: '1772362800123456',
			event_name: name,
			user_pseudo_id: '123.456',
			event_params: Object.entries(params).map(([key, value]) => ({ key, value: { string_value: value } })),
			device: {
				category: 'mobile',
				operating_system: 'iOS',
				language: 'de-de',
				web_info: { browser: 'Safari' },
			},
			geo: { country: 'Germany', region: 'Berlin', city: 'Berlin' },
			...more,
		});
	const found = await read(
		'ga4',
		[
			event('session_start', { page_location: 'https://example.com/' }),
			event('page_view', { page_location: 'https://example.com/?utm_source=x', page_title: 'Home' }),
			event('sign_up', { page_location: 'https://example.com/', method: 'mail', ga_session_id: '1' }),
			event('page_view', {}),
			'{"broken',
			event('page_view', { page_location: 'https://example.com/' }, { event_timestamp: '-1' }),
		].join('\n'),
	);
	assert.deepEqual(found.skipped, ['no_meaning', 'bad_url', 'bad_row', 'bad_date']);
	assert.deepEqual(
		found.events.map(({ name, url, visitor, country, properties, atMs }) => [
			name,
			url,
			visitor,
			country,
			properties,
			atMs,
		]),
		[
			['', 'https://example.com/?utm_source=x', '123.456', 'DE', {}, 1772362800123],
			['sign_up', 'https://example.com/', '123.456', 'DE', { method: 'mail' }, 1772362800123],
		],
	);
});

test('Simple Analytics: only the first view of somebody has a visitor, robots are left out', async () => {
	const found = await read(
		'simple-analytics',
		[
			'added_iso,hostname,path,query,is_unique,is_robot,document_referrer,utm_source,device_type,browser_name,os_name,country_code,uuid,datapoint',
			'2026-03-01T10:00:00.000Z,example.com,/,,true,false,https://news.example/,,desktop,Firefox,Linux,DE,u1,pageview',
			'2026-03-01T10:01:00.000Z,example.com,/a,,false,false,,mail,desktop,Firefox,Linux,DE,u2,pageview',
			'2026-03-01T10:02:00.000Z,example.com,/a,,false,false,,,desktop,Firefox,Linux,DE,u3,signup',
			'2026-03-01T10:03:00.000Z,example.com,/a,,true,true,,,desktop,Firefox,Linux,DE,u4,pageview',
		].join('\n'),
	);
	assert.deepEqual(found.skipped, ['no_meaning']);
	assert.deepEqual(
		found.events.map(({ visitor, name, url }) => [visitor, name, url]),
		[
			['u1', '', 'https://example.com/'],
			['', '', 'https://example.com/a?utm_source=mail'],
			['', 'signup', 'https://example.com/a'],
		],
	);
});

const visitorsCsv = (...rows: string[]) =>
	['date,visitors,pageviews,bounces,visits,visit_duration', ...rows].join('\n');
const plausibleZip = (text: string | Buffer, name = 'imported_visitors_20260301_20260302.csv') =>
	zipOf([{ name, text }]);

test('[T42] rows that cannot be true are left out, each with its reason; cells are texts and nothing else', async () => {
	const found = await read(
		'plausible',
		zipOf([
			{
				name: 'imported_visitors.csv',
				text: visitorsCsv(
					'2026-03-01,1,2,0,1,9',
					'2026-03-01,-1,2,0,1,9',
					'2026-03-01,1e99,2,0,1,9',
					'2026-13-01,1,1,1,1,1',
					'2026-03-02,1',
				),
			},
			{
				name: 'imported_pages.csv',
				text: 'date,hostname,page,visits,visitors,pageviews\n2026-03-01,a,"=HYPERLINK(""x"")",1,1,1\n2026-03-01,a,"\'; DROP TABLE events; --",1,1,1\n2026-03-01,a,/\0nul\u202e,1,1,1',
			},
			{ name: 'readme.txt', text: 'x' },
		]),
	);
	assert.deepEqual(found.skipped, ['bad_number', 'bad_number', 'bad_date', 'bad_row', 'unknown_file']);
	assert.deepEqual(
		found.totals.filter(({ dimension }) => dimension === 'page').map(({ value }) => value),
		['=HYPERLINK("x")', "'; DROP TABLE events; --", '/nul'],
	);
});

test('[T74] archives that are not what they say are refused before they are unpacked', async () => {
	const bomb = zipOf([{ name: 'imported_visitors.csv', text: Buffer.alloc(64 * 1024 * 1024) }]);
	await isRefused('plausible', bomb, /may be a ZIP bomb/);
	const liar = zipOf([
		{ name: 'imported_visitors.csv', text: Buffer.alloc(4 * 1024 * 1024), claimed: 4_000 },
	]);
	await isRefused('plausible', liar, /cannot be read/);
	const ten = zipOf([{ name: 'imported_visitors.csv', text: 'x'.repeat(100), claimed: 0xffff_fff0 }]);
	await isRefused('plausible', ten, /may be a ZIP bomb/);
	await isRefused('plausible', plausibleZip(visitorsCsv(), '../../imported_visitors.csv'), /cannot be read/);
	await isRefused('plausible', plausibleZip(visitorsCsv(), '/etc/imported_visitors.csv'), /cannot be read/);
	await isRefused('plausible', plausibleZip(visitorsCsv()).subarray(0, 60), /cannot be read/);
	await isRefused('plausible', 'date,visitors', /ZIP/);
	await isRefused('plausible', zipOf([{ name: 'other.csv', text: 'a' }]), /no imported_visitors/);
});

test('[T91] archives whose entries share their bytes are judged as a whole', async () => {
	const rows = Array.from({ length: 20_000 }, (_, at) => `2026-03-01,${at},${at},0,1,9`);
	const packed = zipOf([{ name: 'imported_visitors.csv', text: visitorsCsv(...rows) }]);
	const at = packed.indexOf('PK\u0001\u0002');
	const endAt = packed.indexOf('PK\u0005\u0006');
	const end = Buffer.from(packed.subarray(endAt));
	const many = 100;
	end.writeUInt16LE(many, 8);
	end.writeUInt16LE(many, 10);
	end.writeUInt32LE(many * (endAt - at), 12);
	const entries = Array.from({ length: many }, () => packed.subarray(at, endAt));
	const shared = Buffer.concat([packed.subarray(0, at), ...entries, end]);
	await isRefused('plausible', shared, /may be a ZIP bomb/);
});

test('[T91] a packed log that unpacks to far more than a log, or has no lines, is refused at once', async () => {
	await isRefused(
		'log',
		gzipSync(Buffer.alloc(64 * 1024 * 1024)),
		/200 times its size|line longer than 1 MB/,
	);
	await isRefused('log', gzipSync(Buffer.alloc(64 * 1024 * 1024, '\n')), /200 times its size/);
	const noise = Buffer.from(randomBytes(1024 * 1024).toString('base64'));
	await isRefused('log', gzipSync(noise), /line longer than 1 MB/);
	await isRefused('log', noise, /line longer than 1 MB/);
	const path = join(folder, 'log.gz');
	writeFileSync(path, gzipSync(Buffer.alloc(1024 * 1024)));
	await assert.rejects(async () => {
		for await (const _piece of gunzip(path, 500_000));
	}, /Split it/);
});

test('[T42] text that never ends, has too many columns or another encoding is refused, and UTF-16 is read', async () => {
	await isRefused(
		'plausible',
		plausibleZip(visitorsCsv(`"${'x'.repeat(300_000)}`)),
		/unclosed quotation mark/,
	);
	await isRefused('plausible', plausibleZip(visitorsCsv('"2026-03-01')), /unclosed quotation mark/);
	await isRefused('plausible', plausibleZip(','.repeat(60_000)), /columns/);
	await isRefused('plausible', plausibleZip(','.repeat(1_000_000)), /columns|without an end/);
	await isRefused('plausible', plausibleZip(Buffer.from([0x64, 0x61, 0xff, 0xfe, 0xe9])), /UTF-8/);
	const wide = Buffer.concat([
		Buffer.from([0xff, 0xfe]),
		Buffer.from(visitorsCsv('2026-03-01,1,2,0,1,9'), 'utf16le'),
	]);
	assert.equal((await read('plausible', plausibleZip(wide))).totals.length, 1);
	await isRefused('umami', 'a,b\n1,2', /website_event/);
	await isRefused('simple-analytics', 'a,b\n1,2', /Simple Analytics/);
});

test('Matomo: days of VisitsSummary.get, alone or beside the breakdowns that were asked for', async () => {
	const days = {
		'2026-03-01': {
			nb_uniq_visitors: 10,
			nb_visits: 12,
			nb_actions: 30,
			bounce_count: 4,
			sum_visit_length: 600,
		},
		'2026-03-02': [],
		'2026-03-03': { nb_uniq_visitors: -1, nb_visits: 1 },
	};
	const alone = await read('matomo', JSON.stringify(days));
	assert.deepEqual(alone.skipped, ['bad_number']);
	assert.deepEqual(alone.totals, [
		{
			date: '2026-03-01',
			dimension: '',
			value: '',
			counts: { visitors: 10, visits: 12, views: 30, visit_views: 30, bounces: 4, seconds: 600 },
		},
	]);
	const both = await read(
		'matomo',
		JSON.stringify({
			'VisitsSummary.get': days,
			'Actions.getPageUrls': {
				'2026-03-01': [{ label: '/a', nb_visits: 5, nb_hits: 9, nb_uniq_visitors: 4 }],
			},
			'UserCountry.getCountry': {
				'2026-03-01': [{ label: 'Germany', code: 'de', nb_visits: 12, nb_uniq_visitors: 10 }],
			},
			'Live.getLastVisitsDetails': [],
		}),
	);
	assert.deepEqual(
		both.totals.map(({ dimension, value, counts }) => [dimension, value, counts.visitors, counts.views]),
		[
			['', '', 10, 30],
			['page', '/a', 4, 9],
			['country', 'DE', 10, undefined],
		],
	);
	assert.deepEqual(both.skipped, ['bad_number', 'unknown_file']);
	await isRefused('matomo', '{"result":"error","message":"no access"}', /no access/);
	await isRefused('matomo', '[1]', /period=day/);
	await isRefused('matomo', '{', /not JSON/);
});

test('Fathom: days and hours, whole and by a column', async () => {
	const found = await read(
		'fathom',
		zipOf([
			{
				name: 'site.csv',
				text: 'Timestamp,Pageviews,Visits,Uniques,Avg Duration,Bounce Rate\n2026-03-01 23:00:00,5,4,3,10,50\n2026-03-02,8,6,5,20,0.5\n2026-03-02,-8,6,5,20,0.5',
			},
			{ name: 'pages.csv', text: 'Timestamp,Pathname,Pageviews,Uniques\n2026-03-01,/a,5,3' },
			{ name: 'x.json', text: '{}' },
		]),
		'Europe/Berlin',
	);
	assert.deepEqual(found.skipped, ['bad_number', 'unknown_file']);
	assert.deepEqual(
		found.totals.map(({ date, dimension, value, counts }) => [
			date,
			dimension,
			value,
			counts.visitors,
			counts.bounces,
		]),
		[
			['2026-03-01', '', '', 3, 2],
			['2026-03-02', '', '', 5, 3],
			['2026-03-01', 'page', '/a', 3, undefined],
		],
	);
	await isRefused('fathom', 'a,b\n1,2', /date or timestamp/);
});
