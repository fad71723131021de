import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { client, send } from '../support/client.ts';
import { assertProblem, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: 'door.example' } }), 201);
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const page = 'https://door.example/a';
const post = (body: unknown, headers: Record<string, string> = {}) =>
	send(w.base, 'POST', '/tm', {
		body: typeof body === 'string' ? body : JSON.stringify(body),
		headers: { 'user-agent': agent, ...headers },
	});

test('a hit is answered 202 with nothing in it, for any origin, and is cached by nobody', async () => {
	const answer = await post({ w: website.id, u: page });
	assert.equal(answer.status, 202);
	assert.equal(answer.text, '');
	assert.equal(answer.headers['access-control-allow-origin'], '*');
	assert.equal(answer.headers['cache-control'], 'no-store');
	assert.equal(answer.headers['x-tidemark-dropped'], undefined);
});

test('a hit that is left out is answered alike, and a header says why', async () => {
	for (const [headers, reason] of [
		[{ 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' }, 'bot'],
		[{ 'sec-gpc': '1' }, 'privacy_signal'],
		[{ dnt: '1' }, 'privacy_signal'],
		[{ 'sec-purpose': 'prefetch' }, 'prefetch'],
	] as const) {
		const answer = await post({ w: website.id, u: page }, headers);
		assert.deepEqual([answer.status, answer.headers['x-tidemark-dropped']], [202, reason]);
	}
	const foreign = await post({ w: website.id, u: 'https://elsewhere.example/' });
	assert.equal(foreign.headers['x-tidemark-dropped'], 'foreign_hostname');
});

const faulty: [string, string | object, number, 'bad_request' | 'not_found' | 'body_too_large'][] = [
	['broken JSON', '{"w":', 400, 'bad_request'],
	['no object', '[]', 400, 'bad_request'],
	['no website', { u: page }, 400, 'bad_request'],
	['a website that is none', { w: 999_999, u: page }, 404, 'not_found'],
	['a website that is text', { w: '1; DROP TABLE events', u: page }, 400, 'bad_request'],
	['65 KiB', { w: website.id, u: page, t: 'x'.repeat(66_560) }, 413, 'body_too_large'],
];
for (const [what, body, status, code] of faulty)
	test(`${what} is ${status}`, async () => {
		const answer = await post(body);
		assert.equal(answer.status, status, answer.text);
		assertProblem(answer, code);
		assert.equal(answer.headers['access-control-allow-origin'], '*', 'the tracker must be able to read it');
	});

test('the pixel counts the page that shows it and is an image', async () => {
	const answer = await send(w.base, 'GET', `/tm.gif?w=${website.id}`, {
		headers: { 'user-agent': agent, referer: page },
	});
	assert.equal(answer.status, 200);
	assert.equal(answer.headers['content-type'], 'image/gif');
	assert.equal(answer.headers['x-tidemark-dropped'], undefined);
	assert.equal((await send(w.base, 'GET', '/tm.gif', { headers: { 'user-agent': agent } })).status, 400);
});

test('a key is of no use here, and none is needed', async () => {
	const answer = await client(w.base)('GET', '/account');
	assert.equal(answer.status, 401);
	assert.equal((await post({ w: website.id, u: page }, { authorization: 'Bearer nonsense' })).status, 202);
});
