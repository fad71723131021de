import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readConfig } from '../../server/config.ts';
import { callControl, controlPath } from '../../server/control/call.ts';
import { createLog } from '../../server/lib/log.ts';
import { startService } from '../../server/main.ts';
import { startClickHouseServer } from '../support/clickhouse-server.ts';
import { client } from '../support/client.ts';
import { assertProblem } from '../support/contract.ts';
import { oneSecret } from '../support/one-secret.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });

test('[T08] a key in full use is dead at the first request after its revocation', async () => {
	for (let round = 0; round < 10; round++) {
		const key = await w.key(owner, {});
		const api = client(w.base, key.key);
		// Warm: whatever may be remembered of a key is remembered now.
		for (const { status } of await Promise.all(Array.from({ length: 10 }, () => api('GET', '/websites'))))
			assert.equal(status, 200);
		await w.revokeKey(key.id);
		for (let n = 0; n < 5; n++) assertProblem(await api('GET', '/websites'), 'unauthenticated');
	}
});

test('[T08] a revocation in the middle of traffic: never 200 after it was done', async () => {
	const key = await w.key(owner, {});
	const api = client(w.base, key.key);
	let revoked = false;
	let late = 0;
	const traffic = Array.from({ length: 8 }, async () => {
		for (let n = 0; n < 40; n++) {
			const wasRevoked = revoked;
			const { status } = await api('GET', '/websites');
			if (wasRevoked && status !== 401) late++;
		}
	});
	await w.revokeKey(key.id);
	revoked = true;
	await Promise.all(traffic);
	assert.equal(late, 0);
});

test('[T08] a rotated key is dead at once, its successor alive', async () => {
	const former = await w.key(owner, {});
	const api = client(w.base, former.key);
	assert.equal((await api('GET', '/websites')).status, 200);
	const next = await w.rotateKey(former.id);
	assertProblem(await api('GET', '/websites'), 'unauthenticated');
	assert.equal((await client(w.base, next.key)('GET', '/websites')).status, 200);
});

test('[T08] a key that another process took away in the database is dead within five seconds', async () => {
	const key = await w.key(owner, {});
	const api = client(w.base, key.key);
	assert.equal((await api('GET', '/websites')).status, 200);
	await w.sql('DELETE FROM api_keys WHERE id = $1', [key.id]);
	const begin = performance.now();
	while ((await api('GET', '/websites')).status === 200) {
		assert.ok(performance.now() - begin < 6_000, 'still alive after six seconds');
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
});

test('[T08] a revocation in one process holds in another one on the same database', {
	timeout: 60_000,
}, async (t) => {
	const server = await startPostgresServer();
	t.after(server.stop);
	const clickhouse = await startClickHouseServer(t);
	const start = async () => {
		const folder = mkdtempSync(join(tmpdir(), 'tidemark-two-'));
		const config = readConfig({
			...{ TIDEMARK_DATA: folder, TIDEMARK_PORT: '0' },
			...{ DATABASE_URL: server.url, CLICKHOUSE_URL: clickhouse.url, TIDEMARK_SECRET: oneSecret },
		});
		const service = await startService(config, { log: createLog('silent') });
		t.after(async () => {
			await service.stop();
			rmSync(folder, { recursive: true, force: true });
		});
		return { config, base: service.address };
	};
	const [here, there] = [await start(), await start()];
	const about = { name: 'Two processes', email: 'two@example.test' };
	const made = await callControl(controlPath(here.config), 'account.create', about, () => undefined);
	assert.ok(made);
	const elsewhere = client(there.base, made.result.secret);
	for (let n = 0; n < 5; n++) assert.equal((await elsewhere('GET', '/websites')).status, 200);
	const [key] =
		(await callControl(controlPath(here.config), 'key.list', { email: about.email }, () => undefined))
			?.result ?? [];
	await callControl(controlPath(here.config), 'key.revoke', { id: key?.id ?? 0 }, () => undefined);
	const begin = performance.now();
	while ((await elsewhere('GET', '/websites')).status === 200) assert.ok(performance.now() - begin < 1_000);
	t.diagnostic(`dead in the other process after ${(performance.now() - begin).toFixed(1)} ms`);
	assertProblem(await elsewhere('GET', '/websites'), 'unauthenticated');
});
