import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../server/config.ts';
import { makeDay } from '../../server/demo/make-events.ts';
import { blankEvent, type Event } from '../../server/ingest/event.ts';
import { createLog } from '../../server/lib/log.ts';
import { openStores, type Stores } from '../../server/main.ts';
import type { ClickHouse } from '../../server/store/clickhouse.ts';
import { param, sql } from '../../server/store/sql.ts';
import { client } from '../support/client.ts';
import { programFile } from '../support/program.ts';
import { startServiceProcess, temporaryFolder, tidemark, until } from '../support/service.ts';

/** What lies on a folder that no service runs on. */
async function look<T>(
	folder: string,
	work: (stores: Stores & { clickhouse: ClickHouse }) => Promise<T>,
): Promise<T> {
	const stores = await openStores(readConfig({ TIDEMARK_DATA: folder }), {
		log: createLog('error'),
		statistics: true,
	});
	const { clickhouse } = stores;
	if (!clickhouse) throw new Error('There is no ClickHouse.');
	return work({ ...stores, clickhouse }).finally(() => stores.close());
}

const run = async (folder: string, ...args: string[]) => {
	const printed = await tidemark(['demo', '--data', folder, '--json', ...args]);
	assert.equal(printed.code, 0, printed.stderr);
	return { ...JSON.parse(printed.stdout), stderr: printed.stderr };
};

