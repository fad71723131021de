import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dimensions } from '../../server/stats/question/dimensions.ts';
import type { Answer } from '../support/client.ts';
import { assertProblem } from '../support/contract.ts';
import { bodyOf, csv, dataOf, days, openShop, problemOf, valuesOf } from '../support/shop.ts';

const { w, owner, shop, signup, reads, website, get } = await openShop({ after });
const path = `${w.publicUrl}/api/v1/websites/${shop.id}/stats`;

test('[C-BRK-1] the whole answer by page', async () => {
	const { data, links, meta } = bodyOf(
		await get(`/page?${days}&metrics=visitors,pageviews,events&per_page=25`),
	);
	assert.deepEqual(data, [
		{ value: '/a', visitors: 3, pageviews: 3, events: 1 },
		{ value: '/b', visitors: 1, pageviews: 1, events: 0 },
		{ value: '/thanks', visitors: 1, pageviews: 0, events: 1 },
	]);
	const link = `${path}/page?${days}&metrics=visitors%2Cpageviews%2Cevents&per_page=25&page=1`;
	assert.deepEqual(links, { first: link, last: link, prev: null, next: null });
	const { rows_read, ms, answered_from, ...rest } = meta;
	assert.ok(Number(rows_read) > 0 && Number(ms) >= 0 && String(answered_from).length > 0);
	assert.deepEqual(rest, {
		current_page: 1,
		from: 1,
		last_page: 1,
		path: `${path}/page`,
		per_page: 25,
		to: 3,
		total: 3,
		period: { from: '2026-11-01', to: '2026-11-07' },
		timezone: 'UTC',
		as_of: '2026-11-08T12:00:00.000Z',
		available_from: null,
		imported: null,
	});
});

for (const [query, field] of [
	['interval=day', 'interval'],
	['compare=before', 'compare'],
	['sort_by=visitors_change', 'sort_by'],
	['compare=previous&sort_by=bounce_rate_change', 'sort_by'],
	['compare_from=2026-11-01', 'compare_from'],
	['compare_to=2026-11-01', 'compare_to'],
	['match_weekdays=1', 'match_weekdays'],
	['limit=5', 'limit'],
	['per_page=20', 'per_page'],
	['page=-1', 'page'],
	['page=x', 'page'],
	['sort=up', 'sort'],
	['sort_by=value', 'sort_by'],
	['sort_by[]=visitors', 'sort_by'],
] as const)
	test(`[C-BRK-2][C-BRK-3][C-BRK-5] ${query} is 422`, async () => {
		problemOf(await get(`/page?${query}`), field);
	});

test('[C-BRK-2] filters, goals and segments hold for rows too', async () => {
	const filters = encodeURIComponent('["is","source",["Google"]]');
	assert.deepEqual(
		dataOf(
			await get(`/page?${days}&metrics=visits,conversions,conversion_rate&goal=${signup}&filters=${filters}`),
		),
		[
			{ value: '/a', visits: 1, conversions: 1, conversion_rate: 1 },
			{ value: '/thanks', visits: 1, conversions: 1, conversion_rate: 1 },
		],
	);
});

