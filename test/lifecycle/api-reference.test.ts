import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answer, send } from '../support/client.ts';
import { type World, world } from '../support/world.ts';

let w: World;
const cleaning: (() => Promise<void>)[] = [];
before(async () => {
	w = await world(
		{ after: (work) => void cleaning.unshift(work) },
		{ settings: { TIDEMARK_SECURITY_CONTACT: 'mailto:security@example.test' } },
	);
});
after(async () => {
	for (const work of cleaning) await work();
});

/** Names of namespaces look like addresses and are fetched by nobody. */
const foreignHosts = (text: string) =>
	(text.match(/(?:https?:)?\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+[^\s"'`)<]*/gi) ?? []).filter(
		(address) => !/^http:\/\/www\.w3\.org\//.test(address),
	);

const withoutComments = (script: string) => script.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

function policyOf({ headers }: Answer): Map<string, string[]> {
	const directives = (headers['content-security-policy'] ?? '')
		.split(';')
		.map((part) => part.trim().split(/\s+/));
	return new Map(directives.map(([name = '', ...values]) => [name, values]));
}

test('the reference is served from here and needs nothing from anywhere else', async () => {
	const page = await send(w.base, 'GET', '/docs/api');
	assert.equal(page.status, 200);
	assert.match(page.headers['content-type'] ?? '', /^text\/html/);
	assert.deepEqual(foreignHosts(page.text), []);
	const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
	assert.ok(assets.length >= 4, page.text);
	const kinds = new Set<string>();
	for (const path of assets) {
		assert.match(path, /^\/docs\/api\/[^/]/, 'on this host');
		const asset = await send(w.base, 'GET', path);
		assert.equal(asset.status, 200, path);
		assert.equal(asset.headers['x-content-type-options'], 'nosniff');
		if (path.endsWith('.css')) {
			kinds.add('style');
			assert.doesNotMatch(asset.text, /@import/, path);
			for (const [, target = ''] of asset.text.matchAll(/url\(["']?([^)"']+)/g))
				assert.match(target, /^(data:|\/docs\/api\/|\.?\/?[a-z])/i, `${path}: ${target}`);
			assert.deepEqual(foreignHosts(withoutComments(asset.text).replace(/url\("data:.*?"\)/g, '')), [], path);
		}
		if (path.endsWith('initializer.js')) {
			kinds.add('start');
			assert.deepEqual(foreignHosts(withoutComments(asset.text)), [], path);
		}
	}
	assert.deepEqual(kinds, new Set(['style', 'start']));
});

test('[T107] the policy of the page allows nothing inline, nothing from outside and no frame', async () => {
	const policy = policyOf(await send(w.base, 'GET', '/docs/api'));
	assert.ok(policy.has('default-src'));
	for (const [name, values] of policy)
		for (const value of values)
			assert.match(value, /^('none'|'self'|'sha(256|384|512)-[A-Za-z0-9+/=]+'|data:)$/, `${name} ${value}`);
	assert.deepEqual(policy.get('frame-ancestors'), ["'none'"]);
});

test('everything else is answered with a policy that allows nothing', async () => {
	for (const path of ['/health/live', '/nowhere', '/api/v1/account', '/api/v1/openapi.json']) {
		const policy = policyOf(await send(w.base, 'GET', path));
		assert.deepEqual(
			[...policy],
			[
				['default-src', ["'none'"]],
				['frame-ancestors', ["'none'"]],
			],
			path,
		);
	}
});

test('the document that the page shows is the one that programs get', async () => {
	const [shown, given] = await Promise.all([
		send(w.base, 'GET', '/docs/api/json'),
		send(w.base, 'GET', '/api/v1/openapi.json'),
	]);
	assert.equal(shown.status, 200);
	assert.deepEqual(shown.json, given.json);
});

test('[T99] security.txt names the contact of the operator and when it expires; without a setting there is none', async (t) => {
	const answer = await send(w.base, 'GET', '/.well-known/security.txt');
	assert.equal(answer.status, 200);
	assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
	const [, expires = ''] =
		/^Contact: mailto:security@example\.test\nExpires: (\S+)\nCanonical: http\S+\/\.well-known\/security\.txt\n$/.exec(
			answer.text,
		) ?? [];
	const days = (Date.parse(expires) - Date.now()) / 86_400_000;
	assert.ok(days > 30 && days < 366, answer.text);
	const other = await world(t);
	assert.equal((await send(other.base, 'GET', '/.well-known/security.txt')).status, 404);
});
