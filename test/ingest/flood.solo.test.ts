import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { send } from '../support/client.ts';
import { assertProblem, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const token = 'k2Fz9wQ7rB4mXc8LpYv5NdHs3JtGe6Ua';
const w = await world(
	{ after },
	{
		settings: {
			TIDEMARK_TRUSTED_PROXIES: '127.0.0.1',
			TIDEMARK_HIT_LIMIT: '20',
			TIDEMARK_METRICS_TOKEN: token,
		},
	},
);
const owner = await w.account();
const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: 'flood.example' } }), 201);
const hit = (address: string, body: unknown = { w: website.id, u: 'https://flood.example/' }) =>
	send(w.base, 'POST', '/tm', {
		body: JSON.stringify(body),
		headers: {
			'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
			'x-forwarded-for': address,
		},
	});

test('[T30] a network that floods is refused before it is read, others go on, and the number is told', async () => {
	for (let sent = 0; sent < 20; sent++) assert.equal((await hit('203.0.113.9')).status, 202);
	for (let sent = 0; sent < 5; sent++) {
		// Not even JSON: it was not looked at.
		const refused = await hit('203.0.113.9', undefined);
		assertProblem(refused, 'too_many_requests');
		assert.ok(Number(refused.headers['retry-after']) >= 1);
	}
	assert.equal((await hit('203.0.113.10')).status, 202);
	const metrics = await send(w.base, 'GET', '/metrics', { key: token });
	assert.match(metrics.text, /tidemark_http_requests_total\{method="POST",route="\/tm",status="429"\} 5\n/);
});

test('[T30] one who changes the last half of an IPv6 address is still one', async () => {
	for (let sent = 0; sent < 20; sent++)
		assert.equal((await hit(`2001:db8:1:2::${sent.toString(16)}`)).status, 202);
	assert.equal((await hit('2001:db8:1:2:ffff::1')).status, 429);
	assert.equal((await hit('2001:db8:1:3::1')).status, 202);
});

test('[T30] behind a proxy that is not trusted nobody is refused for the others', async () => {
	for (let sent = 0; sent < 25; sent++) assert.equal((await hit('10.0.0.7')).status, 202);
});
