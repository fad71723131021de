import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listOf, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const domains = [
	'harbour-books.example',
	'blog.harbour-books.example',
	'a_b.example',
	'a-b.example',
	'axb.example',
	'x0y.test',
	'www.com',
	'www.www-shop.example',
	'müller.example',
	'пример.рф',
	'203.0.113.7',
	'my-http-tools.example',
];
for (const domain of domains) websiteOf(await owner.api('POST', '/websites', { form: { domain } }), 201);

async function found(search: string): Promise<string[]> {
	const list = listOf(
		await owner.api('GET', `/websites?${new URLSearchParams({ search, per_page: '100', sort: 'asc' })}`),
	);
	assert.equal(list.meta.total, list.data.length);
	return list.data.map(({ domain }) => domain);
}

const both = ['harbour-books.example', 'blog.harbour-books.example'];
const cases: { rule: string; search: string; finds: string[] }[] = [
	{ rule: 'C-SRCH-1', search: 'harbour', finds: both },
	{ rule: 'C-SRCH-1', search: 'HARBOUR', finds: both },
	{ rule: 'C-SRCH-1', search: 'bour-bo', finds: both },
	{ rule: 'C-SRCH-1', search: 'blog.', finds: ['blog.harbour-books.example'] },
	{ rule: 'C-SRCH-1', search: 'harbour-books.example', finds: both },
	{ rule: 'C-SRCH-1', search: '.test', finds: ['x0y.test'] },
	{ rule: 'C-SRCH-1', search: '0.113', finds: ['203.0.113.7'] },
	{ rule: 'C-SRCH-1', search: 'nothing-of-the-kind', finds: [] },
	{ rule: 'C-SRCH-1', search: 'harbour books', finds: [] },
	{ rule: 'C-SRCH-1', search: 'x'.repeat(5_000), finds: [] },
	{ rule: 'C-SRCH-2', search: '%', finds: [] },
	{ rule: 'C-SRCH-2', search: '_', finds: ['a_b.example'] },
	{ rule: 'C-SRCH-2', search: 'a_b', finds: ['a_b.example'] },
	{ rule: 'C-SRCH-2', search: 'a%b', finds: [] },
	{ rule: 'C-SRCH-2', search: '\\', finds: [] },
	{ rule: 'C-SRCH-2', search: 'a\\_b', finds: [] },
	{ rule: 'C-SRCH-2', search: '*', finds: [] },
	{ rule: 'C-SRCH-2', search: 'h?rbour', finds: [] },
	{ rule: 'C-SRCH-2', search: "'", finds: [] },
	{ rule: 'C-SRCH-2', search: "' OR 1=1 --", finds: [] },
	{ rule: 'C-SRCH-2', search: '.*', finds: [] },
	{ rule: 'C-SRCH-2', search: '[a-z]', finds: [] },
	{ rule: 'C-SRCH-3', search: 'müller.example', finds: ['xn--mller-kva.example'] },
	{ rule: 'C-SRCH-3', search: 'MÜLLER', finds: ['xn--mller-kva.example'] },
	{ rule: 'C-SRCH-3', search: 'mu\u0308ller', finds: ['xn--mller-kva.example'] },
	{ rule: 'C-SRCH-3', search: 'ülle', finds: ['xn--mller-kva.example'] },
	{ rule: 'C-SRCH-3', search: 'xn--mller-kva', finds: ['xn--mller-kva.example'] },
	{ rule: 'C-SRCH-3', search: 'mller', finds: ['xn--mller-kva.example'] },
	{ rule: 'C-SRCH-3', search: 'пример', finds: ['xn--e1afmkfd.xn--p1ai'] },
	{ rule: 'C-SRCH-3', search: 'ПРИМЕР.РФ', finds: ['xn--e1afmkfd.xn--p1ai'] },
	{ rule: 'C-SRCH-3', search: '.рф', finds: ['xn--e1afmkfd.xn--p1ai'] },
	{ rule: 'C-SRCH-4', search: 'https://harbour', finds: both },
	{ rule: 'C-SRCH-4', search: 'http://harbour', finds: both },
	{ rule: 'C-SRCH-4', search: 'HTTPS://WWW.harbour', finds: both },
	{ rule: 'C-SRCH-4', search: 'www.harbour', finds: both },
	{ rule: 'C-SRCH-4', search: 'www.com', finds: ['www.com'] },
	{ rule: 'C-SRCH-4', search: 'www.', finds: ['www.com'] },
	{ rule: 'C-SRCH-4', search: 'www', finds: ['www.com', 'www-shop.example'] },
	{ rule: 'C-SRCH-4', search: 'www.www', finds: ['www.com', 'www-shop.example'] },
	{ rule: 'C-SRCH-4', search: 'http', finds: ['my-http-tools.example'] },
	{ rule: 'C-SRCH-5', search: '0', finds: ['x0y.test', '203.0.113.7'] },
	{ rule: 'C-SRCH-5', search: 'false', finds: [] },
	{ rule: 'C-SRCH-6', search: 'harbour\0', finds: [] },
	{ rule: 'C-SRCH-6', search: '\0', finds: [] },
	{ rule: 'C-SRCH-6', search: 'har\nbour', finds: [] },
	{ rule: 'C-SRCH-6', search: '\u0007', finds: [] },
	{ rule: 'C-SRCH-6', search: 'har\u007fbour', finds: [] },
];
for (const { rule, search, finds } of cases)
	test(`[${rule}] ${JSON.stringify(search.slice(0, 40))} finds ${finds.length}`, async () => {
		assert.deepEqual(await found(search), finds);
	});

test('[C-SRCH-5] an empty search finds all', async () => {
	assert.equal((await found('')).length, domains.length);
});
test('[C-SRCH-6] bytes that are no text find nothing and are no error', async () => {
	for (const search of ['%FF', '%C3', '%ED%A0%80', '%00'])
		assert.deepEqual(listOf(await owner.api('GET', `/websites?search=${search}`)).data, []);
});
test('[C-SRCH-1] search, filter and order work together', async () => {
	const first = listOf(await owner.api('GET', '/websites?search=harbour&sort_by=domain&sort=asc')).data;
	assert.deepEqual(
		first.map(({ domain }) => domain),
		['blog.harbour-books.example', 'harbour-books.example'],
	);
	const [blog] = first;
	await owner.api('PUT', `/websites/${blog?.id}`, { form: { favorite: '1' } });
	const starred = listOf(await owner.api('GET', '/websites?search=harbour&favorite=1'));
	assert.deepEqual(
		starred.data.map(({ domain }) => domain),
		['blog.harbour-books.example'],
	);
	assert.deepEqual(listOf(await owner.api('GET', '/websites?search=a_b&favorite=1')).data, []);
});
