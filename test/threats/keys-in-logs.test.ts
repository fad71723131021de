import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { hasKeyForm, makeKey } from '../../server/accounts/keys.ts';
import { send } from '../support/client.ts';
import { assertProblem, assertStatus } from '../support/contract.ts';
import { exchange, wireRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const { key, api } = await w.account({ timezone: 'UTC' });

test('[T06] a key in an address is 401 and not in the log', async () => {
	const paths = [
		`/api/v1/websites?api_key=${key}`,
		`/api/v1/websites?access_token=${key}&x=1`,
		`/api/v1/${key}`,
		`/api/v1/websites/${key}`,
		`/${key}?key=${key}`,
		`/app/api/session?token=${key}`,
		`/setup?token=${key}`,
	];
	for (const path of paths) {
		const { status } = await send(w.base, 'GET', path);
		assert.ok([401, 404].includes(status), `${path}: ${status}`);
		if (path.startsWith('/api/v1')) assert.equal(status, 401);
	}
	// A page is the same for everybody, whatever stands behind its address.
	await send(w.base, 'GET', `/set-up?token=${key}`);
	assert.equal(w.log().includes(key), false);
	assert.equal(w.log().includes(key.slice(3)), false);
});

test('[T06] nor in the log when the key comes in all the other places', async () => {
	assertStatus(await api('GET', '/account'), 200);
	assertProblem(await api('GET', `/websites?per_page=${key}`), 'validation_failed', ['per_page']);
	assertProblem(await api('POST', '/websites', { form: { domain: key } }), 'validation_failed', ['domain']);
	await api('POST', '/websites', {
		json: { [key]: key },
		headers: { 'idempotency-key': key, 'x-request-id': key },
	});
	await api('PUT', `/websites/${key}`, {
		body: `{"a":"${key}"`,
		headers: { 'content-type': 'application/json' },
	});
	await wireRequest(w.base, {
		path: '/api/v1/account',
		headers: [
			['Authorization', `Bearer ${key}`],
			['Authorization', key],
		],
	});
	await exchange(
		w.base,
		`GET /api/v1/account HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nbroken header ${key}\r\n\r\n`,
		2_000,
	);
	const log = w.log();
	assert.match(log, /"route":"\/api\/v1\/account"/);
	assert.equal(log.includes(key.slice(3, 30)), false);
	assert.doesNotMatch(log, /tm_[0-9A-Za-z]{20}/);
});

test('[T06] the checksum tells a key from a mistyped one, without the service', () => {
	const letters = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
	for (const real of [key, makeKey(), makeKey()]) {
		assert.equal(hasKeyForm(real), true);
		for (let at = 0; at < real.length; at++)
			for (const letter of letters) {
				const typed = real.slice(0, at) + letter + real.slice(at + 1);
				if (typed !== real) assert.equal(hasKeyForm(typed), false, `${at} ${letter}`);
			}
		for (let at = 3; at + 1 < real.length; at++) {
			const swapped = real.slice(0, at) + real[at + 1] + real[at] + real.slice(at + 2);
			if (swapped !== real) assert.equal(hasKeyForm(swapped), false, `swapped at ${at}`);
		}
	}
});