test('[C-BRK-11][C-BRK-12] rows with the values of the comparison, their change, and values that are gone', async () => {
	const about = 'from=2026-11-02&to=2026-11-02&compare=custom&compare_from=2026-11-01&compare_to=2026-11-01';
	const now = dataOf(await get('/page?from=2026-11-02&to=2026-11-02&metrics=visitors,revenue')) as Row[];
	const before = dataOf(await get('/page?from=2026-11-01&to=2026-11-01&metrics=visitors,revenue')) as Row[];
	const { data, meta } = bodyOf(await get(`/page?${about}&metrics=visitors,revenue`));
	const rows = data as unknown as (Row & { compared: Row; change: Row })[];
	assert.deepEqual(meta.compared, { from: '2026-11-01', to: '2026-11-01' });
	const values = new Set([...now, ...before].map(({ value }) => value));
	assert.equal(meta.total, values.size);
	const find = (list: readonly Row[], value: string) => list.find((row) => row.value === value);
	for (const { value, compared, change, ...own } of rows) {
		assert.deepEqual({ value, ...own }, find(now, value) ?? { value, visitors: 0, revenue: {} });
		const { value: _, ...expected } = find(before, value) ?? { value, visitors: 0, revenue: {} };
		assert.deepEqual(compared, expected);
		assert.equal(change.visitors, own.visitors - compared.visitors);
		for (const currency of Object.keys({ ...own.revenue, ...compared.revenue }))
			assert.equal(
				change.revenue[currency],
				(own.revenue[currency] ?? 0) - (compared.revenue[currency] ?? 0),
			);
	}
	const changes = async (sort: string) =>
		(
			dataOf(await get(`/page?${about}&metrics=visitors&sort_by=visitors_change&sort=${sort}`)) as {
				change: Row;
			}[]
		).map(({ change }) => change.visitors);
	const sorted = rows.map(({ change }) => change.visitors).toSorted((a, b) => a - b);
	assert.deepEqual(await changes('asc'), sorted);
	assert.deepEqual(await changes('desc'), sorted.toReversed());
	assert.ok(
		rows.some(({ visitors }) => visitors === 0) || rows.some(({ compared }) => compared.visitors === 0),
		'a value of only one of the days',
	);
});

type Row = { value: string; visitors: number; revenue: Record<string, number> };

test('[C-BRK-11] CSV has the comparison and the change in further columns', async () => {
	const about = 'from=2026-11-02&to=2026-11-02&compare=custom&compare_from=2026-11-01&compare_to=2026-11-01';
	const answer = await get(`/page?${about}&metrics=visitors,visits`, csv);
	const [head] = answer.text.split('\r\n');
	assert.equal(head, 'value,visitors,visits,compared_visitors,compared_visits,change_visitors,change_visits');
});

test('[C-BRK-14] two dimensions: each row is that of the second where the first is filtered', async () => {
	const metrics = 'visitors,visits,pageviews,events,bounce_rate,visit_duration';
	const all = ['page', 'event', 'title', 'property:plan', 'source', 'country', 'entry_page'];
	const kinds = new Set<string>();
	for (const first of all)
		for (const second of all.filter((name) => name !== first)) {
			const rows = dataOf(await get(`/${first}?${days}&by=${second}&metrics=${metrics}`)) as CrossedRow[];
			const expected: CrossedRow[] = [];
			for (const value of valuesOf(await get(`/${first}?${days}`))) {
				const filters = encodeURIComponent(JSON.stringify(['is', first, value]));
				const inner = dataOf(
					await get(`/${second}?${days}&filters=${filters}&metrics=${metrics}`),
				) as CrossedRow[];
				expected.push(...inner.map((row) => ({ ...row, value, by: row.value })));
			}
			const sorted = (list: readonly CrossedRow[]) =>
				list.toSorted(
					(a, b) => b.visitors - a.visitors || (`${a.value}\0${a.by}` < `${b.value}\0${b.by}` ? -1 : 1),
				);
			assert.deepEqual(rows, sorted(expected), `${first} by ${second}`);
			if (rows.length > 0) kinds.add([first, second].map(scopeOf).join());
		}
	assert.deepEqual([...kinds].sort(), ['event,event', 'event,visit', 'visit,event', 'visit,visit']);
});

type CrossedRow = { value: string; by: string; visitors: number };
const scopeOf = (name: string) =>
	name in dimensions ? dimensions[name as keyof typeof dimensions].scope : 'event';

