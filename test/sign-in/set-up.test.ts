import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem } from '../support/contract.ts';
import { startServiceProcess, tidemark, until } from '../support/service.ts';
import { goodPassword, visitor } from '../support/visitor.ts';

test('[C-SIGN-9] the first account is made by the link, with a password and the public address', async (t) => {
	const service = await startServiceProcess(t);
	await until(() => service.setupUrl() !== undefined, 5_000, 'the link is printed');
	const token = new URL(service.setupUrl() ?? '').hash.replace('#token=', '');
	const browser = visitor(() => service.base);
	const fields = {
		name: 'Ann',
		email: 'ann@example.test',
		password: goodPassword,
		timezone: 'Europe/Berlin',
	};
	const isNeeded = async () => (await browser('GET', '/session/set-up')).text;
	assert.equal(await isNeeded(), '{"data":{"is_needed":true}}');
	const setUp = (json: Record<string, unknown>) => browser('POST', '/session/set-up', { json });
	assertProblem(await setUp({ ...fields, token: `${token}x` }), 'not_found');
	assertProblem(await setUp({ ...fields, token, password: 'short' }), 'validation_failed', ['password']);
	for (const address of [
		'stats.example.org',
		'https://stats.example.org/x',
		'https://a@b.example',
		'ftp://x',
	])
		assertProblem(await setUp({ ...fields, token, public_address: address }), 'validation_failed', [
			'public_address',
		]);
	assertProblem(await setUp({ ...fields, token, timezone: 'Nowhere' }), 'validation_failed', ['timezone']);
	const made = await setUp({ ...fields, token, public_address: 'http://Stats.example.org' });
	assert.equal(made.status, 200, made.text);
	assert.deepEqual(
		[...browser.cookies.keys()].sort(),
		['tidemark', 'tidemark-device'],
		'plain HTTP has no __Host- cookie',
	);
	assert.doesNotMatch(browser.cookies.get('tidemark')?.line ?? '', /secure/i);
	assertProblem(await setUp({ ...fields, token }), 'not_found');

	assert.equal(await isNeeded(), '{"data":{"is_needed":false}}');
	const facts = await browser('GET', '/session');
	assert.match(facts.text, /"public_address":\{"url":"http:\/\/stats\.example\.org","is_set":true\}/);
	const website = await browser('POST', '/websites', { json: { domain: 'example.com' } });
	assert.equal(website.headers.location, 'http://stats.example.org/app/api/websites/1');
	const reset = await tidemark(['account', 'reset', 'ann@example.test', '--data', service.folder]);
	assert.match(
		reset.stdout,
		/^Link to set the password of .*: http:\/\/stats\.example\.org\/password#token=[\w-]{43}\n$/,
	);
	assert.ok(!service.output().includes(goodPassword), 'no password is in a log');
	assert.equal(await service.stop(), 0);

	const again = await startServiceProcess(t, { folder: service.folder });
	assert.match(again.stdout(), /Tidemark is ready at http:\/\/stats\.example\.org/);
	assert.equal(await again.stop(), 0);
});

test('[C-SIGN-9] the link of the command line gives a new account its password', async (t) => {
	const service = await startServiceProcess(t);
	const made = await tidemark([
		...['account', 'create', '--json', '--data', service.folder],
		...['--email', 'bob@example.test', '--name', 'Bob'],
	]);
	const token = new URL(JSON.parse(made.stdout).link).hash.replace('#token=', '');
	const browser = visitor(() => service.base);
	const look = await browser('POST', '/session/link', { json: { token } });
	assert.equal(look.text, '{"data":{"purpose":"invitation","email":"bob@example.test"}}');
	const set = await browser('PUT', '/session/link', { json: { token, password: goodPassword } });
	assert.equal(set.status, 200, set.text);
	const json = { email: 'bob@example.test', password: goodPassword };
	assert.equal((await browser('POST', '/session', { json })).status, 200);
	assert.equal((await browser('GET', '/account')).status, 200);
	assert.equal(await service.stop(), 0);
});
