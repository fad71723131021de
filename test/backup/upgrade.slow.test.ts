/**
 * From the first schema that held events to the present one, on a folder that has some.
 *
 * UPGRADE_EVENTS=1000000 UPGRADE_KILLS=10 SEED=7 node scripts/test.ts test/backup/upgrade.slow.test.ts
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	rmSync,
	statfsSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expireUpgradeBackups } from '../../server/backup/before-upgrade.ts';
import { examineBackup } from '../../server/backup/examine.ts';
import { readConfig } from '../../server/config.ts';
import { createLog } from '../../server/lib/log.ts';
import { openWithoutMigrating, type Stores, startService } from '../../server/main.ts';
import type { ClickHouse } from '../../server/store/clickhouse.ts';
import { migrate, readApplied } from '../../server/store/migrate.ts';
import type { Postgres, Queries } from '../../server/store/postgres.ts';
import { param, sql } from '../../server/store/sql.ts';
import { makeDisks } from '../support/disks.ts';
import { programFile } from '../support/program.ts';
import { seededRandom } from '../support/random.ts';
import { spawnService, temporaryFolder, tidemark, until } from '../support/service.ts';

const events = Number(process.env.UPGRADE_EVENTS) || 20_000;
const kills = Number(process.env.UPGRADE_KILLS) || 3;
const random = seededRandom();
const log = createLog('silent', () => undefined);
const migrations = join(import.meta.dirname, '..', '..', 'migrations');
const first = { postgres: 4, clickhouse: 1 };

const hooks: (() => Promise<void>)[] = [];
after(async () => {
	for (const work of hooks.reverse()) await work();
});
const scope = { after: (work: () => Promise<void>) => void hooks.push(work) };

/** A folder as the first version left it: two accounts, three websites, events, and two groups that were on their way. */
let original: string;
const copyOf = (folder: string) => {
	const copy = join(folder, 'data');
	// With owners: PostgreSQL's files are not ours when we are root.
	execFileSync('cp', ['-a', original, copy]);
	return copy;
};

async function withEngines<T>(
	folder: string,
	work: (stores: Stores & { clickhouse: ClickHouse }) => Promise<T>,
): Promise<T> {
	const stores = await openWithoutMigrating(readConfig({ TIDEMARK_DATA: folder }), { log, statistics: true });
	try {
		const { clickhouse } = stores;
		assert.ok(clickhouse);
		return await work({ ...stores, clickhouse });
	} finally {
		await stores.close();
	}
}

before(async () => {
	original = join(temporaryFolder(scope), 'data');
	await withEngines(original, async ({ postgres, clickhouse }) => {
		await migrate({ postgres, clickhouse, folder: migrations, log, upTo: first });
		await postgres.script(`
			INSERT INTO accounts (name, email, locale, timezone, created_at, website_count)
			SELECT 'A', 'a' || n || '@example.test', 'en', 'UTC', now(), 2 - n % 2 FROM generate_series(1, 2) AS n;
			INSERT INTO websites (account_id, domain, privacy, email, exclude_bots, timezone, created_at, updated_at)
			SELECT 1 + n % 2, 'w' || n || '.example', 1, false, true, 'Europe/Berlin', now(), now() FROM generate_series(1, 3) AS n;
			INSERT INTO days (website_id, date, last_batch)
			SELECT w, date '2026-09-01' + d, 1 FROM generate_series(1, 3) AS w, generate_series(0, 39) AS d;
			SELECT append_to_event_log(
				'{"w":[' || w || '],"d":["2026-10-11"],"v":["7"],"i":["' || 900000000 + w || '"],"p":[1],"drops":[]}',
				'{"website_id":' || w || ',"date":"2026-10-11","time":"2026-10-11 12:00:00.000","visitor_id":"7","event_id":"' || 900000000 + w || '","kind":"pageview","name":"pageview","path":"/log"}'
			) FROM generate_series(1, 2) AS w`);
		// In blocks, as a writer would: one statement over a million events needs more memory than an engine has for one.
		for (let from = 0; from < events; from += 100_000) {
			await clickhouse.command(
				sql`INSERT INTO events (website_id, date, visitor_id, time, event_id, kind, name, path)
					SELECT 1 + number % 3, toDate('2026-09-01') + number % 40 AS day, number % 1000,
						toDateTime64(day, 3) + number % 80000, number + 1, 'pageview', 'pageview', concat('/', toString(number % 100))
					FROM numbers(${param('UInt64', from)}, ${param('UInt64', Math.min(100_000, events - from))})`,
				{ as: 'ingest' },
			);
		}
	});
});

