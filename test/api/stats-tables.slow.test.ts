import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { dimensions } from '../../server/stats/question/dimensions.ts';
import { metrics } from '../../server/stats/question/metrics.ts';
import { type Call, client } from '../support/client.ts';
import { assertProblem } from '../support/contract.ts';
import { bodyOf, csv, dataOf, days, openShop, problemOf, valuesOf } from '../support/shop.ts';

const { w, owner, shop, signup, reads, website, get } = await openShop({ after });

test('[C-DEF-1] every metric is listed, and can be asked for', async () => {
	const list = dataOf(await owner.api('GET', '/metrics')) as Record<string, unknown>[];
	assert.deepEqual(
		list.map(({ name }) => name),
		Object.keys(metrics),
	);
	for (const metric of list) {
		assert.deepEqual(Object.keys(metric), ['name', 'label', 'definition', 'unit', 'needs_goal']);
		const plain = await get(`?period=7d&metrics=${metric.name}`);
		assert.equal(plain.status, metric.needs_goal ? 422 : 200);
		assert.equal((await get(`?period=7d&metrics=${metric.name}&goal=${signup}`)).status, 200);
	}
});

test('[C-DEF-2] every dimension is listed, and can be asked for', async () => {
	const list = dataOf(await owner.api('GET', '/dimensions')) as Record<string, unknown>[];
	assert.deepEqual(
		list.map(({ name }) => name),
		[...Object.keys(dimensions), 'property:NAME'],
	);
	for (const dimension of list) {
		assert.deepEqual(Object.keys(dimension), ['name', 'label', 'definition', 'scope']);
		assert.equal((await get(`/${dimension.name}?period=7d`)).status, 200, String(dimension.name));
	}
});

test('[C-DEF-3] keys of all kinds may read them, and nobody else', async () => {
	for (const rights of [{ access: 'read' as const }, { websites: [shop.id] }]) {
		const { key } = await w.key(owner, rights);
		for (const list of ['/metrics', '/dimensions'])
			assert.equal((await client(w.base, key)('GET', list)).status, 200);
	}
	for (const list of ['/metrics', '/dimensions'])
		assertProblem(await client(w.base)('GET', list), 'unauthenticated');
});

test('[C-CSV-1][C-CSV-2] the whole as a table, with what it is compared with', async () => {
	const answer = await get(
		'?period=custom&from=2026-11-02&to=2026-11-03&compare=previous&metrics=visitors,bounce_rate',
		csv,
	);
	assert.equal(answer.status, 200);
	assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8; header=present');
	assert.equal(
		answer.headers['content-disposition'],
		`attachment; filename="${shop.domain}-2026-11-02-2026-11-03.csv"`,
	);
	assert.equal(
		answer.text,
		[
			'time,visitors,bounce_rate,compared_time,compared_visitors,compared_bounce_rate',
			'total,2,0.5,total,1,0',
			'2026-11-02,2,0.5,2026-10-31,0,',
			'2026-11-03,0,,2026-11-01,1,0',
			'',
		].join('\r\n'),
	);
});

test('[C-CSV-1] JSON where JSON is wanted more', async () => {
	for (const accept of ['*/*', 'application/json, text/csv', 'text/csv;q=0.1, application/json'])
		bodyOf(await get('?period=7d', { headers: { accept } }));
	const table = await get('?period=7d', { headers: { accept: 'text/html;q=0.5, text/csv' } });
	assert.match(table.headers['content-type'] ?? '', /^text\/csv/);
});

test('[C-CSV-3][C-CSV-5] all rows of a breakdown, money by currency', async () => {
	const answer = await get(`/page?${days}&metrics=visitors,revenue&per_page=10&page=5`, csv);
	assert.equal(answer.text, 'value,visitors,revenue_EUR\r\n/a,3,0\r\n/b,1,0\r\n/thanks,1,49.9\r\n');
	assert.equal(answer.headers['x-total-count'], '3');
	assert.equal(
		answer.headers['content-disposition'],
		`attachment; filename="${shop.domain}-page-2026-11-01-2026-11-07.csv"`,
	);
	const goals = await get(`/goal?${days}&metrics=conversions`, csv);
	assert.equal(goals.text, `value,name,conversions\r\n${reads},Reads A,3\r\n${signup},Signed up,1\r\n`);
	const many = await website(
		Array.from({ length: 150 }, (_, n) => ({
			at: '05T10:00',
			path: `/${String(n).padStart(3, '0')}`,
			who: n,
		})),
	);
	const all = await owner.api('GET', `/websites/${many.id}/stats/page?period=7d&metrics=visitors`, csv);
	const rows: string[][] = parse(all.text);
	assert.equal(rows.length, 151);
	assert.equal(all.headers['x-total-count'], '150');
});

test('[C-CSV-4] a page as one table', async () => {
	const json = {
		period: 'custom',
		from: '2026-11-02',
		to: '2026-11-02',
		interval: 'day',
		compare: 'previous',
		metrics: ['visitors'],
		breakdowns: [{ dimension: 'page' }, { dimension: 'goal', metrics: ['conversions'] }],
	};
	const answer = await owner.api('POST', `/websites/${shop.id}/stats/query`, { json, ...csv });
	assert.equal(
		answer.text,
		[
			'part,value,name,visitors,conversions',
			'totals,,,2,',
			'series,2026-11-02,,2,',
			'compared,,,1,',
			'compared_series,2026-11-01,,1,',
			'page,/a,,2,',
			'page,/thanks,,1,',
			`goal,${reads},Reads A,,2`,
			`goal,${signup},Signed up,,1`,
			'',
		].join('\r\n'),
	);
});

test('[C-CSV-1] the definitions as tables', async () => {
	const rows: string[][] = parse((await owner.api('GET', '/metrics', csv)).text);
	assert.deepEqual(
		[rows[0], rows.length],
		[['name', 'label', 'definition', 'unit', 'needs_goal'], Object.keys(metrics).length + 1],
	);
	const dimensionRows: string[][] = parse((await owner.api('GET', '/dimensions', csv)).text);
	assert.deepEqual(
		[dimensionRows[0], dimensionRows.length],
		[['name', 'label', 'definition', 'scope'], Object.keys(dimensions).length + 2],
	);
});

test('[C-CSV-6][T41] what looks like a formula is text, and comes back as it was', async () => {
	const values = [
		'=1+1',
		'+1',
		'-1',
		'@SUM(A1)',
		'=HYPERLINK("http://x","y")',
		"'=1",
		'plain, with "quotes"',
		"it's",
	];
	const { id } = await website(
		values.map((plan, who) => ({ at: '05T10:00', who: who + 1, properties: { plan } })),
	);
	const ask = (call: Call) =>
		owner.api('GET', `/websites/${id}/stats/property:plan?period=7d&metrics=visitors`, call);
	assert.deepEqual(valuesOf(await ask({})).sort(), values.toSorted());
	const rows: string[][] = parse((await ask(csv)).text);
	const cells = rows.slice(1).map(([cell = '']) => cell);
	for (const cell of cells) assert.doesNotMatch(cell, /^[=+\-@\t\r\n]/);
	assert.deepEqual(cells.map((cell) => cell.replace(/^'(?='*[=+\-@])/, '')).sort(), values.toSorted());
});

test('[C-CSV-7] errors stay JSON', async () => {
	problemOf(await get('?period=x', csv), 'period');
	problemOf(await get('/nothing', csv), 'dimension');
	assertProblem(await owner.api('GET', '/websites/999999999/stats', csv), 'not_found');
	assertProblem(await client(w.base)('GET', `/websites/${shop.id}/stats`, csv), 'unauthenticated');
});
