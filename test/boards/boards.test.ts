import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { assertProblem, freshDomain, websiteOf } from '../support/contract.ts';
import { givePassword, signedIn, visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const [owner, other] = [await w.account(), await w.account()];
for (const account of [owner, other]) await givePassword(w, account);
const [browser, stranger] = [await signedIn(w, owner), await signedIn(w, other)];
const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
const hidden = websiteOf(
	await other.api('POST', '/websites', { form: { domain: freshDomain(), privacy: '1' } }),
	201,
);

const card = {
	website_id: website.id,
	view: 'breakdown',
	metric: 'visits',
	dimension: 'source',
	funnel_id: null,
	period: '7d',
	filters: [{ test: 'is', dimension: 'country', values: ['DE'] }],
	segment_id: null,
	width: 6,
};
const board = z.object({
	data: z.object({ id: z.int(), name: z.string(), period: z.string(), cards: z.array(z.unknown()) }),
});
const create = async (body: object, ask = browser) => {
	const answer = await ask('POST', '/boards', { json: body });
	assert.equal(answer.status, 201, answer.text);
	return board.parse(answer.json).data;
};

test('[C-BOARD-2] a board keeps its name, its period and its cards in their order', async () => {
	const number = { website_id: website.id, view: 'number' };
	const { id } = await create({ name: '  Agency  ', cards: [card, number] });
	const saved = board.parse((await browser('GET', `/boards/${id}`)).json).data;
	assert.deepEqual(
		{ name: saved.name, period: saved.period, cards: saved.cards },
		{
			name: 'Agency',
			period: '30d',
			cards: [
				card,
				{
					...number,
					metric: 'visitors',
					dimension: null,
					funnel_id: null,
					period: null,
					filters: [],
					segment_id: null,
					width: 4,
				},
			],
		},
	);
	const changed = await browser('PUT', `/boards/${id}`, {
		json: { name: 'Weekly', period: '7d', cards: saved.cards.toReversed() },
	});
	assert.equal(changed.status, 200, changed.text);
	assert.deepEqual(board.parse(changed.json).data.cards, saved.cards.toReversed());
	const list = z
		.object({ data: z.array(z.object({ id: z.int(), name: z.string(), cards: z.int() })) })
		.parse((await browser('GET', '/boards')).json).data;
	assert.deepEqual(
		list.filter((item) => item.id === id).map(({ name, cards }) => ({ name, cards })),
		[{ name: 'Weekly', cards: 2 }],
	);
	assert.equal((await browser('DELETE', `/boards/${id}`)).status, 200);
	assertProblem(await browser('GET', `/boards/${id}`), 'not_found');
	assertProblem(await browser('DELETE', `/boards/${id}`), 'not_found');
});

test('[C-BOARD-2] what is not a card is refused with the reason', async () => {
	const wrong: [object, RegExp][] = [
		[{ ...card, view: 'pie' }, /view of a card must be one of/],
		[{ ...card, dimension: null }, /must name its dimension/],
		[{ ...card, view: 'number' }, /must name its dimension/],
		[{ ...card, view: 'funnel', dimension: null }, /must name its funnel_id/],
		[{ ...card, width: 5 }, /width of a card must be one of: 3, 4, 6, 8, 12/],
		[{ ...card, period: 'custom' }, /period of a card must be one of/],
		[{ ...card, website_id: 0 }, /website_id of a card must be an id/],
		[{ ...card, filters: [{ test: 'like', dimension: 'page', values: ['x'] }] }, /filter test/],
	];
	for (const [wrongCard, reason] of wrong) {
		const answer = await browser('POST', '/boards', { json: { name: 'Wrong', cards: [wrongCard] } });
		assertProblem(answer, 'validation_failed');
		assert.match(answer.text, reason);
	}
	assert.match(
		(await browser('POST', '/boards', { json: { name: 'Wrong', period: 'custom' } })).text,
		/period of a board must be one of/,
	);
	const many = Array.from({ length: 41 }, () => card);
	assert.match(
		(await browser('POST', '/boards', { json: { name: 'Many', cards: many } })).text,
		/up to 40 cards/,
	);
	assertProblem(await browser('POST', '/boards', { json: { cards: [] } }), 'validation_failed');
});

test('[C-BOARD-1][T110] a board is private to the account that made it', async () => {
	const { id } = await create({ name: 'Private', cards: [card] });
	assertProblem(await stranger('GET', `/boards/${id}`), 'not_found');
	assertProblem(await stranger('PUT', `/boards/${id}`, { json: { name: 'Mine', cards: [] } }), 'not_found');
	assertProblem(await stranger('DELETE', `/boards/${id}`), 'not_found');
	assert.doesNotMatch((await stranger('GET', '/boards')).text, /Private/);
	assertProblem(await visitor(() => w.base)('GET', '/boards'), 'unauthenticated');
	assert.equal((await browser('GET', `/boards/${id}`)).status, 200);
});

test('[C-BOARD-3][T110] a card that names the website of somebody else shows nothing of it', async () => {
	const { id } = await create({ name: 'Curious', cards: [{ ...card, website_id: hidden.id }] });
	const answer = await browser('GET', `/boards/${id}`);
	assert.ok(!answer.text.includes(hidden.domain));
	// What a card shows is asked for with the viewer's own permissions.
	assertProblem(
		await browser('POST', `/websites/${hidden.id}/stats/query`, { json: { period: '7d' } }),
		'not_found',
	);
	const overview = await browser('GET', `/stats?websites=${hidden.id}&period=today`);
	assert.ok(!overview.text.includes(hidden.domain), overview.text);
	// Whether such a website exists cannot be told either.
	await create({ name: 'Nowhere', cards: [{ ...card, website_id: 999_999_999 }] });
});

test('[C-BOARD-2] an account has at most 100 boards, however many are made at once', async () => {
	const account = await w.account();
	await givePassword(w, account);
	const ask = await signedIn(w, account);
	await w.sql(
		`INSERT INTO boards (account_id, name, period, cards, created_at, updated_at)
		SELECT $1, 'Board', '30d', '[]', now(), now() FROM generate_series(1, 98)`,
		[account.id],
	);
	const answers = await Promise.all(
		Array.from({ length: 6 }, () => ask('POST', '/boards', { json: { name: 'One more' } })),
	);
	assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 422, 422, 422, 422]);
	for (const answer of answers.filter(({ status }) => status === 422)) assertProblem(answer, 'limit_reached');
});