const schemaOf = async ({ postgres, clickhouse }: { postgres: Queries; clickhouse: ClickHouse }) => ({
	columns: await postgres.rows(sql`
		SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
		WHERE table_schema = current_schema() ORDER BY 1, 2`),
	indexes: await postgres.rows(
		sql`SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1`,
	),
	constraints: await postgres.rows(sql`
		SELECT conrelid::regclass::text AS of, pg_get_constraintdef(oid) AS text FROM pg_constraint
		WHERE connamespace = current_schema()::regnamespace ORDER BY 1, 2`),
	clickhouse: (
		await clickhouse.rows<{ text: string }>(
			sql`SELECT create_table_query AS text FROM system.tables WHERE database = currentDatabase() ORDER BY name`,
			{ as: 'migrate' },
		)
	).map(({ text }) => text),
});

let fresh: Awaited<ReturnType<typeof schemaOf>> | undefined;
async function freshSchema(t: Parameters<typeof temporaryFolder>[0]) {
	fresh ??= await withEngines(join(temporaryFolder(t), 'data'), async (stores) => {
		await migrate({ ...stores, folder: migrations, log });
		return schemaOf(stores);
	});
	return fresh;
}

/** Everything that was in the first folder is here, once, and the log is written. */
async function assertWhole(folder: string) {
	const service = await startService(
		readConfig({ TIDEMARK_DATA: folder, TIDEMARK_PORT: '0', TIDEMARK_UPGRADE_BACKUP: 'off' }),
		{ log },
	);
	try {
		await service.drain();
		const rows = await service.clickhouse?.rows<Record<string, string>>(
			sql`SELECT count() AS events, uniqExact(website_id, event_id) AS distinct, countIf(path = '/log') AS logged,
				sum(event_id * (website_id + 7)) AS sum FROM events`,
			{ as: 'migrate' },
		);
		const [sum] =
			(await service.clickhouse?.rows<{ sum: string }>(
				sql`SELECT sum((number + 1) * (number % 3 + 8)) + 900000001 * 8 + 900000002 * 9 AS sum
				FROM numbers(${param('UInt64', events)})`,
			)) ?? [];
		assert.deepEqual(rows, [
			{ events: String(events + 2), distinct: String(events + 2), logged: '2', sum: sum?.sum },
		]);
	} finally {
		await service.stop();
	}
}

/** Statements of a migration; the bodies of functions hold semicolons of their own. */
const statementsOf = (text: string): string[] =>
	text
		.split(/(\$\$[\s\S]*?\$\$)/)
		.map((part, index) => (index % 2 === 1 ? part : part.replace(/--.*$/gm, '').replaceAll(';', '\u0000')))
		.join('')
		.split('\u0000')
		.filter((statement) => statement.trim() !== '');

/** Both databases, whose connection breaks at a statement as it does when the process is killed there. */
function breaking(postgres: Postgres, clickhouse: ClickHouse, at: number) {
	let count = 0;
	const isHere = () => ++count === at;
	const killed = () => new Error('killed here');
	const within = (tx: Queries): Queries => ({
		...tx,
		async script(text) {
			for (const statement of statementsOf(text)) {
				if (isHere()) await tx.script('SELECT pg_terminate_backend(pg_backend_pid())');
				await tx.script(statement);
			}
			if (isHere()) await tx.script('SELECT pg_terminate_backend(pg_backend_pid())');
		},
	});
	return {
		hasEnded: () => count < at,
		postgres: {
			...postgres,
			transaction: (work) => postgres.transaction((tx) => work(within(tx))),
		} as Postgres,
		clickhouse: {
			...clickhouse,
			async script(text) {
				if (isHere()) throw killed();
				await clickhouse.script(text);
				if (isHere()) throw killed();
			},
		} as ClickHouse,
	};
}

