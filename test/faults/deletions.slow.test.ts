/**
 * Deletions that are killed. A process hides events, restores them, seals their days and deletes them from disk, and is killed with
 * SIGKILL at random moments, and now and then the statistics engine is. Meanwhile readers ask: each answer counts what PostgreSQL
 * says is not hidden, exactly.
 *
 * DELETION_KILLS=60 SEED=7 npm test -- test/faults/deletions.slow.test.ts
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
import type { EventSelection } from '../../server/derive/hidden-events.ts';
import { createOpenDays } from '../../server/derive/open-days.ts';
import { sealDays } from '../../server/derive/seal.ts';
import { undoDeletion } from '../../server/items/deletions.ts';
import { deleteHiddenEvents } from '../../server/jobs/delete-hidden-events.ts';
import { createLog } from '../../server/lib/log.ts';
import { openStores } from '../../server/main.ts';
import { answer } from '../../server/stats/answer/answer.ts';
import { createResultCache } from '../../server/stats/answer/result-cache.ts';
import type { Question } from '../../server/stats/question/question.ts';
import { getStatsContext } from '../../server/stats/question/stats-context.ts';
import { param, sql } from '../../server/store/sql.ts';
import { closeBatch, noLogRange, openBatch } from '../../server/write/batch.ts';
import { engineFor } from '../engine/engine.ts';
import type { DeletionProcess, DeletionStep } from '../support/deletion-process.ts';
import { seededRandom } from '../support/random.ts';
import { sample } from '../support/sample.ts';
import { sealServices } from '../support/sealing.ts';
import { temporaryFolder, until } from '../support/service.ts';

const kills = sample('DELETION_KILLS', 10, 20);
const migrations = join('migrations', 'clickhouse');
const days = ['2026-05-01', '2026-05-02', '2026-05-03'].map((date) => ({ websiteId: 1, date }));
const viewsOfDay = 3_000;
const killedSteps: readonly DeletionStep[] = ['hide', 'delete', 'undo', 'seal', 'delete'];
const paths = Array.from({ length: 40 }, (_, n) => `/page-${n}`);

type Row = { id: number; selection: EventSelection; state: string };

test(`[F67] a process that deletes events is killed ${kills} times: every answer counts what is not hidden`, async (t) => {
	const random = seededRandom();
	t.diagnostic(`SEED=${random.seed}`);
	const log = createLog('silent', () => undefined);
	const stores = await openStores(readConfig({ TIDEMARK_DATA: join(temporaryFolder(t), 'data') }), {
		log,
		statistics: false,
	});
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
	const batch = await postgres.transaction((tx) =>
		openBatch(
			tx,
			noLogRange,
			days.map((day) => ({ ...day, events: viewsOfDay })),
		),
	);
	for (const { date } of days)
		await clickhouse.command(
			sql`
			INSERT INTO events (website_id, date, visitor_id, time, event_id, kind, path)
			SELECT 1, ${param('Date', date)}, cityHash64(intDiv(number, 4)),
				toDateTime64(${param('String', `${date} 00:00:00`)}, 3, 'UTC') + toIntervalSecond(number * 20), number + 1,
				'pageview', concat('/page-', toString(number % ${param('UInt32', paths.length)}))
			FROM numbers(${param('UInt64', viewsOfDay)})`,
			{ as: 'ingest' },
		);
	await closeBatch(postgres, batch);
	await sealDays(services, days, 'whole');

	const openDays = createOpenDays({ postgres, clickhouse, now: services.now, log });
	t.after(() => openDays.close());
	const stats = { postgres, clickhouse, openDays, results: createResultCache(), now: services.now };
	const listAll = () => postgres.rows<Row>(sql`SELECT id, selection, state FROM deletions ORDER BY id`);
	const expectedOf = (rows: readonly Row[]) => {
		const hidden = new Set(
			rows
				.filter(({ state }) => state !== 'undone')
				.flatMap(({ selection }) => selection.conditions.flatMap(({ values }) => values)),
		);
		const views = (days.length * viewsOfDay) / paths.length;
		return Object.fromEntries(paths.filter((path) => !hidden.has(path)).map((path) => [path, views]));
	};
	async function ask() {
		const { website } = await getStatsContext(postgres, { kind: 'nobody' }, { id: 1, domain: 'a.example' });
		const span = { from: days[0]?.date ?? '', to: days.at(-1)?.date ?? '', startMs: null, endMs: null };
		const question: Question = {
			...{ website, span, compared: null, buckets: null, comparedBuckets: null },
			...{ metrics: ['pageviews'], filter: null, goal: null },
			breakdowns: [
				{
					dimension: { name: 'page' },
					sort: { by: 'pageviews', descending: true },
					...{ search: null, offset: 0, limit: 100 },
				},
			],
		};
		const { totals, breakdowns } = await answer(question, stats);
		return {
			pageviews: totals.pageviews,
			byPath: Object.fromEntries(
				breakdowns[0]?.rows.map((row) => [row.value, Number(row.values.pageviews)]) ?? [],
			),
		};
	}

	let isOver = false;
	let [compared, away] = [0, 0];
	const assertCounts = (found: Awaited<ReturnType<typeof ask>>, rows: readonly Row[], when: string) => {
		const expected = expectedOf(rows);
		const sum = Object.values(expected).reduce((total, views) => total + views, 0);
		assert.deepEqual(
			{ pageviews: found.pageviews, byPath: sorted(found.byPath) },
			{ pageviews: sum, byPath: sorted(expected) },
			`SEED=${random.seed} ${when}`,
		);
	};
	const reading = (async () => {
		while (!isOver) {
			try {
				const before = await listAll();
				const found = await ask();
				const after = await listAll();
				const areSame = JSON.stringify(states(before)) === JSON.stringify(states(after));
				await sleep(20);
				if (!areSame) continue;
				assertCounts(found, after, 'while it is killed');
				compared++;
			} catch (error) {
				if (error instanceof assert.AssertionError) throw error;
				away++;
				await sleep(100);
			}
		}
	})();
	// Awaited at the end.
	reading.catch(() => undefined);
	// Seals that begin before a change and end after it.
	const sealing = (async () => {
		while (!isOver) {
			await sealDays(services, [random.pick(days)], 'whole').catch(() => undefined);
			await sleep(100);
		}
	})();

	const cutShort = new Map<string, number>();
	let child: ChildProcess | undefined;
	t.after(async () => void child?.kill('SIGKILL'));
	for (let round = 1; round <= kills; round++) {
		const step = killedSteps[round % killedSteps.length] ?? 'hide';
		const about: DeletionProcess = {
			...{ postgres: postgresConnection, engine: engine.connection, seed: random.whole(2 ** 31) },
			...{ days, paths, step },
		};
		child = spawn(process.execPath, [join('test', 'support', 'deletion-process.ts'), JSON.stringify(about)], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		let output = '';
		child.stdout?.setEncoding('utf8').on('data', (text: string) => {
			output += text;
		});
		await until(() => output.includes('ready'), 20_000, 'the process works');
		// At least one is done whatever chance and the machine do to the next.
		await until(() => /ended\n(.|\n)*begins/.test(output), 60_000, `it begins to ${step}`);
		await sleep(random.whole(step === 'seal' ? 1_000 : 60));
		const enginePid = engine.pid();
		if (round % 5 === 0 && enginePid !== undefined) process.kill(enginePid, 'SIGKILL');
		child.kill('SIGKILL');
		await once(child, 'exit');
		if (output.endsWith('begins\n')) cutShort.set(step, (cutShort.get(step) ?? 0) + 1);
	}
	isOver = true;
	await Promise.all([reading, sealing]);
	await until(() => ask().then(Boolean, () => false), 20_000, 'the engine answers');
	assert.ok(compared > kills, `${compared} answers`);
	t.diagnostic(
		`${compared} answers compared, ${away} while the engine was away; cut short: ${JSON.stringify(Object.fromEntries(cutShort))}`,
	);

	// What can be restored is restored, and the rest is deleted.
	assertCounts(await ask(), await listAll(), 'after the last kill');
	const context = {
		now: services.now,
		principal: { kind: 'account', accountId: 1, isOperator: false } as const,
		websiteId: 1,
	};
	for (const { id, state } of await listAll())
		if (state === 'hidden') await postgres.transaction((tx) => undoDeletion(tx, context, id));
	assertCounts(await ask(), await listAll(), 'restored');
	await sealDays(services, days, 'whole');
	while ((await deleteHiddenEvents(services)) > 0);
	const rows = await listAll();
	assert.ok(rows.every(({ state }) => state === 'undone' || state === 'deleted'));
	assertCounts(await ask(), rows, 'at the end');
	assert.deepEqual(await checkDays(services, {}, () => undefined), { days: days.length, differences: [] });
	const [left] = await clickhouse.rows<{ events: string }>(sql`SELECT count() AS events FROM events`);
	assert.equal(
		Number(left?.events),
		Object.values(expectedOf(rows)).reduce((sum, views) => sum + views, 0),
	);
});

const states = (rows: readonly Row[]) => rows.map(({ id, state }) => [id, state]);

const sorted = (counts: Readonly<Record<string, number>>) =>
	Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1));
