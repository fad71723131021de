import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Client } from '../support/client.ts';
import {
	assertProblem,
	freshDomain,
	type List,
	listOf,
	type Website,
	websiteOf,
} from '../support/contract.ts';
import { wireRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const path = `${w.publicUrl}/api/v1/websites`;

async function filled(count: number): Promise<{ api: Client; key: string; websites: Website[] }> {
	const { api, key } = await w.account({ timezone: 'UTC' });
	const websites: Website[] = [];
	// The domains run against the ids, so that the two orders differ.
	for (let n = count; n > 0; n--) {
		const domain = `n${String(n).padStart(4, '0')}.example`;
		websites.push(websiteOf(await api('POST', '/websites', { form: { domain } }), 201));
	}
	return { api, key, websites };
}

const none = await filled(0);
const some = await filled(11);
const many = await filled(101);
const crowd = [
	{ count: 0, account: none },
	{ count: 1, account: await filled(1) },
	{ count: 10, account: await filled(10) },
	{ count: 11, account: some },
	{ count: 100, account: await filled(100) },
	{ count: 101, account: many },
];
const chosen = await filled(7);
const favorites = [1, 3, 4];
for (const index of favorites) {
	const { id } = chosen.websites[index] ?? {};
	chosen.websites[index] = websiteOf(await chosen.api('PUT', `/websites/${id}`, { form: { favorite: '1' } }));
}
const ids = (list: List) => list.data.map(({ id }) => id);
const newestFirst = (websites: Website[]) => websites.map(({ id }) => id).reverse();

/** The query of a link, as an object; the link itself must be on the public address. */
function queryOf(link: string | null): Record<string, string> | null {
	if (link === null) return null;
	assert.equal(link.split('?')[0], path);
	return Object.fromEntries(new URL(link).searchParams);
}

test('[C-LIST-1] the whole answer for eleven websites, first and second page', async () => {
	const first = await some.api('GET', '/websites');
	const list = listOf(first);
	assert.deepEqual(list.data, some.websites.toReversed().slice(0, 10));
	assert.deepEqual(list.meta, {
		current_page: 1,
		from: 1,
		last_page: 2,
		path,
		per_page: 10,
		to: 10,
		total: 11,
	});
	assert.deepEqual(
		[list.links.first, list.links.last, list.links.prev, list.links.next].map((link) => queryOf(link)?.page),
		['1', '2', undefined, '2'],
	);
	const second = listOf(await some.api('GET', '/websites?page=2'));
	assert.deepEqual(second.data, some.websites.slice(0, 1));
	assert.deepEqual(second.meta, {
		current_page: 2,
		from: 11,
		last_page: 2,
		path,
		per_page: 10,
		to: 11,
		total: 11,
	});
	assert.equal(second.links.next, null);
	assert.equal(queryOf(second.links.prev)?.page, '1');
});

test('[C-LIST-2] without parameters: newest first, ten a page', async () => {
	assert.deepEqual(ids(listOf(await many.api('GET', '/websites'))), newestFirst(many.websites).slice(0, 10));
	const plain = await many.api('GET', '/websites');
	const explicit = await many.api(
		'GET',
		'/websites?search=&search_by=domain&favorite=&sort_by=id&sort=desc&per_page=10&page=1',
	);
	assert.deepEqual(listOf(explicit).data, listOf(plain).data);
	assert.deepEqual(listOf(explicit).meta, listOf(plain).meta);
});

for (const size of [10, 25, 50, 100])
	test(`[C-LIST-3] per_page=${size}`, async () => {
		const list = listOf(await many.api('GET', `/websites?per_page=${size}`));
		assert.deepEqual(ids(list), newestFirst(many.websites).slice(0, size));
		const last_page = Math.ceil(101 / size);
		assert.deepEqual(list.meta, {
			current_page: 1,
			from: 1,
			last_page,
			path,
			per_page: size,
			to: size,
			total: 101,
		});
	});
for (const size of [
	'1',
	'0',
	'-10',
	'11',
	'20',
	'101',
	'1000',
	'10.0',
	'010',
	'%2B10',
	'1e1',
	'ten',
	'all',
	'10,25',
	'null',
	'99999999999999999999',
])
	test(`[C-LIST-3] per_page=${size} is 422 and names what is allowed`, async () => {
		const problem = assertProblem(await many.api('GET', `/websites?per_page=${size}`), 'validation_failed', [
			'per_page',
		]);
		for (const allowed of ['10', '25', '50', '100'])
			assert.match(problem.errors?.per_page?.join(' ') ?? '', new RegExp(`\\b${allowed}\\b`));
	});

const orders: { query: string; expected: (websites: Website[]) => Website[] }[] = [
	{ query: 'sort_by=id&sort=desc', expected: (websites) => websites.toReversed() },
	{ query: 'sort_by=id&sort=asc', expected: (websites) => websites },
	{ query: 'sort_by=id', expected: (websites) => websites.toReversed() },
	{ query: 'sort=asc', expected: (websites) => websites },
	{ query: 'sort=desc', expected: (websites) => websites.toReversed() },
	{ query: 'sort_by=domain&sort=asc', expected: (websites) => websites.toReversed() },
	{ query: 'sort_by=domain&sort=desc', expected: (websites) => websites },
	{ query: 'sort_by=domain', expected: (websites) => websites },
	{ query: 'search_by=domain', expected: (websites) => websites.toReversed() },
];
for (const { query, expected } of orders)
	test(`[C-LIST-4] ${query}`, async () => {
		assert.deepEqual(
			listOf(await some.api('GET', `/websites?${query}&per_page=25`)).data,
			expected(some.websites),
		);
	});
const wrongWords: { name: string; value: string; allowed: string[] }[] = [
	...['created_at', 'ID', 'Domain', 'email', 'id,domain', 'id;--', 'id desc'].map((value) => ({
		name: 'sort_by',
		value,
		allowed: ['id', 'domain'],
	})),
	...['up', 'ASC', 'ascending', '1', 'desc,asc', 'asc;'].map((value) => ({
		name: 'sort',
		value,
		allowed: ['asc', 'desc'],
	})),
	...['name', 'id', 'Domain'].map((value) => ({ name: 'search_by', value, allowed: ['domain'] })),
];
for (const { name, value, allowed } of wrongWords)
	test(`[C-LIST-4] ${name}=${value} is 422 and names what is allowed`, async () => {
		const answer = await some.api('GET', `/websites?${name}=${encodeURIComponent(value)}`);
		const problem = assertProblem(answer, 'validation_failed', [name]);
		for (const word of allowed)
			assert.match(problem.errors?.[name]?.join(' ') ?? '', new RegExp(`\\b${word}\\b`));
	});

test('[C-LIST-5] domains are sorted by bytes, whatever language the database speaks', async () => {
	const { api } = await w.account({ timezone: 'UTC' });
	const domains = [
		'b.example',
		'a-b.example',
		'a.example',
		'a_b.example',
		'ab.example',
		'1.example',
		'ä.example',
		'aa.example',
		'z.example',
		'x-n.example',
	];
	const stored: string[] = [];
	for (const domain of domains)
		stored.push(websiteOf(await api('POST', '/websites', { form: { domain } }), 201).domain);
	const byBytes = stored.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
	for (const [sort, expected] of [
		['asc', byBytes],
		['desc', byBytes.toReversed()],
	] as const) {
		const list = listOf(await api('GET', `/websites?sort_by=domain&sort=${sort}&per_page=25`));
		assert.deepEqual(
			list.data.map(({ domain }) => domain),
			expected,
		);
	}
});

for (const name of ['search', 'search_by', 'favorite', 'sort_by', 'sort', 'per_page', 'page'])
	test(`[C-LIST-6] an empty ${name} counts as not sent`, async () => {
		const plain = listOf(await some.api('GET', '/websites'));
		for (const query of [`${name}=`, name]) {
			const list = listOf(await some.api('GET', `/websites?${query}`));
			assert.deepEqual(list.data, plain.data);
			assert.deepEqual(list.meta, plain.meta);
		}
	});

for (const page of ['0', '', '1', '%201', '+1'])
	test(`[C-LIST-7] page=${page} is the first page`, async () => {
		const list = listOf(await some.api('GET', `/websites?page=${page}`));
		assert.equal(list.meta.current_page, 1);
		assert.deepEqual(list.data, some.websites.toReversed().slice(0, 10));
		assert.equal(list.links.prev, null);
		assert.equal(queryOf(list.links.next)?.page, '2');
	});
for (const page of [
	'-1',
	'abc',
	'1.5',
	'01',
	'00',
	'%2B1',
	'1e1',
	'0x1',
	'null',
	'NaN',
	'1,2',
	'-0',
	'٢',
	'1%00',
])
	test(`[C-LIST-7] page=${page} is 422`, async () => {
		assertProblem(await some.api('GET', `/websites?page=${page}`), 'validation_failed', ['page']);
	});

for (const page of [3, 100, 2_147_483_648, 4_294_967_296])
	test(`[C-LIST-8] page ${page} of two is empty`, async () => {
		const list = listOf(await some.api('GET', `/websites?page=${page}`));
		assert.deepEqual(list.data, []);
		assert.deepEqual(list.meta, {
			current_page: page,
			from: null,
			last_page: 2,
			path,
			per_page: 10,
			to: null,
			total: 11,
		});
		assert.equal(list.links.next, null);
		assert.deepEqual([queryOf(list.links.last)?.page, queryOf(list.links.prev)?.page], ['2', '2']);
	});
for (const page of ['9007199254740993', `1${'0'.repeat(30)}`, '9'.repeat(300)])
	test(`[C-LIST-8] page ${page.slice(0, 40)} is empty as well`, async () => {
		const list = listOf(await some.api('GET', `/websites?page=${page}`));
		assert.deepEqual(list.data, []);
		assert.equal(list.meta.total, 11);
		assert.equal(list.meta.last_page, 2);
	});

/** Follows the links as a client would, on the address that this machine can reach. */
async function walk(api: Client, query: string): Promise<{ met: number[]; pages: number }> {
	const met: number[] = [];
	let next: string | null = `${path}?${query}`;
	let pages = 0;
	while (next !== null && pages < 50) {
		const list: List = listOf(await api('GET', next.slice(`${w.publicUrl}/api/v1`.length)));
		met.push(...ids(list));
		next = list.links.next;
		pages++;
	}
	return { met, pages };
}
for (const { count, account } of crowd)
	for (const size of [10, 25, 50, 100])
		test(`[C-LIST-9] ${count} websites by ${size}: walking next meets each once`, async () => {
			const { met, pages } = await walk(account.api, `per_page=${size}&page=0`);
			assert.deepEqual(met, newestFirst(account.websites));
			assert.equal(pages, Math.max(1, Math.ceil(count / size)));
		});
test('[C-LIST-9] in the order of domains as well', async () => {
	const { met } = await walk(many.api, 'per_page=10&sort_by=domain&sort=asc');
	assert.deepEqual(met, newestFirst(many.websites));
});

const spoofed: [string, string][][] = [
	[['Host', 'evil.example']],
	[['Host', 'evil.example:1234']],
	[
		['X-Forwarded-Host', 'evil.example'],
		['X-Forwarded-Proto', 'http'],
		['Forwarded', 'host=evil.example'],
	],
	[
		['Host', 'x'],
		['X-Original-URL', '/evil'],
		['X-Forwarded-Prefix', '/evil'],
	],
];
for (const headers of spoofed)
	test(`[C-LIST-10] ${headers.map(([name, value]) => `${name}: ${value}`).join(', ')} changes no link`, async () => {
		const honest = await some.api('GET', '/websites?page=2');
		const answer = await wireRequest(w.base, {
			path: '/api/v1/websites?page=2',
			headers: [['Authorization', `Bearer ${some.key}`], ...headers],
		});
		assert.equal(answer.status, 200);
		assert.deepEqual(JSON.parse(answer.body), honest.json);
	});

const kept: Record<string, string>[] = [
	{ search: 'n00' },
	{ search: 'EXAMPLE', sort_by: 'domain' },
	{ sort: 'asc' },
	{ per_page: '10', favorite: '0' },
	{ search: 'n', search_by: 'domain', favorite: '0', sort_by: 'domain', sort: 'asc', per_page: '25' },
];
for (const filters of kept)
	test(`[C-LIST-11] links keep ${JSON.stringify(filters)}`, async () => {
		const query = new URLSearchParams({ ...filters, page: '2' });
		const { links } = listOf(await many.api('GET', `/websites?${query}`));
		for (const link of Object.values(links))
			if (link !== null) {
				const { page, ...rest } = queryOf(link) ?? {};
				assert.deepEqual({ ...rest, ...filters }, rest);
				assert.match(page ?? '', /^[1-9]\d*$/);
			}
		assert.notEqual(links.prev, null);
	});
test('[C-LIST-11] a search with odd characters comes back whole in the links', async () => {
	const search = 'a&b=c d+e%f#g?ü';
	const { links } = listOf(await many.api('GET', `/websites?${new URLSearchParams({ search })}`));
	assert.equal(queryOf(links.first)?.search, search);
});

test('[C-LIST-12] prev and next are null at the ends, first and last never', async () => {
	const pages = [];
	for (let page = 1; page <= 5; page++)
		pages.push(listOf(await many.api('GET', `/websites?per_page=25&page=${page}`)).links);
	const pageOf = (link: string | null) => queryOf(link)?.page ?? null;
	assert.deepEqual(
		pages.map(({ first, last, prev, next }) => [first, last, prev, next].map(pageOf)),
		[
			['1', '5', null, '2'],
			['1', '5', '1', '3'],
			['1', '5', '2', '4'],
			['1', '5', '3', '5'],
			['1', '5', '4', null],
		],
	);
});

test('[C-LIST-13] the whole answer for an empty list', async () => {
	const list = listOf(await none.api('GET', '/websites'));
	assert.deepEqual(list.data, []);
	assert.deepEqual(list.meta, {
		current_page: 1,
		from: null,
		last_page: 1,
		path,
		per_page: 10,
		to: null,
		total: 0,
	});
	assert.deepEqual([list.links.prev, list.links.next], [null, null]);
	assert.deepEqual([queryOf(list.links.first)?.page, queryOf(list.links.last)?.page], ['1', '1']);
});

const partition: { value: string; expected: 0 | 1 | null }[] = [
	...['1', 'true', 'TRUE', 'True'].map((value) => ({ value, expected: 1 as const })),
	...['0', 'false', 'FALSE', 'False'].map((value) => ({ value, expected: 0 as const })),
	{ value: '', expected: null },
];
for (const { value, expected } of partition)
	test(`[C-LIST-14] favorite=${value} gives ${expected === null ? 'all' : expected ? 'the favorites' : 'the others'}`, async () => {
		const wanted = chosen.websites
			.filter(({ favorite }) => expected === null || favorite === expected)
			.toReversed();
		const list = listOf(await chosen.api('GET', `/websites?favorite=${value}`));
		assert.deepEqual(list.data, wanted);
		assert.equal(list.meta.total, wanted.length);
	});
for (const value of ['2', '-1', 'yes', 'on', '01', 'null', '1,0'])
	test(`[C-LIST-14] favorite=${value} is 422`, async () => {
		assertProblem(await chosen.api('GET', `/websites?favorite=${value}`), 'validation_failed', ['favorite']);
	});

test('[C-LIST-15] a parameter sent twice: the last one counts', async () => {
	const list = listOf(
		await many.api('GET', '/websites?per_page=10&per_page=25&sort=asc&sort=desc&page=2&page=1'),
	);
	assert.deepEqual(ids(list), newestFirst(many.websites).slice(0, 25));
	assert.equal(list.meta.per_page, 25);
	assertProblem(await many.api('GET', '/websites?per_page=10&per_page=7'), 'validation_failed', ['per_page']);
	listOf(await many.api('GET', '/websites?per_page=7&per_page=10'));
});
for (const name of ['search', 'search_by', 'favorite', 'sort_by', 'sort', 'per_page', 'page'])
	test(`[C-LIST-15] ${name} with brackets is 422`, async () => {
		for (const suffix of ['[]', '[0]', '[a]', '%5B%5D'])
			assertProblem(await some.api('GET', `/websites?${name}${suffix}=1`), 'validation_failed', [name]);
	});

test('[C-LIST-18] label finds the websites that have one of the labels', async () => {
	const owner = await w.account({ timezone: 'UTC' });
	const make = async (labels: string[]) => {
		const made = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
		assert.equal((await owner.api('PUT', `/websites/${made.id}/settings`, { json: { labels } })).status, 200);
		return made.id;
	};
	const [shop, blog, both, plain] = [
		await make(['shop']),
		await make(['blog']),
		await make(['shop', 'blog']),
		await make([]),
	];
	for (const [query, expected] of [
		['label=shop', [both, shop]],
		['label=shop&label=blog', [both, blog, shop]],
		['label=shop,%20blog', [both, blog, shop]],
		['label[]=blog&sort=asc', [blog, both]],
		['label=Shop', []],
		['label=', [plain, both, blog, shop]],
		['label=blog&per_page=10&favorite=0', [both, blog]],
	] as const) {
		const list = listOf(await owner.api('GET', `/websites?${query}`));
		assert.deepEqual([ids(list), list.meta.total], [expected, expected.length], query);
	}
	const { links } = listOf(await owner.api('GET', '/websites?label=shop&label=blog'));
	assert.deepEqual(new URL(links.first).searchParams.getAll('label'), ['shop', 'blog']);
	assertProblem(await owner.api('GET', '/websites?label[x]=1&per_page=7'), 'validation_failed', [
		'label',
		'per_page',
	]);
});

for (const query of [
	'limit=3',
	'offset=5',
	'cursor=x',
	'Page=2',
	'filter[domain]=x',
	'_=1700000000',
	'__proto__=1',
	'=x',
	'&&',
])
	test(`[C-LIST-16] ${query} is ignored`, async () => {
		const plain = listOf(await some.api('GET', '/websites'));
		const list = listOf(await some.api('GET', `/websites?${query}`));
		assert.deepEqual([list.data, list.meta], [plain.data, plain.meta]);
	});

test('[C-LIST-17] several bad parameters are named together', async () => {
	const answer = await some.api(
		'GET',
		'/websites?per_page=7&sort=up&sort_by=x&search_by=x&favorite=x&page=x',
	);
	assertProblem(answer, 'validation_failed', [
		'per_page',
		'sort',
		'sort_by',
		'search_by',
		'favorite',
		'page',
	]);
});