test('[C-BRK-14] two dimensions: the whole answer, pages of it, search, comparison and CSV', async () => {
	const { data, meta } = bodyOf(await get(`/source?${days}&by=page&metrics=visitors,revenue`));
	assert.deepEqual(data, [
		{ value: '', by: '/a', visitors: 2, revenue: {} },
		{ value: '', by: '/b', visitors: 1, revenue: {} },
		{ value: 'Google', by: '/a', visitors: 1, revenue: {} },
		{ value: 'Google', by: '/thanks', visitors: 1, revenue: { EUR: 49.9 } },
	]);
	assert.equal(meta.total, 4);
	assert.match(String(meta.path), /stats\/source$/);
	const found = async (search: string) =>
		(dataOf(await get(`/source?${days}&by=page&search=${search}`)) as CrossedRow[]).map(({ by }) => by);
	assert.deepEqual(await found('oog'), ['/a', '/thanks']);
	assert.deepEqual(await found('thank'), ['/thanks']);
	const compared =
		'from=2026-11-02&to=2026-11-02&compare=custom&compare_from=2026-11-01&compare_to=2026-11-01';
	assert.deepEqual(
		dataOf(await get(`/source?${compared}&by=page&metrics=visitors&sort_by=visitors_change&sort=asc`)),
		[
			{ value: '', by: '/b', visitors: 0, compared: { visitors: 1 }, change: { visitors: -1 } },
			{ value: '', by: '/a', visitors: 1, compared: { visitors: 1 }, change: { visitors: 0 } },
			{ value: 'Google', by: '/a', visitors: 1, compared: { visitors: 0 }, change: { visitors: 1 } },
			{ value: 'Google', by: '/thanks', visitors: 1, compared: { visitors: 0 }, change: { visitors: 1 } },
		],
	);
	const table = await get(`/source?${days}&by=page&metrics=visitors`, csv);
	assert.equal(table.text, 'value,by,visitors\r\n,/a,2\r\n,/b,1\r\nGoogle,/a,1\r\nGoogle,/thanks,1\r\n');
	assert.match(table.headers['content-disposition'] ?? '', /-source-page-2026-11-01-2026-11-07\.csv/);
	const json = {
		period: 'custom',
		from: '2026-11-01',
		to: '2026-11-07',
		breakdowns: [{ dimension: 'page', by: 'property:plan', limit: 1 }],
	};
	const { breakdowns } = (
		bodyOf(await owner.api('POST', `/websites/${shop.id}/stats/query`, { json })) as unknown as {
			data: { breakdowns: object[] };
		}
	).data;
	assert.deepEqual(breakdowns, [
		{
			dimension: 'page',
			by: 'property:plan',
			rows: [
				{
					value: '/a',
					by: 'none',
					visitors: 1,
					visits: 1,
					pageviews: 1,
					bounce_rate: 0,
					visit_duration: 120,
				},
			],
			total: 2,
		},
	]);
	const parts = await owner.api('POST', `/websites/${shop.id}/stats/query`, { json, ...csv });
	assert.match(parts.text, /^part,value,by,name,.*page by property:plan,\/a,none,,1,/s);
});

for (const [path, sentence] of [
	['page?by=page', 'The second dimension must not be page again.'],
	['page?by=goal', 'Goals cannot be combined with a second dimension. Use the goal parameter instead.'],
	['goal?by=page', 'Goals cannot be combined with a second dimension. Use the goal parameter instead.'],
	['property:a?by=property:a', 'The second dimension must not be property:a again.'],
	['page?by=shoe_size', undefined],
] as const)
	test(`[C-BRK-15] ${path} is 422`, async () => {
		const { errors } = problemOf(await get(`/${path}`), 'by');
		if (sentence) assert.deepEqual(errors, { by: [sentence] });
		const [dimension, by] = path.split('?by=');
		const json = { breakdowns: [{ dimension: 'page' }, { dimension, by }] };
		assertProblem(
			await owner.api('POST', `/websites/${shop.id}/stats/query`, { json }),
			'validation_failed',
			['breakdowns.1.by'],
		);
	});

