/**
 * Where a backup can be restored to, and what may happen to it meanwhile.
 *
 * RESTORE_KILLS=10 SEED=7 node scripts/test.ts test/operate/restore.test.ts
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBackupFile, readBackup } from '../../server/backup/file.ts';
import { assertAsOfEarly, type BackedUp, backUpAndDestroy, command, eventsIn } from '../support/backed-up.ts';
import { startClickHouseServer } from '../support/clickhouse-server.ts';
import { canMount, makeDisks } from '../support/disks.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { seededRandom } from '../support/random.ts';
import { type ServiceProcess, spawnService, temporaryFolder, tidemark } from '../support/service.ts';

const kills = Number(process.env.RESTORE_KILLS) || 2;
const random = seededRandom();
let w: BackedUp;
const hooks: (() => Promise<void>)[] = [];
before(async () => {
	w = await backUpAndDestroy({ after: (work) => void hooks.push(work) }, random);
});
after(async () => {
	for (const work of hooks.reverse()) await work();
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
		assert.match(foreign.stderr, /The backup has rows of ".+", which its schema does not have/);
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
	const entry = join(import.meta.dirname, '..', '..', 'cli', 'main.ts');
	const child = spawn(process.execPath, [entry, ...args], { stdio: 'ignore' });
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
		assert.match(refused.output(), /A restore was cut short here\. Run it again/);
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

if (canMount())
	test('[F30] the power is cut right after a restore: everything is there', async (t) => {
		const disks = makeDisks(t);
		const first = disks.make('disk0', 400);
		assert.ok(first);
		await command(['restore', w.early, '--data', join(first, 'data')]);
		disks.copy('disk0', 'disk1');
		const second = disks.mount('disk1');
		assert.ok(second);
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
		assert.match(printed.stdout, /Sound: /);
	}
	const missing = await tidemark(['verify', '$(touch owned)'], { cwd: place });
	assert.equal(missing.code, 0, missing.stderr);
	assert.equal(existsSync(join(place, 'owned')), false);
});
