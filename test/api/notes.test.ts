import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertProblem, freshDomain, itemOf, itemsOf, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'Pacific/Kiritimati' });
const create = async () =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201).id;
const website = await create();
const post = (date: unknown, text: unknown = 'x', at = website) =>
	owner.api('POST', `/websites/${at}/notes`, { json: { date, text } });

for (const date of ['1970-01-01', '2024-02-29', '2026-11-15', '9999-12-31'])
	test(`[C-NOTE-1] the date ${date} comes back as it is`, async () => {
		const { id } = itemOf('notes', await post(date), 201);
		const note = itemOf('notes', await owner.api('GET', `/websites/${website}/notes/${id}`));
		assert.equal(note.date, date);
	});
for (const date of [
	'1969-12-31',
	'0000-01-01',
	'2025-02-29',
	'2026-13-01',
	'2026-11-31',
	'2026-1-1',
	'15.11.2026',
	'2026-11-15T00:00:00Z',
	'today',
	'infinity',
	'',
	20261115,
	null,
])
	test(`[C-NOTE-1] the date ${JSON.stringify(date)} is 422`, async () => {
		const problem = assertProblem(await post(date), 'validation_failed', ['date']);
		assert.match(problem.detail, /must be a date such as 2026-11-15, from 1970-01-01 on/);
	});

test('[C-NOTE-1] a text has 1 to 500 characters, with line ends and all', async () => {
	for (const text of ['x', '👋'.repeat(500), 'New page\n\n* "one"\n* \\two\\'])
		assert.equal(itemOf('notes', await post('2026-11-15', text), 201).text, text);
	assert.equal(itemOf('notes', await post('2026-11-15', ' Launch\n'), 201).text, 'Launch');
	for (const text of ['', '  \n', '👋'.repeat(501), 'a\0b', null, 5])
		assertProblem(await post('2026-11-15', text), 'validation_failed', ['text']);
});

test('[C-NOTE-2] the latest day first, and within a day the latest note; from and to bound it', async () => {
	const site = await create();
	const days = ['2026-03-02', '2026-03-01', '2026-03-03', '2026-03-02', '2026-02-28'];
	for (const [n, date] of days.entries()) itemOf('notes', await post(date, `note ${n}`, site), 201);
	const found = async (query: string) =>
		itemsOf('notes', await owner.api('GET', `/websites/${site}/notes?${query}`)).data.map(({ text }) =>
			Number(text.slice(-1)),
		);
	assert.deepEqual(await found(''), [2, 3, 0, 1, 4]);
	assert.deepEqual(await found('from=2026-03-01&to=2026-03-02'), [3, 0, 1]);
	assert.deepEqual(await found('from=2026-03-02&to=2026-03-02'), [3, 0]);
	assert.deepEqual(await found('from=2026-03-03'), [2]);
	assert.deepEqual(await found('to=2026-02-28&from='), [4]);
	assert.deepEqual(await found('to=2026-02-27'), []);
	const page = itemsOf(
		'notes',
		await owner.api('GET', `/websites/${site}/notes?from=2026-03-01&to=2026-03-02`),
	);
	assert.equal(page.meta.total, 3);
	assert.ok(page.links.first.endsWith('/notes?from=2026-03-01&to=2026-03-02&page=1'));
});

test('[C-NOTE-2] what is no date, and an end before the beginning, is 422', async () => {
	const list = (query: string) => owner.api('GET', `/websites/${website}/notes?${query}`);
	assertProblem(await list('from=yesterday&to=2026-02-30'), 'validation_failed', ['from', 'to']);
	assertProblem(await list('from[]=2026-01-01'), 'validation_failed', ['from']);
	assertProblem(await list('from=2026-03-02&to=2026-03-01'), 'validation_failed', ['to']);
});
