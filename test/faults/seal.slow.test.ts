/**
 * Seals that are killed. A process seals one day all the time and is killed with SIGKILL at random moments, and now and then
 * the statistics engine is; meanwhile events come, and readers ask for what `days` names. Whatever they find must be a
 * day that there was: all events of the batches that it says it has, none twice, and the same in all dimensions.
 *
 * SEAL_KILLS=60 SEED=7 npm test -- test/faults/seal.slow.test.ts
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../server/config.ts';
import { checkDays } from '../../server/derive/check.ts';
import { sealDays } from '../../server/derive/seal.ts';
import { deleteDeadGenerations } from '../../server/jobs/delete-dead-generations.ts';
import { createLog } from '../../server/lib/log.ts';
import { openStores } from '../../server/main.ts';
import { param, sql, value } from '../../server/store/sql.ts';
import { closeBatch, noLogRange, openBatch } from '../../server/write/batch.ts';
import { engineFor } from '../engine/engine.ts';
import { seededRandom } from '../support/random.ts';
import { sample } from '../support/sample.ts';
import type { SealProcess } from '../support/seal-process.ts';
import { sealServices } from '../support/sealing.ts';
import { temporaryFolder, until } from '../support/service.ts';

const kills = sample('SEAL_KILLS', 6, 15);
const migrations = join('migrations', 'clickhouse');
const day = { websiteId: 1, date: '2026-05-01' };
const baseViews = 6_000;

test(`[F46] a process that seals is killed ${kills} times: readers see the day as it was or as it is, and nothing is left`, async (t) => {
	const random = seededRandom();
	t.diagnostic(`SEED=${random.seed}`);
	const log = createLog('silent', () => undefined);
	const folder = join(temporaryFolder(t), 'data');
	const stores = await openStores(readConfig({ TIDEMARK_DATA: folder }), { log, statistics: false });
	t.after(() => stores.close());
	const { engine, clickhouse } = await engineFor(t);
	for (const file of readdirSync(migrations).sort())
		await clickhouse.script(readFileSync(join(migrations, file), 'utf8'));
	const { postgres, postgresConnection } = stores;
	assert.ok(postgresConnection);
	await postgres.script(`
		INSERT INTO accounts (name, email, locale, timezone, created_at) VALUES ('A', 'a@example.test', 'en', 'UTC', now());
		INSERT INTO websites (account_id, domain, privacy, email, exclude_bots, timezone, created_at, updated_at)
			VALUES (1, 'a.example', 1, false, true, 'UTC', now(), now());
		INSERT INTO website_zones VALUES (1, '0001-01-01', 'UTC')`);
	const services = sealServices({ postgres, clickhouse, now: () => new Date(), log });

	/** How many views there are once a batch is written, and how many there may be. */
	const written = new Map<number, number>([[0, 0]]);
	let views = 0;
	let begun = 0;
	async function write(count: number) {
		const batch = await postgres.transaction((tx) => openBatch(tx, noLogRange, [{ ...day, events: count }]));
		const from = views;
		begun = from + count;
		for (;;) {
			try {
				await clickhouse.command(
					sql`
					INSERT INTO events (website_id, date, visitor_id, time, event_id, kind, path, source)
					SELECT 1, ${param('Date', day.date)}, cityHash64(intDiv(number, 3)),
						toDateTime64(${param('String', `${day.date} 00:00:00`)}, 3, 'UTC') + toIntervalSecond(number % 80000), number + 1,
						'pageview', concat('/', toString(number % 50)), concat('source ', toString(number % 7))
					FROM numbers(${param('UInt64', from)}, ${param('UInt64', count)})`,
					{ as: 'ingest', settings: { insert_deduplication_token: `batch ${batch}` } },
				);
				break;
			} catch {
				// The engine is away. The token keeps a repeat from counting twice.
				await sleep(200);
			}
		}
		views = from + count;
		written.set(batch, views);
		await closeBatch(postgres, batch);
	}
	await write(baseViews);
	// Before anybody looks, so that there is always a generation.
	assert.equal((await sealDays(services, [day], 'whole')).days.length, 1);

	let isOver = false;
	const seen = new Set<string>();
	let reads = 0;
	let away = 0;
	async function read() {
		const [named] = await postgres.rows<{
			generation: number;
			batch: number;
			provisional: number;
			provisionalBatch: number;
		}>(
			sql`SELECT generation, sealed_batch AS batch, provisional_generation AS provisional, provisional_batch AS "provisionalBatch" FROM days`,
		);
		assert.ok(named);
		for (const { generation, batch, isWhole } of [
			{ generation: named.generation, batch: named.batch, isWhole: true },
			{ generation: named.provisional, batch: named.provisionalBatch, isWhole: false },
		]) {
			// What was written when the seal began, or a little later.
			const least = Math.max(...[...written].filter(([number]) => number <= batch).map(([, count]) => count));
			const rows = await clickhouse.rows<{ dimension: string; views: string }>(sql`
				SELECT dimension, sum(t.views) AS views FROM totals AS t
				WHERE website_id = 1 AND generation = ${param('UInt64', generation)} GROUP BY dimension`);
			const found = new Map(rows.map((row) => [row.dimension, Number(row.views)]));
			const whole = found.get('') ?? 0;
			assert.ok(
				whole >= least && whole <= begun,
				`generation ${generation} has ${whole} views, not ${least} to ${begun}`,
			);
			for (const dimension of ['page', 'source', 'country', 'entry_page', 'hour'])
				assert.equal(found.get(dimension), whole, `${dimension} of generation ${generation}`);
			if (isWhole) {
				const [visits] = await clickhouse.rows<{ views: string }>(sql`
					SELECT sum(r.views) AS views FROM visits AS r WHERE website_id = 1 AND generation = ${param('UInt64', generation)}`);
				assert.equal(Number(visits?.views), whole, `visits of generation ${generation}`);
			}
			seen.add(`${isWhole} ${generation}`);
		}
		reads++;
	}
	const reading = [1, 2].map(async () => {
		while (!isOver) {
			try {
				await read();
			} catch (error) {
				if (error instanceof assert.AssertionError) throw error;
				away++;
				await sleep(100);
			}
		}
	});
	const writing = (async () => {
		while (!isOver) {
			await write(1 + random.whole(20));
			await sleep(random.whole(300));
		}
	})();

	let sealed = 0;
	let child: ChildProcess | undefined;
	t.after(async () => void child?.kill('SIGKILL'));
	for (let round = 1; round <= kills; round++) {
		const about: SealProcess = { postgres: postgresConnection, engine: engine.connection, day };
		child = spawn(process.execPath, [join('test', 'support', 'seal-process.ts'), JSON.stringify(about)], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		let told = '';
		child.stdout?.setEncoding('utf8').on('data', (text: string) => {
			told += text;
		});
		await until(() => told.includes('ready'), 20_000, 'the process seals');
		// One is done whatever chance and the machine do to the others.
		if (round === 1) await until(() => told.includes('sealed'), 60_000, 'a seal is done');
		await sleep(random.whole(3_500));
		const enginePid = engine.pid();
		if (round % 5 === 0 && enginePid !== undefined) process.kill(enginePid, 'SIGKILL');
		child.kill('SIGKILL');
		await once(child, 'exit');
		sealed += told.split('sealed').length - 1;
	}
	await until(() => engine.isUp(), 20_000, 'the engine is up');
	isOver = true;
	await Promise.all([...reading, writing]);
	assert.ok(reads > kills, `${reads} reads`);

	const dead = await postgres.rows<{ generation: number }>(
		sql`SELECT DISTINCT generation FROM dead_generations`,
	);
	await until(
		async () => (await sealDays(services, [day], 'whole')).days.length === 1,
		30_000,
		'the day is sealed once more',
	);
	assert.ok(dead.length > sealed, 'no seal was cut short');
	t.diagnostic(
		`${kills} kills, ${sealed} seals done, ${dead.length} generations dead or cut short, ${seen.size} seen in ${reads} reads, ${away} while the engine was away`,
	);
	const [last] = await postgres.rows<{ generation: number; dirty: boolean }>(
		sql`SELECT generation, last_batch > sealed_batch AS dirty FROM days`,
	);
	assert.equal(last?.dirty, false);
	const [whole] = await clickhouse.rows<{ views: string }>(
		sql`SELECT views FROM totals WHERE dimension = '' AND generation = ${param('UInt64', last?.generation)}`,
	);
	assert.equal(Number(whole?.views), views);
	assert.deepEqual(await checkDays(services, {}, () => undefined), { days: 1, differences: [] });

	// Nothing is left that nobody names.
	const later = { ...services, now: () => new Date(Date.now() + 16 * 60_000) };
	while ((await deleteDeadGenerations(later)) > 0);
	for (const table of [sql`visits`, sql`totals`])
		assert.deepEqual(
			await clickhouse.rows(sql`SELECT DISTINCT toUInt32(generation) AS generation FROM ${table}`),
			[{ generation: last?.generation }],
		);
	assert.deepEqual(
		await postgres.rows(sql`SELECT * FROM dead_generations WHERE generation = ${value(last?.generation)}`),
		[],
	);
});