test(`[F29][T66] ${events} events: killed at every statement of the migrations and run again, nothing is lost or doubled`, async (t) => {
	const folder = copyOf(temporaryFolder(t));
	await withEngines(folder, async ({ postgres, clickhouse }) => {
		let attempts = 0;
		for (let at = 1; ; at++) {
			const stores = breaking(postgres, clickhouse, at);
			attempts++;
			// What is already applied is not run again, so each attempt counts from the first statement that is pending.
			const failed = await migrate({ ...stores, folder: migrations, log }).then(
				() => undefined,
				(error: unknown) => error,
			);
			if (stores.hasEnded()) {
				assert.equal(failed, undefined);
				break;
			}
			assert.match(String(failed), /killed here|terminat/i);
			// The next is one further on, in the migration that was cut.
			if (await wentOn(postgres, clickhouse)) at = 0;
		}
		t.diagnostic(`${attempts} attempts`);
		assert.ok(attempts > 50, `${attempts} attempts`);
		assert.deepEqual(await schemaOf({ postgres, clickhouse }), await freshSchema(t));
		const zones = await postgres.rows(sql`SELECT count(*) AS zones FROM website_zones`);
		assert.deepEqual(zones, [{ zones: 3 }]);
	});
	await assertWhole(folder);
});

/** Whether a migration was completed since the last time this was asked. */
let known = -1;
async function wentOn(postgres: Postgres, clickhouse: ClickHouse): Promise<boolean> {
	const [one] = await postgres.rows<{ count: number }>(sql`SELECT count(*) AS count FROM migrations`);
	const [other] = await clickhouse.rows<{ count: string }>(
		sql`SELECT uniqExact(number) AS count FROM migrations`,
		{ as: 'migrate' },
	);
	const now = (one?.count ?? 0) + Number(other?.count ?? 0);
	const isMore = known !== -1 && now > known;
	known = now;
	return isMore;
}

const command = async (args: string[], settings: Record<string, string> = {}) => {
	// A restore of ten million takes some minutes.
	const printed = await tidemark(args, { settings, longestMs: 120_000 + events / 5 });
	assert.equal(printed.code, 0, printed.stderr);
	return printed.stdout;
};

test('[T66] a dry run says what would be done and does nothing; the upgrade makes a backup first, and three are kept', async (t) => {
	const folder = copyOf(temporaryFolder(t));
	const backups = join(folder, 'backups');
	const dry = await command(['upgrade', '--dry-run', '--data', folder]);
	assert.match(dry, /^PostgreSQL +5 +tracking$/m);
	assert.match(dry, /^ClickHouse +2 +visits$/m);
	assert.match(
		dry,
		/\d+ migrations to Tidemark \S+\. A backup of about \d+ MB is written first; \d+ MB are free\. Estimated time: \d+ s\./,
	);
	assert.equal(existsSync(backups), false);
	mkdirSync(backups);
	for (const [index, name] of ['before-0.0.1', 'before-0.0.2', 'before-0.0.3'].entries()) {
		writeFileSync(join(backups, `${name}.tidemark`), '');
		utimesSync(join(backups, `${name}.tidemark`), index + 1, index + 1);
	}
	// A command that needs no statistics upgrades too, and backs up both databases.
	const began = performance.now();
	await command(['account', 'limit', 'a1@example.test', '--websites', 'none', '--data', folder]);
	const upgradedMs = Math.round(performance.now() - began);
	const [made = '', ...kept] = readdirSync(backups).sort().reverse();
	assert.match(made, /^before-\d+\.\d+\.\d+\.tidemark$/);
	assert.deepEqual(kept, ['before-0.0.3.tidemark', 'before-0.0.2.tidemark']);
	const { size } = statSync(join(backups, made));
	t.diagnostic(`${events} events: backup and migrations ${upgradedMs} ms, ${size} bytes`);
	const { head, manifest } = await examineBackup(join(backups, made), undefined, () => undefined);
	assert.equal(head.postgres.migrations.length, first.postgres);
	assert.equal(head.clickhouse.migrations.length, first.clickhouse);
	const rows = manifest.entries
		.filter(({ table }) => table === 'events')
		.reduce((sum, { rows }) => sum + rows, 0);
	assert.equal(rows, events);
	assert.match(await command(['upgrade', '--data', folder]), /The databases are up to date/);

	// What was backed up is restored by this version, which upgrades it.
	const restored = join(temporaryFolder(t), 'data');
	const restoring = performance.now();
	await command(['restore', join(backups, made), '--data', restored]);
	t.diagnostic(`restored in ${Math.round(performance.now() - restoring)} ms`);
	await assertWhole(restored);
});

