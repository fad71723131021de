import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { quickest } from '../support/best-of.ts';
import { client, send } from '../support/client.ts';
import { assertStatus, freshDomain } from '../support/contract.ts';
import {
	keyOn,
	postmasterOf,
	spawnService,
	startServiceProcess,
	tidemark,
	until,
} from '../support/service.ts';

test('[F11] a killed PostgreSQL is up again within two seconds; meanwhile 503 without details', async (t) => {
	const service = await startServiceProcess(t);
	const key = await keyOn(service);
	const api = client(service.base, key);
	assertStatus(await api('GET', '/websites'), 200);
	/** Gives the time of the last answer that failed. */
	const killAndWait = async () => {
		const postmaster = postmasterOf(service.folder);
		assert.ok(postmaster);
		const answers: { status: number; text: string; at: number }[] = [];
		const killedAt = performance.now();
		process.kill(postmaster, 'SIGKILL');
		let recovered = 0;
		while (recovered < 20 && performance.now() - killedAt < 15_000) {
			const burst = await Promise.all([
				api('GET', '/websites'),
				api('POST', '/websites', { form: { domain: freshDomain() } }),
				api('GET', '/account'),
			]);
			for (const { status, text } of burst) answers.push({ status, text, at: performance.now() - killedAt });
			recovered = burst.every(({ status }) => status < 300) ? recovered + 1 : 0;
			await sleep(10);
		}
		const bad = answers.filter(({ status }) => status >= 300);
		assert.equal(recovered, 20, `it never recovered: ${bad.at(-1)?.text}`);
		for (const { status, text } of bad) {
			assert.equal(status, 503, text);
			assert.doesNotMatch(text, /postgres|ECONN|ENOENT|socket|terminat|\/tmp/i);
			assert.equal(JSON.parse(text).code, 'unavailable');
		}
		assert.notEqual(postmasterOf(service.folder), postmaster);
		const lastBad = Math.max(0, ...bad.map(({ at }) => at));
		t.diagnostic(`the last failed answer came ${Math.round(lastBad)} ms after the kill`);
		return lastBad;
	};
	const backMs = await quickest(2_000, killAndWait);
	assert.ok(backMs < 2_000, `${backMs} ms`);

	// Keys are heard of again and the folder is still locked: what hung on the old connections came back.
	const made = await tidemark(['key', 'list', '--json', '--data', service.folder]);
	const [first] = JSON.parse(made.stdout);
	assert.equal((await tidemark(['key', 'revoke', String(first.id), '--data', service.folder])).code, 0);
	assert.equal((await api('GET', '/account')).status, 401);
	assert.equal(await spawnService(t, { folder: service.folder }).exited, 1);
	assert.equal(await service.stop(), 0);
});

test('[F11] a request during the outage is answered, not left hanging', async (t) => {
	const service = await startServiceProcess(t);
	const key = await keyOn(service);
	const postmaster = postmasterOf(service.folder) ?? 0;
	const started = performance.now();
	process.kill(postmaster, 'SIGKILL');
	const ready = await send(service.base, 'GET', '/health/ready');
	assert.ok([200, 503].includes(ready.status), ready.text);
	assert.equal((await send(service.base, 'GET', '/health/live')).status, 200);
	await client(service.base, key)('GET', '/account');
	assert.ok(performance.now() - started < 5_000);
	await until(
		async () => (await send(service.base, 'GET', '/health/ready')).status === 200,
		5_000,
		'it is ready',
	);
	assert.equal(await service.stop(), 0);
});
