import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createLog } from '../../server/lib/log.ts';
import { migrate } from '../../server/store/migrate.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { startClickHouseServer } from '../support/clickhouse-server.ts';
import { send } from '../support/client.ts';
import { oneSecret } from '../support/one-secret.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { seededRandom } from '../support/random.ts';
import { spawnService, startServiceProcess, temporaryFolder, tidemark, until } from '../support/service.ts';
import { patience } from '../support/timeout-factor.ts';

let server: Awaited<ReturnType<typeof startPostgresServer>>;
before(async () => {
	server = await startPostgresServer();
});
after(() => server.stop());

const migrations = join(import.meta.dirname, '..', '..', 'migrations');
const expected = readdirSync(join(migrations, 'postgres'))
	.filter((file) => file.endsWith('.sql'))
	.sort()
	.map((file) => ({ number: Number(file.slice(0, 4)), name: file.slice(5, -4) }));

/** A fresh database on the server. */
async function freshDatabase(): Promise<string> {
	const name = `tidemark_${randomBytes(6).toString('hex')}`;
	await query(server.url, `CREATE DATABASE ${name}`);
	return server.url.replace(/\/postgres$/, `/${name}`);
}

async function query<R extends pg.QueryResultRow>(url: string, text: string): Promise<R[]> {
	const connection = new pg.Client({ connectionString: url });
	await connection.connect();
	try {
		return (await connection.query<R>(text)).rows;
	} finally {
		await connection.end();
	}
}

const applied = (url: string) => query(url, 'SELECT number, name FROM migrations ORDER BY number');

