/**
 * Backups of a service that is at work, the file that they are, where it can be restored to, and what may happen to it
 * meanwhile.
 *
 * RESTORE_KILLS=10 SEED=7 node scripts/test.ts test/backup/backup.slow.test.ts
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBackupFile, readBackup } from '../../server/backup/file.ts';
import { readConfig } from '../../server/config.ts';
import { eraseWebsites } from '../../server/jobs/erase-websites.ts';
import { createLog } from '../../server/lib/log.ts';
import { openStores } from '../../server/main.ts';
import { param, sql, value } from '../../server/store/sql.ts';
import {
	assertAsOfEarly,
	type BackedUp,
	backUpAndDestroy,
	canaries,
	command,
	encrypting,
	eventsIn,
	keyOf,
	passphrase,
} from '../support/backed-up.ts';
import { startClickHouseServer } from '../support/clickhouse-server.ts';
import { makeDisks } from '../support/disks.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { programFile } from '../support/program.ts';
import { seededRandom } from '../support/random.ts';
import { sealServices } from '../support/sealing.ts';
import { type ServiceProcess, spawnService, temporaryFolder, tidemark } from '../support/service.ts';

const kills = Number(process.env.RESTORE_KILLS) || 2;
const log = createLog('silent', () => undefined);
const random = seededRandom();
let w: BackedUp;
const hooks: (() => Promise<void>)[] = [];
before(async () => {
	w = await backUpAndDestroy({ after: (work) => void hooks.push(work) }, random);
});
after(async () => {
	for (const work of hooks.reverse()) await work();
});

test('[F30] a service is backed up under load, destroyed and restored: what was acknowledged before is there, once', async (t) => {
	t.diagnostic(`seed ${random.seed}`);
	const data = join(temporaryFolder(t), 'data');
	const out = await command(['restore', w.early, '--data', data]);
	assert.match(out, /Restored \d+ websites? and \d+ events/);
	assert.equal(existsSync(join(data, 'restore-unfinished')), false);
	const checked = JSON.parse(await command(['check', '--json', '--data', data]));
	assert.deepEqual(checked.differences, []);
	assert.ok(checked.days >= 4);
	// Trackers that got no answer send again what they had sent before: it is known.
	const found = await eventsIn(w, data, w.before.slice(-20));
	assertAsOfEarly(w, found);
	t.diagnostic(`${w.before.length} acknowledged before, ${w.after.length} sent after, ${found.size} there`);
	const restoredSalts = readdirSync(join(data, 'salts')).map((name) =>
		readFileSync(join(data, 'salts', name)),
	);
	for (const salt of restoredSalts) assert.ok(!w.salts.some((old) => old.equals(salt)), 'salts are new');
	const again = JSON.parse(await command(['check', '--json', '--data', data]));
	assert.deepEqual(again.differences, []);
});

test('a backup of a folder that was left by a kill is finished by the start after its restore', async (t) => {
	const place = temporaryFolder(t);
	const data = join(place, 'data');
	await command(['backup', join(place, 'b'), '--data', w.killed]);
	await command(['restore', join(place, 'b'), '--data', data]);
	const found = await eventsIn(w, data);
	assert.deepEqual(
		w.acknowledged.map(keyOf).filter((event) => found.get(event) !== 1),
		[],
		'lost or doubled',
	);
});

test('[T55] what was erased after a backup is erased again when that is restored', async (t) => {
	const data = join(temporaryFolder(t), 'data');
	await command(['restore', w.early, '--erased-in', w.late, '--data', data], encrypting);
	const config = readConfig({ TIDEMARK_DATA: data });
	const { postgres, clickhouse, close } = await openStores(config, { log, statistics: true });
	try {
		assert.ok(clickhouse);
		const websites = await postgres.rows(sql`SELECT id FROM websites WHERE id = ${value(w.erasedId)}`);
		assert.deepEqual(websites, []);
		const count = async () =>
			(
				await clickhouse.rows(
					sql`SELECT event_id FROM events WHERE website_id = ${param('UInt32', w.erasedId)}`,
					{
						as: 'migrate',
					},
				)
			).length;
		assert.equal(await count(), 1, 'the backup had it');
		const tombstones = sql`SELECT erased_at AS at FROM tombstones`;
		assert.deepEqual(
			(await postgres.rows(tombstones)).filter(({ at }) => at !== null),
			[],
		);
		// The log is not written without a service; nothing of the website is in it.
		await postgres.run(sql`DELETE FROM event_log`);
		await eraseWebsites(sealServices({ postgres, clickhouse, now: () => new Date(), log }));
		assert.equal(await count(), 0);
		assert.deepEqual(
			(await postgres.rows(tombstones)).filter(({ at }) => at === null),
			[],
		);
	} finally {
		await close();
	}
});

test('[T65] no salt, no password, no session, no link and no answer is in a backup', async () => {
	const texts: Record<string, string> = {};
	let entry = '';
	for await (const piece of readBackup(w.early, undefined)) {
		if ('begin' in piece) {
			entry = piece.begin.name;
			texts[entry] = '';
		} else if ('rows' in piece) texts[entry] += piece.rows.toString('latin1');
	}
	const names = Object.keys(texts);
	for (const name of [
		'sessions',
		'one_time_links',
		'setup_links',
		'idempotent_answers',
		'attempts',
		'engine',
	])
		assert.ok(!names.includes(`postgres/${name}`), name);
	assert.ok(!names.some((name) => name.includes('salt') || name === 'secret'), 'no salt and no secret');
	const all = Object.values(texts).join('\n');
	assert.ok(all.includes(canaries.domain), 'what is in it is found');
	assert.ok(w.salts.length > 0);
	for (const salt of w.salts)
		for (const form of [salt.toString('latin1'), salt.toString('hex'), salt.toString('base64')])
			assert.ok(!all.includes(form), 'a salt');
	assert.ok(!all.includes(canaries.password), 'a password');
	assert.ok(!all.includes(w.key.slice(3, 40)), 'an API key');
	assert.equal(all.split(canaries.answer).length - 1, 1, 'the website, and not the answer that told of it');
	assert.equal(statSync(w.early).mode & 0o077, 0, 'its owner alone may read it');
});

test('[T65] an encrypted backup opens with its passphrase alone', async (t) => {
	const late = w.late;
	const without = await tidemark(['verify', late]);
	assert.equal(without.code, 1);
	assert.match(without.stderr, /is encrypted\. Set TIDEMARK_BACKUP_PASSPHRASE/);
	const wrong = await tidemark(['verify', late], {
		settings: { TIDEMARK_BACKUP_PASSPHRASE: `${passphrase}.` },
	});
	assert.equal(wrong.code, 1);
	assert.match(wrong.stderr, /does not open with this passphrase/);
	assert.ok(!readFileSync(late).includes('example'), 'nothing of it is in clear');
	const secretFile = join(temporaryFolder(t), 'passphrase');
	writeFileSync(secretFile, `${passphrase}\n`, { mode: 0o600 });
	const out = await command(['verify', late], { TIDEMARK_BACKUP_PASSPHRASE_FILE: secretFile });
	assert.match(out, /Valid: \d+ websites/);
	assert.match(out, /^secret {2,}1 /m, 'second factors can be opened after a restore');
});

async function faultOf(path: string, secret?: string): Promise<string> {
	try {
		for await (const _ of readBackup(path, secret));
		return '';
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

test('[T65] a flipped byte is refused in every region of the file, and the refusal says where', async (t) => {
	t.diagnostic(`seed ${random.seed}`);
	const place = temporaryFolder(t);
	for (const [name, secret, tries] of [
		['plain', undefined, 40],
		['encrypted', passphrase, 4],
	] as const) {
		const bytes = readFileSync(secret === undefined ? w.early : w.late);
		const path = join(place, name);
		const ends = [8, 10, 45, 47, bytes.length - 1, bytes.length - 200];
		const at = [
			// Every try at an encrypted file costs the making of its key.
			...(secret === undefined ? [0, 7, 9, 41, 42, 46, bytes.length - 20, ...ends] : ends),
			...Array.from({ length: tries }, () => random.whole(bytes.length)),
		];
		for (const position of at) {
			const broken = Buffer.from(bytes);
			broken.writeUInt8(broken.readUInt8(position) ^ (1 << random.whole(8)), position);
			writeFileSync(path, broken);
			const fault = await faultOf(path, secret);
			const said = Number(/byte (\d+)/.exec(fault)?.[1] ?? Number.NaN);
			const what = `byte ${position} of ${bytes.length} in ${name}: ${fault}`;
			assert.notEqual(fault, '', what);
			// Switched from plain to encrypted it asks for a passphrase; anything else is found at or before the byte.
			if (position !== 9 && position > 46) assert.ok(said <= position && said > position - 1_200_000, what);
		}
		writeFileSync(path, bytes.subarray(0, bytes.length - 1 - random.whole(bytes.length - 60)));
		assert.match(await faultOf(path, secret), /damaged at byte \d+ .*(ends too early|not those)/);
		writeFileSync(path, Buffer.concat([bytes, Buffer.from([0])]));
		assert.match(await faultOf(path, secret), /there is more behind its end/);
		writeFileSync(path, bytes);
		assert.equal(await faultOf(path, secret), '');
	}
	const broken = readFileSync(w.early);
	broken.writeUInt8(broken.readUInt8(5_000) ^ 1, 5_000);
	writeFileSync(join(place, 'broken'), broken);
	const refused = await tidemark(['restore', join(place, 'broken'), '--data', join(place, 'data')]);
	assert.equal(refused.code, 1);
	assert.match(refused.stderr, /is damaged at byte \d+/);
	assert.equal(existsSync(join(place, 'data')), false, 'nothing was touched');
});

test('[T63][T65] a backup of a newer version is refused, and so is one that names what is not ours', async (t) => {
	const place = temporaryFolder(t);
	const forge = async (name: string, migrations: number, table: string) => {
		const made = await createBackupFile(join(place, name), undefined);
		const original = [];
		for await (const piece of readBackup(w.early, undefined)) original.push(piece);
		for (const piece of original) {
			if ('head' in piece) {
				const { head } = piece;
				const more = Array.from({ length: migrations }, (_, index) => ({
					...{ number: head.postgres.migrations.length + index + 1, name: 'later', hash: 'x' },
				}));
				head.postgres.migrations.push(...more);
				await made.take({ head });
			} else if ('begin' in piece)
				await made.take({
					begin: { ...piece.begin, ...(piece.begin.table === 'accounts' && { table }) },
				});
			else if ('rows' in piece) await made.take(piece.rows);
			else if ('end' in piece) await made.take({ end: true });
		}
		await made.finish();
		return tidemark(['restore', join(place, name), '--data', join(place, `${name}-data`)]);
	};
	const newer = await forge('newer', 1, 'accounts');
	assert.equal(newer.code, 1);
	assert.match(newer.stderr, /The PostgreSQL part of the backup is newer than this program/);
	assert.equal(existsSync(join(place, 'newer-data')), false);
	for (const [name, table] of [
		['one', 'pg_authid'],
		['two', '../accounts'],
		['three', 'accounts (id) VALUES (1); --'],
	] as const) {
		const foreign = await forge(name, 0, table);
		assert.equal(foreign.code, 1);
		assert.match(foreign.stderr, /The backup has rows of the table ".+", which is not in its schema/);
	}
});

test('a backup is restored into what is empty, and into nothing else', async (t) => {
	const place = temporaryFolder(t);
	mkdirSync(join(place, 'data'));
	writeFileSync(join(place, 'data', 'notes.txt'), 'mine');
	const refused = await tidemark(['restore', w.early, '--data', join(place, 'data')]);
	assert.equal(refused.code, 1);
	assert.match(refused.stderr, /is not empty \(notes\.txt\)/);
	const taken = await tidemark(['backup', w.early, '--data', join(place, 'data')]);
	assert.equal(taken.code, 1);
	assert.match(taken.stderr, /is there already/);
	assert.ok(!readdirSync(w.folder).some((name) => name.endsWith('.unfinished')));
});

/** Kills a command some time after it was started, or lets it end. */
async function killed(args: string[], ms: number): Promise<boolean> {
	const child = spawn(process.execPath, [programFile, ...args], { stdio: 'ignore' });
	const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
	const code = await Promise.race([ended, sleep(ms, 'late' as const)]);
	if (code !== 'late') return false;
	child.kill('SIGKILL');
	await ended;
	return true;
}