test('without a service: an id alone on standard output, every event once, and later runs add what is missing', async (t: TestContext) => {
	const folder = `${temporaryFolder(t)}/data`;
	const first = await tidemark(['demo', '--data', folder, '--days', '3']);
	assert.equal(first.code, 0, first.stderr);
	assert.match(first.stdout, /^\d+\n$/);
	assert.match(first.stderr, /^example\.com \(demo@example\.com\) has (\d+) events .*; \1 added\.$/m);
	assert.match(first.stderr, /^Created account .* API key \(shown only once\): tm_\w{49}$/m);
	assert.match(first.stderr, /^Open http:\/\/127\.0\.0\.1:8090\/websites\/\d+$/m);
	assert.match(first.stderr, /^To sign in, .*: http:\/\/127\.0\.0\.1:8090\/password#token=\S{43}$/m);
	const id = Number(first.stdout);

	const again = await run(folder, '--days', '3');
	assert.equal(again.website_id, id);
	assert.ok(again.added < again.events / 10, 'at most what happened in the minute between');
	assert.doesNotMatch(again.stderr, /tm_/, 'the key is shown once');
	const before = new Date().toISOString().replace('T', ' ').slice(0, -1);
	const longer = await run(folder, '--days', '12');
	assert.ok(longer.added > 8 * 500, `${longer.added}`);

	await look(folder, async ({ clickhouse, postgres }) => {
		const [counted] = await clickhouse.rows<Record<string, string>>(sql`
			SELECT count() AS events, uniqExact(event_id) AS ids, countIf(kind = 'pageview') AS views,
				uniqExact(date) AS days, toString(min(date)) AS first, toString(max(date)) AS last
			FROM events WHERE website_id = ${param('UInt32', id)}`);
		const [website] = await postgres.rows<{ timezone: string; date: string }>(
			sql`SELECT timezone, (created_at AT TIME ZONE timezone)::date::text AS date FROM websites`,
		);
		assert.equal(website?.timezone, 'Europe/Berlin');
		const items = await postgres.rows(sql`SELECT privacy,
			(SELECT count(*)::int FROM goals) AS goals, (SELECT count(*)::int FROM funnels) AS funnels,
			(SELECT count(*)::int FROM segments) AS segments, (SELECT count(*)::int FROM notes) AS notes FROM websites`);
		assert.deepEqual(items, [{ privacy: 1, goals: 4, funnels: 1, segments: 2, notes: 4 }], 'made once');
		const madeOf = (date: string) =>
			makeDay({ id, domain: 'example.com', madeOn: website.date }, date, website.timezone);
		// Right after midnight nothing of today has happened yet.
		const hasToday = madeOf(longer.to).some(({ time }) => time < before);
		const dayCount = hasToday ? 12 : 11;
		assert.deepEqual(
			[Number(counted?.events), Number(counted?.ids), Number(counted?.days), counted?.first],
			[longer.events, longer.events, dayCount, longer.from],
		);
		assert.equal(counted?.last === longer.to, hasToday);
		const days = await postgres.rows<{ date: string; dirty: boolean }>(
			sql`SELECT date::text, last_batch > sealed_batch AS dirty FROM days ORDER BY date`,
		);
		assert.equal(days.length, dayCount);
		assert.ok(days.every(({ dirty }) => dirty));
		assert.deepEqual(await postgres.rows(sql`SELECT * FROM batches`), [], 'nothing is left open');
		const [usage] = await postgres.rows<{ views: number }>(
			sql`SELECT sum(pageviews)::bigint AS views FROM account_usage`,
		);
		assert.equal(usage?.views, Number(counted?.views));

		const made = madeOf(longer.from);
		const stored = await clickhouse.rows<Event>(
			sql`SELECT * EXCEPT import_id FROM events WHERE website_id = ${param('UInt32', id)} AND date = ${param('Date', longer.from)}`,
		);
		assert.deepEqual(sorted(stored), sorted(made), 'the rows are the events, member by member');

		await clickhouse.insert({
			table: 'events',
			lines: JSON.stringify({ ...blankEvent, ...made[0], website_id: 77, event_id: '1' }),
			token: 'a real event',
		});
		await postgres.script(`INSERT INTO websites OVERRIDING SYSTEM VALUE
			SELECT 77, account_id, 'real.example', NULL, privacy, NULL, email, exclude_bots, NULL, NULL, favorite, timezone,
				created_at, updated_at FROM websites;
			INSERT INTO website_zones VALUES (77, '0001-01-01', 'UTC')`);
	});
	const refused = await tidemark(['demo', '--data', folder, '--domain', 'real.example', '--days', '2']);
	assert.deepEqual([refused.code, refused.stdout], [1, '']);
	assert.match(refused.stderr, /real\.example has real events.*Choose another --domain/);

	// As a run that was killed in the middle of a block would leave it.
	await look(folder, ({ postgres }) =>
		postgres.script('INSERT INTO batches (first_seq, last_seq) VALUES (0, 0)'),
	);
	const service = await startServiceProcess(t, { folder });
	assert.equal((await run(folder, '--days', '12')).website_id, id);
	assert.equal(await service.stop(), 0);
	await look(folder, async ({ postgres }) =>
		assert.deepEqual(await postgres.rows(sql`SELECT * FROM batches`), [], 'the service has closed it'),
	);
});

const sorted = (events: readonly Event[]) =>
	events.map((event) => JSON.stringify(Object.entries(event).sort())).sort();

test('with a running service: the same, for the account that is named', async (t: TestContext) => {
	const service = await startServiceProcess(t);
	const accounts = ['a', 'b'].map((name) => `${name}@example.test`);
	const keys: string[] = [];
	for (const email of accounts) {
		const made = await tidemark([
			...['account', 'create', '--json', '--email', email],
			...['--name', 'A', '--data', service.folder],
		]);
		keys.push(JSON.parse(made.stdout).key);
	}
	const unclear = await tidemark(['demo', '--data', service.folder, '--days', '2']);
	assert.equal(unclear.code, 1);
	assert.match(unclear.stderr, /There are 2 accounts\. Choose one with --account/);
	const unknown = await tidemark(['demo', '--data', service.folder, '--account', 'c@example.test']);
	assert.match(unknown.stderr, /There is no account c@example\.test/);

	const args = ['--days', '2', '--account', 'b@example.test', '--domain', 'shore.example'];
	const made = await run(service.folder, ...args);
	assert.deepEqual([made.domain, made.account], ['shore.example', 'b@example.test']);
	assert.equal(made.url, `${service.base}/websites/${made.website_id}`);
	assert.ok(made.added > 1_000 && made.added === made.events);
	const again = await run(service.folder, ...args);
	assert.equal(again.website_id, made.website_id);
	assert.ok(again.added < 200);
	const api = client(service.base, keys[1]);
	const website = await api('GET', `/websites/${made.website_id}`);
	assert.equal(website.status, 200);

	const cut = spawn(process.execPath, [
		programFile,
		'demo',
		'--data',
		service.folder,
		...args,
		'--days',
		'30',
	]);
	await sleep(1_500);
	cut.kill('SIGKILL');
	let last = again;
	const finish = async () => {
		const printed = await tidemark(['demo', '--json', '--data', service.folder, ...args, '--days', '30']);
		if (printed.code !== 0) assert.match(printed.stderr, /Another command is filling website/);
		else last = JSON.parse(printed.stdout);
		return printed.code === 0;
	};
	await until(finish, 60_000, 'the service has let go of the run that was cut short');
	assert.equal(await service.stop(), 0);

	await look(service.folder, async ({ clickhouse }) => {
		const [counted] = await clickhouse.rows(
			sql`SELECT toUInt32(count()) AS events, toUInt32(uniqExact(event_id)) AS ids FROM events`,
		);
		assert.deepEqual(counted, { events: last.events, ids: last.events });
	});
});

test('a wrong number of days or domain is refused', async (t: TestContext) => {
	const folder = `${temporaryFolder(t)}/data`;
	for (const days of ['0', 'many', '1001', '-1']) {
		const refused = await tidemark(['demo', '--data', folder, '--days', days]);
		assert.equal(refused.code, 1, days);
		assert.match(refused.stderr, /days/);
	}
	const refused = await tidemark(['demo', '--data', folder, '--domain', 'localhost']);
	assert.deepEqual([refused.code, refused.stdout], [1, '']);
	assert.match(refused.stderr, /two parts/);
	const listed = await tidemark(['account', 'list', '--json', '--data', folder]);
	assert.equal(listed.stdout, '[]\n', 'no account was made for it');
});