test('[C-BRK-3] sorted by any metric, in both directions, equal ones by value', async () => {
	const by = async (query: string) => valuesOf(await get(`/page?${days}&metrics=visitors&${query}`));
	assert.deepEqual(await by(''), ['/a', '/b', '/thanks']);
	assert.deepEqual(await by('sort=asc'), ['/b', '/thanks', '/a']);
	assert.deepEqual(await by('sort_by=visit_duration'), ['/b', '/a', '/thanks']);
	assert.deepEqual(await by('sort_by=pageviews&sort=asc'), ['/thanks', '/b', '/a']);
	assert.deepEqual(await by('sort_by=revenue'), ['/thanks', '/a', '/b']);
});

test('[C-BRK-4] search is literal, whatever the letter case', async () => {
	const { id } = await website(
		['/Straße', '/100%', '/a_b', '/a\\b', "/it's", '/axb', '/ÄRGER'].map((at, who) => ({
			at: '05T10:00',
			path: at,
			who: who + 1,
		})),
	);
	const found = async (text: string) =>
		valuesOf(
			await owner.api('GET', `/websites/${id}/stats/page?period=7d&search=${encodeURIComponent(text)}`),
		);
	assert.deepEqual(await found('ASSE'), []);
	assert.deepEqual(await found('stra'), ['/Straße']);
	assert.deepEqual(await found('0%'), ['/100%']);
	assert.deepEqual(await found('a_b'), ['/a_b']);
	assert.deepEqual(await found("'"), ["/it's"]);
	assert.deepEqual(await found(''), await found('/'));
	assert.equal((await found('/')).length, 7);
});

test('[C-BRK-5] walking along next meets every row once', async () => {
	const paths = Array.from({ length: 23 }, (_, n) => `/p${String(n).padStart(2, '0')}`);
	const { id } = await website(paths.map((at, who) => ({ at: '05T10:00', path: at, who: who + 1 })));
	const met: string[] = [];
	let next: string | null = `${w.publicUrl}/api/v1/websites/${id}/stats/page?period=7d&metrics=visitors`;
	let pages = 0;
	while (next) {
		const answer: Answer = await owner.api('GET', next.replace(`${w.publicUrl}/api/v1`, ''));
		met.push(...valuesOf(answer));
		next = (bodyOf(answer).links as { next: string | null }).next;
		pages++;
	}
	assert.deepEqual([met, pages], [paths, 3]);
	const past = bodyOf(await owner.api('GET', `/websites/${id}/stats/page?period=7d&page=9`));
	assert.deepEqual(
		[past.data, past.meta.total, past.meta.last_page, past.meta.from, past.meta.to],
		[[], 23, 3, null, null],
	);
	assert.equal(
		(past.links as { prev: string }).prev,
		`${w.publicUrl}/api/v1/websites/${id}/stats/page?period=7d&page=3`,
	);
	const far = bodyOf(
		await owner.api('GET', `/websites/${id}/stats/page?period=7d&page=99999999999999999999`),
	);
	assert.deepEqual([far.data, far.meta.total], [[], 23]);
});

for (const name of [
	'nothing',
	'Page',
	'pages',
	'property',
	'property:',
	'Property:x',
	'__proto__',
	'totals',
	'0',
])
	test(`[C-BRK-10] the dimension ${name} is 422 with the list of dimensions`, async () => {
		const { errors } = problemOf(await get(`/${name}`), 'dimension');
		for (const known of [...Object.keys(dimensions), 'property:NAME'])
			assert.match(errors?.dimension?.[0] ?? '', new RegExp(`\\b${known}\\b`));
	});
test('[C-BRK-10] an unknown website and another account’s are the same 404 before that', async () => {
	const stranger = await w.account({ timezone: 'UTC' });
	const foreign = await stranger.api('GET', `/websites/${shop.id}/stats/nothing`);
	assertProblem(foreign, 'not_found');
	assert.equal(foreign.text, (await stranger.api('GET', '/websites/999999999/stats/nothing')).text);
	assert.equal(foreign.text, (await stranger.api('GET', `/websites/${shop.id}/stats/page`)).text);
});
for (const name of ['page%20', 'pag%65'])
	test(`[C-BRK-7] the dimension ${name} is 404: no percent sign is read there`, async () => {
		assertProblem(await get(`/${name}`), 'not_found');
	});

