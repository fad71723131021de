/** A folder changes hands while its database closes: here it is closed on purpose, at the very moment that matters. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../server/config.ts';
import { createLog } from '../../server/lib/log.ts';
import { readOrMakeSecret } from '../../server/lib/secrets.ts';
import { openStores } from '../../server/main.ts';
import { isPostgresRunning, startEmbeddedPostgres } from '../../server/store/embedded-postgres.ts';
import { FolderInUse, lockFolder } from '../../server/store/folder-lock.ts';
import { isUnreachable, openPostgres } from '../../server/store/postgres.ts';
import { sql } from '../../server/store/sql.ts';
import { isAlive, postmasterOf, temporaryFolder, until } from '../support/service.ts';

const log = createLog('silent', () => undefined);

async function startDatabase(t: TestContext) {
	const dataFolder = join(temporaryFolder(t), 'data');
	const password = readOrMakeSecret(dataFolder, 'postgres');
	const embedded = await startEmbeddedPostgres({ dataFolder, password, log });
	t.after(() => embedded.stop());
	return { dataFolder, embedded, open: () => openPostgres(embedded.connection, { log }) };
}

const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
	work.then(
		() => undefined,
		(error: unknown) => error,
	);

const asleep = sql`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;

test('who keeps the folder to the end has it until its database is gone; who releases it has it no longer', async (t) => {
	const { dataFolder, embedded, open } = await startDatabase(t);
	const [first, second] = [open(), open()];
	const early = await lockFolder(first, dataFolder, log);
	await early.release();
	const lock = await lockFolder(first, dataFolder, log);
	await lock.keepToTheEnd();
	await first.close();
	const refusal = await thrownBy(lockFolder(second, dataFolder, log).then((taken) => taken.release()));
	assert.ok(refusal instanceof FolderInUse, String(refusal));
	await second.close();
	await embedded.stop();

	const next = await startEmbeddedPostgres({ dataFolder, password: embedded.connection.password, log });
	const third = openPostgres(next.connection, { log });
	await (await lockFolder(third, dataFolder, log)).release();
	await third.close();
	await next.stop();
});

test('a service that is closing has its folder for as long as its database runs', async (t) => {
	const config = readConfig({ TIDEMARK_DATA: join(temporaryFolder(t), 'data') });
	const stores = await openStores(config, { log, statistics: false });
	// It must wait for this one, after it has done all else.
	const slow = stores.postgres.rows(sql`SELECT pg_sleep(3)`);
	await until(async () => (await stores.postgres.rows(asleep)).length === 1, 5_000, 'it sleeps');
	const closed = stores.close();
	const refusal = await thrownBy(
		openStores(config, { log, statistics: false }).then((others) => others.close()),
	);
	assert.ok(refusal instanceof FolderInUse && /already running/.test(refusal.message), String(refusal));
	await slow;
	await closed;
	assert.ok(!isPostgresRunning(config.dataFolder));
});

test('a database that closes, is closed or is killed is away; a mistake of ours is not', async (t) => {
	const { dataFolder, embedded, open } = await startDatabase(t);
	embedded.leave();
	const [postgres, other] = [open(), open()];
	const seen: unknown[] = [];
	for (const mistake of [sql`SELEC 1`, sql`SELECT 1/0`, sql`SELECT no_such_column`, sql`SELECT 'x'::int`]) {
		const error = await thrownBy(postgres.rows(mistake));
		assert.ok(error instanceof Error && !isUnreachable(error), String(error));
	}
	assert.ok(!isUnreachable(new Error('anything')) && !isUnreachable(undefined) && !isUnreachable('57P01'));

	const session = await other.dedicatedConnection(() => undefined);
	const [mine] = await session.rows<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
	const cut = thrownBy(session.rows(sql`SELECT pg_sleep(20)`));
	await until(async () => (await postgres.rows(asleep)).length === 1, 5_000, 'it sleeps');
	await postgres.script(`SELECT pg_terminate_backend(${mine?.pid})`);
	seen.push(await cut);

	// A gentle end waits for those who are in, and lets nobody else in.
	const last = await other.dedicatedConnection(() => undefined);
	const postmaster = postmasterOf(dataFolder) ?? 0;
	process.kill(postmaster, 'SIGTERM');
	await until(() => statusOf(dataFolder) === 'stopping', 5_000, 'it is stopping');
	seen.push(await thrownBy(open().rows(sql`SELECT 1`)));
	await last.end().catch(() => undefined);
	await postgres.close();
	await until(() => !isAlive(postmaster), 10_000, 'it has ended');
	seen.push(await thrownBy(other.rows(sql`SELECT 1`)));
	await other.close();
	const codes = seen.map((error) => (error instanceof Error && 'code' in error ? error.code : `${error}`));
	assert.deepEqual(codes, ['57P01', '57P03', 'ENOENT']);
	for (const error of seen) assert.ok(isUnreachable(error), String(error));
});

/** What the postmaster says of itself in its file. */
const statusOf = (dataFolder: string) =>
	readFileSync(join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8')
		.split('\n')[7]
		?.trim();

function waitBlocking(holds: () => boolean) {
	const nobody = new Int32Array(new SharedArrayBuffer(4));
	for (let step = 0; !holds(); step++) {
		if (step > 1_000) throw new Error('It did not come to it within ten seconds.');
		Atomics.wait(nobody, 0, 0, 10);
	}
}

for (const [how, signal] of [
	['has closed', 'SIGINT'],
	['is closing', 'SIGTERM'],
] as const) {
	test(`a start that finds a database which then ${how} takes the folder as in use, and leaves the database alone`, async (t) => {
		const { dataFolder, embedded, open } = await startDatabase(t);
		embedded.leave();
		const owner = open();
		const session = await owner.dedicatedConnection(() => undefined);
		const postmaster = postmasterOf(dataFolder) ?? 0;
		let adopted = 0;
		// The line is written between the look at the database and the lock: nothing else runs until this returns.
		const closing = createLog('info', (line) => {
			if (!line.includes('adopted a running PostgreSQL')) return;
			adopted++;
			process.kill(postmaster, signal);
			waitBlocking(() => (signal === 'SIGINT' ? !isAlive(postmaster) : statusOf(dataFolder) === 'stopping'));
		});
		const config = readConfig({ TIDEMARK_DATA: dataFolder });
		const error = await thrownBy(
			openStores(config, { log: closing, statistics: false }).then((stores) => stores.close()),
		);
		assert.ok(error instanceof FolderInUse, String(error));
		assert.match(error.message, /is being stopped/);
		assert.ok(error.cause instanceof Error);
		assert.equal(adopted, 1);

		await session.end().catch(() => undefined);
		await owner.close();
		await until(() => !isAlive(postmaster), 10_000, 'it has ended');
		// Longer than it takes to notice that a database has ended.
		await sleep(700);
		assert.ok(!isPostgresRunning(dataFolder), 'nobody started it again');

		const stores = await openStores(config, { log, statistics: false });
		await stores.close();
	});
}