test('[T55] an upgrade backup is deleted seven days after it was made, and no other file is', (t) => {
	const folder = temporaryFolder(t);
	const backups = join(folder, 'backups');
	const [now, day] = [Date.parse('2026-11-17T12:00:00Z'), 24 * 3_600_000];
	assert.equal(
		expireUpgradeBackups(folder, () => new Date(now)),
		0,
	);
	mkdirSync(backups);
	for (const [name, ageMs] of [
		['before-0.2.0.tidemark', 7 * day - 1_000],
		['before-0.1.0.tidemark', 7 * day + 1_000],
		['mine.tidemark', 30 * day],
	] as const) {
		writeFileSync(join(backups, name), '');
		utimesSync(join(backups, name), (now - ageMs) / 1000, (now - ageMs) / 1000);
	}
	assert.equal(
		expireUpgradeBackups(folder, () => new Date(now)),
		1,
	);
	assert.deepEqual(readdirSync(backups).sort(), ['before-0.2.0.tidemark', 'mine.tidemark']);
});

test('what a command made alone, before the first start, is no upgrade: no backup is made', async (t) => {
	const folder = join(temporaryFolder(t), 'data');
	await command(['account', 'create', '--email', 'a@example.test', '--name', 'A', '--data', folder]);
	await command(['upgrade', '--data', folder]);
	assert.equal(existsSync(join(folder, 'backups')), false);
});

test('without the setting no backup is made', async (t) => {
	const folder = copyOf(temporaryFolder(t));
	await command(['upgrade', '--data', folder], { TIDEMARK_UPGRADE_BACKUP: 'off' });
	assert.equal(existsSync(join(folder, 'backups')), false);
});

test('[T66] without room for the backup an upgrade is refused, and nothing is changed', async (t) => {
	const at = makeDisks(t).make('disk', 500);
	const folder = copyOf(at);
	const { bavail, bsize } = statfsSync(at);
	execFileSync('fallocate', ['-l', String(bavail * bsize - 55_000_000), join(at, 'ballast')]);
	const refused = await tidemark(['upgrade', '--data', folder]);
	assert.equal(refused.code, 1);
	assert.match(
		refused.stderr,
		/there is no room for the backup that is made before: \d+ MB are needed below/,
	);
	rmSync(join(at, 'ballast'));
	assert.match(await command(['upgrade', '--dry-run', '--data', folder]), /^PostgreSQL +5 +tracking$/m);
});