const names = [
	"it's",
	'a/b',
	'a\\b',
	'100%',
	'plan',
	'ü',
	'💧',
	'__proto__',
	'a~b',
	'a b',
	'?',
	'%2F',
	'{p0:String}',
];
test('[C-BRK-7] properties with any name, percent-encoded once', async () => {
	const properties = Object.fromEntries(names.map((name, index) => [name, `value ${index}`]));
	const { id } = await website([{ at: '05T10:00', properties }]);
	for (const [index, name] of names.entries()) {
		const encoded = encodeURIComponent(name);
		for (const word of [`property:${encoded}`, `property%3A${encoded}`, `property%3a${encoded}/`]) {
			const answer = await owner.api('GET', `/websites/${id}/stats/${word}?period=7d&metrics=visitors`);
			assert.deepEqual(dataOf(answer), [{ value: `value ${index}`, visitors: 1 }], word);
			assert.equal(
				bodyOf(answer).meta.path,
				`${w.publicUrl}/api/v1/websites/${id}/stats/property:${encoded}`,
			);
		}
	}
});

for (const word of [
	'property:%FF',
	'property:a%00',
	'property:%C3',
	'property:%zz',
	'property:a/b',
	'property:%',
])
	test(`[C-BRK-7] ${word} is 404`, async () => {
		assertProblem(await get(`/${word}`), 'not_found');
	});

test('[C-BRK-7] ids have one spelling, also before a property', async () => {
	const encoded = `%3${String(shop.id)[0]}${String(shop.id).slice(1)}`;
	assertProblem(await owner.api('GET', `/websites/${encoded}/stats/property:plan`), 'not_found');
	assertProblem(await owner.api('GET', `/websites/${shop.id}/st%61ts/property:plan`), 'not_found');
});

test('[C-BRK-8] by goal: the id, the name, and conversions without a goal parameter', async () => {
	const query = `/goal?${days}&metrics=conversions,conversion_rate`;
	assert.deepEqual(dataOf(await get(query)), [
		{ value: String(reads), name: 'Reads A', conversions: 3, conversion_rate: 1 },
		{ value: String(signup), name: 'Signed up', conversions: 1, conversion_rate: 1 / 3 },
	]);
	assert.deepEqual(valuesOf(await get(`${query}&search=SIGNED`)), [String(signup)]);
	assert.deepEqual(valuesOf(await get(`${query}&search=${signup}`)), []);
});

test('[C-BRK-9] what is beyond the stored values is one row, marked and last', async () => {
	const { id } = await website([]);
	await w.sql(
		`INSERT INTO days (website_id, date, last_batch, sealed_batch, generation, capped) VALUES ($1, '2026-11-05', 1, 1, 1, '{page}')`,
		[id],
	);
	await w.sql('UPDATE websites SET raw_from = $2 WHERE id = $1', [id, '2026-11-06']);
	const row = { website_id: id, date: '2026-11-05', generation: 1, dimension: 'page', visits: 0 };
	const lines = [
		{ ...row, value: '/a', is_other: 0, visitors: 2, views: 2 },
		{ ...row, value: '(other)', is_other: 1, visitors: 50, views: 60 },
		{ ...row, value: '(other)', is_other: 0, visitors: 1, views: 1 },
	].map((line) => JSON.stringify(line));
	await w.clickhouse.insert({ table: 'totals', lines: lines.join('\n'), token: `other ${id}` });
	const query = `/websites/${id}/stats/page?period=7d&metrics=visitors`;
	assert.deepEqual(dataOf(await owner.api('GET', query)), [
		{ value: '/a', visitors: 2 },
		{ value: '(other)', visitors: 1 },
		{ value: '(other)', visitors: 50, other: true },
	]);
	const table = await owner.api('GET', query, csv);
	assert.equal(table.text, 'value,visitors,other\r\n/a,2,0\r\n(other),1,0\r\n(other),50,1\r\n');
});