test(`a restore that is killed ${kills} times is completed by the next run, and no service starts on half of it`, async (t) => {
	t.diagnostic(`seed ${random.seed}`);
	const data = join(temporaryFolder(t), 'data');
	const args = ['restore', w.early, '--data', data];
	let cuts = 0;
	for (let round = 0; round < kills; round++) {
		const ms = 700 + random.whole(3_000);
		if (!(await killed(args, ms))) break;
		cuts++;
		t.diagnostic(`killed after ${ms} ms`);
		if (!existsSync(join(data, 'restore-unfinished'))) continue;
		const refused: Omit<ServiceProcess, 'base'> = spawnService(t, { folder: data });
		assert.equal(await refused.exited, 1);
		assert.match(refused.output(), /A restore is incomplete\. Run it again/);
	}
	if (cuts === kills) await command(args);
	const found = await eventsIn(w, data);
	assertAsOfEarly(w, found);
	assert.deepEqual(JSON.parse(await command(['check', '--json', '--data', data])).differences, []);
});

test('a backup of one box is restored into servers', async (t) => {
	const server = await startPostgresServer();
	t.after(() => server.stop());
	const clickhouse = await startClickHouseServer(t);
	const place = temporaryFolder(t);
	const settings = { DATABASE_URL: server.url, CLICKHOUSE_URL: clickhouse.url };
	t.diagnostic(`PostgreSQL ${server.version}`);
	await command(['restore', w.early, '--data', join(place, 'one')], settings);
	const checked = JSON.parse(await command(['check', '--json', '--data', join(place, 'one')], settings));
	assert.deepEqual(checked.differences, []);
	assert.ok(checked.days >= 4);
	const again = await tidemark(['restore', w.early, '--data', join(place, 'two')], {
		settings,
	});
	assert.equal(again.code, 1);
	assert.match(again.stderr, /The PostgreSQL database is not empty/);
});

test('[F30] the power is cut right after a restore: everything is there', async (t) => {
	const disks = makeDisks(t);
	const first = disks.make('disk0', 400);
	await command(['restore', w.early, '--data', join(first, 'data')]);
	disks.copy('disk0', 'disk1');
	const second = disks.mount('disk1');
	const data = join(second, 'data');
	assertAsOfEarly(w, await eventsIn(w, data));
	assert.deepEqual(JSON.parse(await command(['check', '--json', '--data', data])).differences, []);
});

test('[T67] names of files are names, whatever is in them', async (t) => {
	const place = temporaryFolder(t);
	for (const name of ['; touch owned', '$(touch owned)', '`touch owned`', 'a\nb', '--help me', '-']) {
		copyFileSync(w.early, join(place, name));
		const printed = await tidemark(['verify', '--', join(place, name)]);
		assert.equal(printed.code, 0, printed.stderr);
		assert.match(printed.stdout, /Valid: /);
		assert.match(printed.stderr, /100 % {2}([\d.]+ [kM]B) of \1\n$/);
	}
	const missing = await tidemark(['verify', '$(touch owned)'], { cwd: place });
	assert.equal(missing.code, 0, missing.stderr);
	assert.equal(existsSync(join(place, 'owned')), false);
});