test(`[F29][T66] an upgrade that is killed ${kills} times, in its backup or in its migrations, is completed by the next`, async (t) => {
	t.diagnostic(`seed ${random.seed}`);
	const folder = copyOf(temporaryFolder(t));
	const backups = join(folder, 'backups');
	const hasBackup = (ending: string) =>
		existsSync(backups) && readdirSync(backups).some((name) => name.endsWith(ending));
	const moments = [() => hasBackup('.unfinished'), () => hasBackup('.tidemark'), () => true];
	for (let round = 0; round < kills; round++) {
		const child = spawn(process.execPath, [programFile, 'upgrade', '--data', folder], { stdio: 'ignore' });
		let isOver = false;
		const ended = new Promise<void>((resolve) =>
			child.once('exit', () => {
				isOver = true;
				resolve();
			}),
		);
		const moment = moments[round % moments.length] ?? (() => true);
		await until(() => isOver || moment(), 30_000, 'the upgrade has come so far');
		const ms = random.whole(moment() && round % 3 === 2 ? 3_000 : 120);
		await Promise.race([ended, sleep(ms)]);
		child.kill('SIGKILL');
		await ended;
		t.diagnostic(
			`killed ${ms} ms after moment ${round % 3}: ${existsSync(backups) ? readdirSync(backups) : 'no backup'}`,
		);
	}
	await command(['upgrade', '--data', folder]);
	const [made = ''] = readdirSync(join(folder, 'backups'));
	const { manifest } = await examineBackup(join(folder, 'backups', made), undefined, () => undefined);
	assert.ok(manifest.entries.length > 0);
	await withEngines(folder, async (stores) => assert.deepEqual(await schemaOf(stores), await freshSchema(t)));
	await assertWhole(folder);
});

test('a folder of another PostgreSQL or chDB is refused, with the commands to run, and is not touched', async (t) => {
	const place = temporaryFolder(t);
	const other = join(place, 'data');
	mkdirSync(join(other, 'clickhouse'), { recursive: true });
	writeFileSync(join(other, 'clickhouse.version'), '2.1\n');
	const refused = spawnService(t, { folder: other });
	assert.equal(await refused.exited, 1);
	assert.match(
		refused.output(),
		/was created by chDB 2\.1, but this version of Tidemark contains chDB \d+\.\d+\./,
	);
	assert.match(
		refused.output(),
		/run: tidemark backup FILE --data \S+data; with this one: tidemark restore FILE --data NEW-FOLDER/,
	);
	assert.deepEqual(readdirSync(other).sort(), ['clickhouse', 'clickhouse.version']);
	const folder = copyOf(temporaryFolder(t));
	writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '17\n');
	const major = await tidemark(['upgrade', '--dry-run', '--data', folder]);
	assert.equal(major.code, 1);
	assert.match(
		major.stderr,
		/was created by PostgreSQL 17, but this version of Tidemark contains PostgreSQL 18/,
	);
	assert.match(major.stderr, /tidemark restore FILE --data NEW-FOLDER/);
});

test('[F61] commands that only read leave a stopped folder of an older version as it is, and say so', async (t) => {
	const folder = copyOf(temporaryFolder(t));
	const stateOf = () =>
		withEngines(folder, async (stores) => ({
			applied: await readApplied(stores.postgres, stores.clickhouse),
			schema: await schemaOf(stores),
		}));
	const before = await stateOf();
	const names = readdirSync(folder).sort();
	const listed = await tidemark(['account', 'list', '--data', folder]);
	assert.equal(listed.code, 1);
	assert.match(
		listed.stderr,
		/older version: \d+ migrations are pending\. This command does not migrate them\. Run: tidemark upgrade/,
	);
	const doctor = await tidemark(['doctor', '--json', '--data', folder]);
	const { findings }: { findings: { check: string; state: string; what: string; advice: string }[] } =
		JSON.parse(doctor.stdout);
	const versions = findings.find(({ check }) => check === 'versions');
	assert.match(versions?.what ?? '', /\d+ migrations are pending\.$/);
	assert.match(versions?.advice ?? '', /tidemark upgrade/);
	assert.deepEqual(
		findings.filter(({ state, check }) => state === 'problem' && check !== 'settings' && check !== 'disk'),
		[],
		'what cannot be read in an older version is no fault',
	);
	assert.deepEqual(await stateOf(), before);
	assert.deepEqual(readdirSync(folder).sort(), names, 'no backup was made');
});
