import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { createLog } from '../../server/lib/log.ts';
import { createClickHouse } from '../../server/store/clickhouse.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { assertSameClickHouse } from '../../server/store/same-clickhouse.ts';
import { sql } from '../../server/store/sql.ts';
import { startClickHouseServer } from '../support/clickhouse-server.ts';
import { send } from '../support/client.ts';
import { oneSecret } from '../support/one-secret.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { spawnService, startServiceProcess, temporaryFolder } from '../support/service.ts';

async function startDatabase(t: TestContext) {
	const server = await startPostgresServer();
	t.after(() => server.stop());
	const run = async (text: string) => {
		const connection = new pg.Client({ connectionString: server.url });
		await connection.connect();
		try {
			return (await connection.query(text)).rows;
		} finally {
			await connection.end();
		}
	};
	return { url: server.url, run };
}

test('a service with a ClickHouse of its own is refused on the database of another one, and told what to do', async (t) => {
	const { url, run } = await startDatabase(t);
	const settings = { DATABASE_URL: url, TIDEMARK_SECRET: oneSecret };
	const first = await startServiceProcess(t, { settings });
	const other = join(temporaryFolder(t), 'data');
	const refused = spawnService(t, { folder: other, settings });
	assert.equal(await refused.exited, 1);
	const said = refused.output();
	assert.match(said, /are in another ClickHouse than the one of this service/);
	for (const mend of [/set CLICKHOUSE_URL of all/, /set DATABASE_URL of this one/, /DELETE FROM engine;/])
		assert.match(said, mend);
	assert.equal((await send(first.base, 'GET', '/health/ready')).status, 200, 'the first does not notice');
	assert.equal(await first.stop(), 0);

	// It is its data that count, not where they lie.
	const moved = join(temporaryFolder(t), 'moved');
	renameSync(first.folder, moved);
	const again = await startServiceProcess(t, { folder: moved, settings });
	assert.equal(await again.stop(), 0);
	assert.equal(await spawnService(t, { folder: other, settings }).exited, 1, 'also while the first is away');

	// What the refusal says: the first ClickHouse is gone for good.
	await run('DELETE FROM engine');
	const successor = await startServiceProcess(t, { folder: other, settings });
	assert.equal(await successor.stop(), 0);
	assert.equal(await spawnService(t, { folder: moved, settings }).exited, 1);
	// And with a database of its own it runs.
	const own = await startDatabase(t);
	const apart = await startServiceProcess(t, { folder: moved, settings: { DATABASE_URL: own.url } });
	assert.equal(await apart.stop(), 0);
	assert.equal((await own.run('SELECT id FROM engine')).length, 1);
});

test('services that start at once with one ClickHouse all run; one with another is refused', async (t) => {
	const { url } = await startDatabase(t);
	const clickhouse = await startClickHouseServer(t);
	const settings = { DATABASE_URL: url, CLICKHOUSE_URL: clickhouse.url, TIDEMARK_SECRET: oneSecret };
	const services = await Promise.all([1, 2, 3].map(() => startServiceProcess(t, { settings })));
	const stray = spawnService(t, {
		folder: join(temporaryFolder(t), 'data'),
		settings: { DATABASE_URL: url, TIDEMARK_SECRET: oneSecret },
	});
	assert.equal(await stray.exited, 1);
	for (const service of services) {
		assert.equal((await send(service.base, 'GET', '/health/ready')).status, 200);
		assert.equal(await service.stop(), 0);
	}

	// All at the same moment, on a ClickHouse that has no id yet.
	const log = createLog('silent', () => undefined);
	const stores = {
		postgres: openPostgres({ connectionString: url }, { log }),
		clickhouse: createClickHouse(clickhouse.url, { log }),
	};
	await stores.postgres.run(sql`DELETE FROM engine`);
	await stores.clickhouse.command(sql`TRUNCATE TABLE engine`);
	const checked = Array.from({ length: 8 }, () => assertSameClickHouse(stores.postgres, stores.clickhouse));
	const outcomes = await Promise.allSettled(checked);
	await Promise.all([stores.postgres.close(), stores.clickhouse.close()]);
	assert.deepEqual([...new Set(outcomes.map(({ status }) => status))], ['fulfilled']);
});