test('whoever comes while somebody migrates waits until it is done', async (t) => {
	const url = await freshDatabase();
	const other = new pg.Client({ connectionString: url });
	await other.connect();
	t.after(() => other.end());
	// The lock as migrate.ts takes it.
	await other.query('SELECT pg_advisory_lock(7461001)');
	const log = createLog('silent');
	const postgres = openPostgres({ connectionString: url }, { log });
	t.after(() => postgres.close());
	let isDone = false;
	const migrating = migrate({ postgres, clickhouse: undefined, folder: migrations, log }).then(() => {
		isDone = true;
	});
	await until(
		async () =>
			(await query(url, "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).length > 0,
		10_000,
		'somebody waits for the lock',
	);
	assert.equal(isDone, false);
	assert.deepEqual(await query(url, "SELECT 1 FROM pg_tables WHERE tablename = 'accounts'"), []);
	await other.query('SELECT pg_advisory_unlock(7461001)');
	await migrating;
	assert.deepEqual(await applied(url), expected);
});

test('three services that start at once on one database all come up, and each migration is applied once', async (t) => {
	const url = await freshDatabase();
	const clickhouse = await startClickHouseServer(t);
	const settings = {
		DATABASE_URL: url,
		CLICKHOUSE_URL: clickhouse.url,
		TIDEMARK_SECRET: oneSecret,
		// On a new database the single migrations are for debugging.
		TIDEMARK_LOG_LEVEL: 'debug',
	};
	const services = await Promise.all([1, 2, 3].map(() => startServiceProcess(t, { settings })));
	assert.deepEqual(await applied(url), expected);
	for (const service of services)
		assert.equal((await send(service.base, 'GET', '/health/ready')).status, 200);
	const migrated = (what: string) =>
		services.flatMap(
			({ output }) => output().match(new RegExp(`"number":\\d+,"msg":"migrating ${what}"`, 'g')) ?? [],
		).length;
	assert.equal(migrated('PostgreSQL'), expected.length);
	assert.equal(migrated('ClickHouse'), readdirSync(join(migrations, 'clickhouse')).length);

	// They are one installation: a key that is made through one works at the others, and dies at all.
	const [first] = services;
	const made = await tidemark(
		[
			'account',
			'create',
			'--json',
			'--email',
			'a@example.test',
			'--name',
			'A',
			'--data',
			first?.folder ?? '',
		],
		{ settings: { DATABASE_URL: url } },
	);
	const { key } = JSON.parse(made.stdout);
	for (const { base } of services)
		assert.equal((await send(base, 'GET', '/api/v1/account', { key })).status, 200);
	await tidemark(['account', 'disable', 'a@example.test', '--data', first?.folder ?? ''], {
		settings: { DATABASE_URL: url },
	});
	for (const { base } of services)
		assert.equal((await send(base, 'GET', '/api/v1/account', { key })).status, 401);
	for (const service of services) assert.equal(await service.stop(), 0);

	const later = await startServiceProcess(t, { settings });
	assert.doesNotMatch(later.output(), /"migrating PostgreSQL"/);
	assert.equal(await later.stop(), 0);
	assert.deepEqual(await applied(url), expected);
});

test('a database that is newer than the program is refused, with what to do', async (t) => {
	const url = await freshDatabase();
	const folder = join(temporaryFolder(t), 'data');
	const command = (...args: string[]) =>
		tidemark([...args, '--data', folder], { settings: { DATABASE_URL: url } });
	const upgraded = await command('upgrade');
	assert.equal(upgraded.code, 0, upgraded.stderr);
	const next = expected.length + 1;
	await query(url, `INSERT INTO migrations (number, name, hash) VALUES (${next}, 'from_the_future', 'x')`);
	for (const refused of [await command('serve', '--port', '0'), await command('account', 'list')]) {
		assert.equal(refused.code, 1);
		assert.match(
			refused.stderr,
			new RegExp(`newer than this program: it has migration ${next} \\(from_the_future\\)`),
		);
		assert.match(refused.stderr, /Start the version of Tidemark that made it, or a later one\./);
	}
	assert.equal((await applied(url)).length, next, 'nothing was changed');
});

test('a migration that was edited after it was applied is refused', async (t) => {
	const url = await freshDatabase();
	const folder = join(temporaryFolder(t), 'migrations');
	cpSync(migrations, folder, { recursive: true });
	const postgres = openPostgres({ connectionString: url }, { log: createLog('silent') });
	t.after(() => postgres.close());
	const run = () => migrate({ postgres, clickhouse: undefined, folder, log: createLog('silent') });
	await run();
	await run();
	assert.deepEqual(await applied(url), expected, 'the second run found nothing to do');
	const [first = ''] = readdirSync(join(folder, 'postgres')).sort();
	const file = join(folder, 'postgres', first);
	const text = readFileSync(file, 'utf8');
	writeFileSync(file, `${text}-- one more comment\n`);
	await assert.rejects(run(), /Migration 1 \(accounts\) of PostgreSQL is not the one that was applied/);
	writeFileSync(file, text);
	await run();
});

test('a migration that fails leaves nothing of itself behind, and is applied once it is mended', async (t) => {
	const url = await freshDatabase();
	const folder = join(temporaryFolder(t), 'migrations');
	mkdirSync(join(folder, 'postgres'), { recursive: true });
	const file = join(folder, 'postgres', '0001_two_steps.sql');
	const postgres = openPostgres({ connectionString: url }, { log: createLog('silent') });
	t.after(() => postgres.close());
	const run = () => migrate({ postgres, clickhouse: undefined, folder, log: createLog('silent') });
	writeFileSync(file, 'CREATE TABLE one (id int);\nCREATE TABLE two (id nonsense);');
	await assert.rejects(run(), /nonsense/);
	assert.deepEqual(await query(url, `SELECT to_regclass('one') AS one`), [{ one: null }]);
	writeFileSync(file, 'CREATE TABLE one (id int);\nCREATE TABLE two (id int);');
	await run();
	assert.deepEqual(await applied(url), [{ number: 1, name: 'two_steps' }]);
	writeFileSync(join(folder, 'postgres', '0003_gap.sql'), 'SELECT 1');
	await assert.rejects(run(), /should have number 2/);
});

test('[T81] [T83] accounts from before 0028 are confirmed, and the one with the lowest id is the operator', async (t) => {
	const url = await freshDatabase();
	const log = createLog('silent');
	const postgres = openPostgres({ connectionString: url }, { log });
	t.after(() => postgres.close());
	const options = { postgres, clickhouse: undefined, folder: migrations, log };
	await migrate({ ...options, upTo: { postgres: 27, clickhouse: 0 } });
	// The lowest id is neither the first row nor the oldest account.
	await query(
		url,
		`INSERT INTO accounts (id, name, email, locale, timezone, created_at) OVERRIDING SYSTEM VALUE VALUES
			(907, 'A', 'a@example.test', 'en', 'UTC', '2025-01-01'), (903, 'B', 'b@example.test', 'en', 'UTC', '2026-01-01')`,
	);
	await migrate(options);
	assert.deepEqual(await applied(url), expected);
	await query(
		url,
		`INSERT INTO accounts (name, email, locale, timezone, created_at) VALUES ('C', 'c@example.test', 'en', 'UTC', now())`,
	);
	assert.deepEqual(
		await query(
			url,
			`SELECT name, confirmed_at IS NOT NULL AS is_confirmed, is_operator,
				EXISTS (SELECT FROM address_confirmations WHERE account_id = accounts.id) AS has_link
			FROM accounts ORDER BY name`,
		),
		[
			{ name: 'A', is_confirmed: true, is_operator: false, has_link: false },
			{ name: 'B', is_confirmed: true, is_operator: true, has_link: false },
			{ name: 'C', is_confirmed: false, is_operator: false, has_link: false },
		],
	);
});

test('[F28] [F42] 0032 moves queued messages to the outbox, also those that the previous version inserts later', async (t) => {
	const url = await freshDatabase();
	const log = createLog('silent');
	const postgres = openPostgres({ connectionString: url }, { log });
	t.after(() => postgres.close());
	const options = { postgres, clickhouse: undefined, folder: migrations, log };
	await migrate({ ...options, upTo: { postgres: 31, clickhouse: 0 } });
	const insertMail = (key: string, state = 'waiting') => `
		INSERT INTO mails (key, recipient, content, state, claim, attempts, next_at, created_at, ended_at, reason)
		SELECT '${key}', 'a@example.test', CASE WHEN is_open THEN '{"subject": "S"}'::jsonb END, '${state}', gen_random_uuid(), 2,
			'2026-11-17', '2026-11-16', CASE WHEN NOT is_open THEN now() END, 'R'
		FROM (SELECT '${state}' IN ('waiting', 'sending', 'handed') AS is_open) AS s`;
	const insertDelivery = (key: string, state = 'waiting') => `
		INSERT INTO alert_deliveries (id, alert_id, key, content, state, attempts, next_at, created_at, ended_at)
		SELECT gen_random_uuid(), alerts.id, '${key}', '{"title": "T"}', '${state}', 1, '2026-11-17', '2026-11-16',
			CASE WHEN '${state}' <> 'waiting' THEN now() END
		FROM alerts`;
	await query(
		url,
		`INSERT INTO accounts (name, email, locale, timezone, created_at) VALUES ('A', 'a@example.test', 'en', 'UTC', now());
		INSERT INTO websites (account_id, domain, privacy, email, exclude_bots, timezone, created_at, updated_at)
			SELECT id, 'a.example', 1, true, true, 'UTC', now(), now() FROM accounts;
		INSERT INTO alerts (website_id, kind, channel, url, armed_at, created_at, updated_at)
			SELECT id, 'spike', 'ntfy', 'x', now(), now(), now() FROM websites`,
	);
	for (const state of ['waiting', 'sending', 'handed', 'sent', 'unknown', 'failed'])
		await query(url, insertMail(state, state));
	for (const state of ['waiting', 'sent', 'failed']) await query(url, insertDelivery(state, state));
	await migrate(options);
	const moved = () =>
		query<{ line: string }>(
			url,
			`SELECT concat_ws(' ', kind, key, state, attempts, content, reason, claim) AS line FROM outbox
			WHERE next_at = '2026-11-17' AND created_at = '2026-11-16' AND (ended_at IS NULL) = (content IS NOT NULL) ORDER BY id`,
		).then((rows) => rows.map(({ line }) => line.replace(/^(mail (?:unconfirmed a|digest:a)) \d+/, '$1 ID')));
	const before = [
		'mail waiting waiting 2 {"subject": "S"} R',
		'mail sending waiting 2 {"subject": "S"} R',
		'mail handed handed 2 {"subject": "S"} R',
		'mail sent sent 2 R',
		'mail unknown unknown 2 R',
		'mail failed failed 2 R',
		'webhook waiting waiting 1 {"title": "T"}',
		'webhook sent sent 1',
		'webhook failed failed 1',
	];
	assert.deepEqual(await moved(), before);

	await query(url, insertMail('later'));
	await query(url, insertDelivery('later'));
	await query(url, insertMail('sent'));
	await query(url, `${insertMail('unconfirmed a')}; ${insertMail('digest:a')}`);
	await query(url, `${insertMail('unconfirmed a')}; ${insertMail('digest:a')}`);
	await query(url, `BEGIN; ${insertMail('over quota')}; DELETE FROM mails; COMMIT`);
	assert.deepEqual(await moved(), [
		...before,
		'mail later waiting 2 {"subject": "S"} R',
		'webhook later waiting 1 {"title": "T"}',
		'mail unconfirmed a waiting 2 {"subject": "S"} R',
		'mail digest:a waiting 2 {"subject": "S"} R',
		'mail unconfirmed a ID waiting 2 {"subject": "S"} R',
		'mail digest:a ID waiting 2 {"subject": "S"} R',
	]);
	assert.deepEqual(await query(url, 'SELECT key FROM mails UNION ALL SELECT key FROM alert_deliveries'), []);
});

test('[F28][T123] 0042 makes a person and an account of each account, and keeps credentials equal while both versions run', async (t) => {
	const url = await freshDatabase();
	const log = createLog('silent');
	const postgres = openPostgres({ connectionString: url }, { log });
	t.after(() => postgres.close());
	const options = { postgres, clickhouse: undefined, folder: migrations, log };
	await migrate({ ...options, upTo: { postgres: 41, clickhouse: 0 } });
	await query(
		url,
		`INSERT INTO accounts (id, name, email, locale, timezone, created_at, confirmed_at, is_operator, week_start, password_hash, totp_secret, totp_step)
			OVERRIDING SYSTEM VALUE VALUES
				(7, 'Ann', 'Ann@example.test', 'de', 'UTC', '2026-01-01', '2026-01-02', true, 'sunday', 'hash-a', '\\x01', 5),
				(9, 'Bob', 'bob@example.test', 'en', 'UTC', '2026-01-01', NULL, false, 'monday', NULL, NULL, 0);
		SELECT setval(pg_get_serial_sequence('accounts', 'id'), 9);
		INSERT INTO websites (id, account_id, domain, privacy, email, exclude_bots, favorite, timezone, created_at, updated_at)
			OVERRIDING SYSTEM VALUE VALUES
				(1, 7, 'a.example', 1, true, true, true, 'UTC', now(), now()), (2, 7, 'b.example', 1, true, true, false, 'UTC', now(), now()),
				(3, 7, 'c.example', 1, true, true, true, 'UTC', now(), now());
		INSERT INTO members (owner_id, website_id, member_id, role, created_at) VALUES (7, NULL, 9, 'editor', now());
		INSERT INTO sessions (digest, account_id, browser, os, created_at, last_used_at, expires_at)
			VALUES (decode(repeat('ab', 32), 'hex'), 7, '', '', now(), now(), now());
		INSERT INTO recovery_codes (account_id, digest) VALUES (7, decode(repeat('cd', 32), 'hex'));
		INSERT INTO boards (account_id, name, period, cards, created_at, updated_at) VALUES (9, 'B', '7d', '[]', now(), now());`,
	);
	await migrate(options);
	assert.deepEqual(await applied(url), expected);
	const people = () =>
		query(
			url,
			`SELECT p.id::int, p.name, p.email, p.locale, p.week_start, p.password_hash, encode(p.totp_secret, 'hex') AS totp,
				p.totp_step::int, p.confirmed_at IS NOT NULL AS confirmed, p.is_operator,
				array_agg(o.account_id::int) AS accounts, bool_and(o.is_primary) AS is_primary
			FROM people p JOIN account_owners o ON o.person_id = p.id GROUP BY p.id ORDER BY p.id`,
		);
	const ann = {
		...{ id: 7, name: 'Ann', email: 'Ann@example.test', locale: 'de', week_start: 'sunday' },
		...{ password_hash: 'hash-a', totp: '01', totp_step: 5, confirmed: true, is_operator: true },
		...{ accounts: [7], is_primary: true },
	};
	const bob = {
		...{ id: 9, name: 'Bob', email: 'bob@example.test', locale: 'en', week_start: 'monday' },
		...{ password_hash: null, totp: null, totp_step: 0, confirmed: false, is_operator: false },
		...{ accounts: [9], is_primary: true },
	};
	assert.deepEqual(await people(), [ann, bob]);
	assert.deepEqual(
		await query(url, 'SELECT person_id::int, website_id::int FROM favorites ORDER BY position'),
		[
			{ person_id: 7, website_id: 3 },
			{ person_id: 7, website_id: 1 },
		],
	);
	for (const table of ['members', 'sessions', 'recovery_codes', 'boards'])
		assert.equal((await query(url, `SELECT 1 FROM ${table}`)).length, 1, table);

	// The previous version creates an account, and changes a password and a second factor.
	await query(
		url,
		`INSERT INTO accounts (name, email, locale, timezone, created_at) VALUES ('Cleo', 'cleo@example.test', 'en', 'UTC', now());
		UPDATE accounts SET password_hash = 'hash-b', confirmed_at = now() WHERE id = 9;
		UPDATE accounts SET totp_secret = NULL, totp_step = 6 WHERE id = 7`,
	);
	const cleo = { ...bob, id: 10, name: 'Cleo', email: 'cleo@example.test', accounts: [10] };
	const changedAnn = { ...ann, totp: null, totp_step: 6 };
	assert.deepEqual(await people(), [changedAnn, { ...bob, password_hash: 'hash-b', confirmed: true }, cleo]);
	// This version changes a password and creates an account, which the previous one cannot sign in to.
	await query(
		url,
		`UPDATE people SET password_hash = 'hash-c', email = 'ann@example.net' WHERE id = 7;
		INSERT INTO accounts (name, locale, timezone, created_at) VALUES ('Dan', 'en', 'UTC', now())`,
	);
	assert.deepEqual(
		await query(url, 'SELECT email, password_hash FROM accounts WHERE id IN (7, 11) ORDER BY id'),
		[
			{ email: 'ann@example.net', password_hash: 'hash-c' },
			{ email: null, password_hash: null },
		],
	);
	// People who leave their first account stay.
	await query(
		url,
		`INSERT INTO account_owners (account_id, person_id, is_primary, created_at) VALUES (11, 9, true, now());
		DELETE FROM accounts WHERE id = 9`,
	);
	assert.deepEqual(await query(url, 'SELECT account_id::int FROM boards'), [{ account_id: 9 }]);
});

test('[F28] a migration that waits for a table lets everybody else pass, and is done when the table is free', async (t) => {
	const url = await freshDatabase();
	const folder = join(temporaryFolder(t), 'migrations');
	cpSync(migrations, folder, { recursive: true });
	const postgres = openPostgres({ connectionString: url }, { log: createLog('silent') });
	t.after(() => postgres.close());
	const run = () => migrate({ postgres, clickhouse: undefined, folder, log: createLog('silent') });
	await run();
	const next = expected.length + 1;
	writeFileSync(
		join(folder, 'postgres', `${String(next).padStart(4, '0')}_more.sql`),
		'ALTER TABLE websites ADD COLUMN more text;',
	);
	const reader = new pg.Client({ connectionString: url });
	await reader.connect();
	t.after(() => reader.end());
	await reader.query('BEGIN');
	await reader.query('SELECT count(*) FROM websites');
	const migrating = run();
	const waitingSql = `SELECT 1 FROM pg_locks WHERE relation = 'websites'::regclass AND NOT granted`;
	await until(async () => (await query(url, waitingSql)).length > 0, 10_000, 'the migration waits');
	const times: number[] = [];
	// Whoever is held up fails here, instead of waiting for ever.
	const hits = new pg.Client({ connectionString: url, statement_timeout: 2_000 * patience });
	await hits.connect();
	t.after(() => hits.end());
	const end = performance.now() + 3_000;
	while (performance.now() < end) {
		const began = performance.now();
		await hits.query('SELECT id FROM websites WHERE id = 1');
		times.push(performance.now() - began);
		await sleep(5);
	}
	t.diagnostic(`longest wait of ${times.length} reads: ${Math.round(Math.max(...times))} ms`);
	assert.ok(Math.max(...times) < 1_000 * patience, `${Math.max(...times)} ms`);
	assert.equal((await applied(url)).length, expected.length);
	await reader.query('COMMIT');
	await migrating;
	assert.equal((await applied(url)).length, next);
});

/** What the service says on its first start, in order; each is a moment to be killed at, or a little after. */
const moments = [
	{ after: /creating a PostgreSQL cluster/, withinMs: 1_000 },
	{ after: /the engine is ready/, withinMs: 200 },
	{ after: /migrating PostgreSQL/, withinMs: 30 },
	{ after: /migrating ClickHouse/, withinMs: 60 },
];

test('a first start that is killed anywhere is completed by the next one', async (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	for (const moment of moments) {
		const folder = join(temporaryFolder(t), 'data');
		const doomed = spawnService(t, { folder });
		await until(() => moment.after.test(doomed.output()), 20_000, `it says ${moment.after}`);
		const ms = random.whole(moment.withinMs);
		await sleep(ms);
		await doomed.killTree();
		const lastWord = doomed
			.output()
			.match(/"msg":"[^"]+"/g)
			?.at(-1);
		t.diagnostic(`killed ${ms} ms after ${moment.after}; its last word was ${lastWord}`);
		const service = await startServiceProcess(t, { folder });
		assert.equal((await send(service.base, 'GET', '/health/ready')).status, 200);
		const made = await tidemark([
			...['account', 'create', '--json', '--data', folder],
			...['--email', 'a@example.test', '--name', 'A'],
		]);
		assert.equal(made.code, 0, made.stderr);
		const { key } = JSON.parse(made.stdout);
		const created = await send(service.base, 'POST', '/api/v1/websites', {
			key,
			form: { domain: 'a.example' },
		});
		assert.equal(created.status, 201);
		assert.equal(await service.stop(), 0);
	}
});
