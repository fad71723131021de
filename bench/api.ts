/**
 * The management interface at the size it is meant for: an account with 100,000 websites beside 1,000 other accounts.
 * List, search and last page with their query plans; and GET of one website as a ratio to a bare Fastify route that
 * does one `pg` query, interleaved five times, in the same run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import Fastify from 'fastify';
import pg from 'pg';
import { readConfig } from '../server/config.ts';
import { callControl, controlPath } from '../server/control/call.ts';
import { createLog } from '../server/lib/log.ts';
import { startService } from '../server/main.ts';
import { median, percentile, printTable } from './table.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
const config = readConfig({
	TIDEMARK_DATA: folder,
	TIDEMARK_PORT: '0',
	TIDEMARK_LOG_LEVEL: 'error',
	TIDEMARK_RATE_LIMIT: '100000000',
});
const service = await startService(config, { log: createLog('error') });
try {
	const made = await callControl(
		controlPath(config),
		'account.create',
		{ name: 'Agency', email: 'agency@example.test' },
		() => undefined,
	);
	if (!made) throw new Error('The service is not running.');
	const { account, secret } = made.result;
	const pool = new pg.Pool({ ...service.postgresConnection, max: 20 });
	pool.on('error', () => undefined);
	await fill(pool, account.id);
	await benchLists(pool, secret);
	await benchGet(pool, account.id, secret);
	await pool.end();
} finally {
	await service.stop();
	rmSync(folder, { recursive: true, force: true });
}

async function fill(pool: pg.Pool, accountId: number) {
	const website = `domain, privacy, email, exclude_bots, favorite, timezone, created_at, updated_at`;
	await pool.query(
		`INSERT INTO accounts (name, email, locale, timezone, created_at, website_count)
		SELECT 'A' || n, 'a' || n || '@example.test', 'en', 'UTC', now(), 20 FROM generate_series(1, 1000) n`,
	);
	await pool.query(
		`INSERT INTO websites (account_id, ${website})
		SELECT a.id, 'site' || n || '.example.org', 1, false, true, false, 'UTC', now(), now()
		FROM accounts a, generate_series(1, 20) n WHERE a.id <> $1`,
		[accountId],
	);
	await pool.query(
		`INSERT INTO websites (account_id, ${website})
		SELECT $1, substr(md5(n::text), 1, 8) || n || '.example.com', 1, false, true, n % 500 = 0, 'UTC', now(), now()
		FROM generate_series(1, 100000) n`,
		[accountId],
	);
	await pool.query('UPDATE accounts SET website_count = 100000 WHERE id = $1', [accountId]);
	await pool.query('VACUUM ANALYZE');
}

async function benchLists(pool: pg.Pool, secret: string) {
	const cases: [string, string][] = [
		['first page', ''],
		['first page of 100', '?per_page=100'],
		['last page', '?page=10000'],
		['middle page', '?page=5000'],
		['by domain, last page', '?sort_by=domain&sort=asc&page=10000'],
		['search, few matches', '?search=abcd'],
		['search, all match', '?search=example'],
		['search, one letter', '?search=z'],
		['search, none', '?search=nothing-like-it'],
		['search, last page', '?search=example&page=10000'],
		['favorites', '?favorite=1'],
		['not favorites, last page', '?favorite=0&page=9980'],
	];
	const rows: (string | number)[][] = [];
	for (const [name, query] of cases) {
		const times: number[] = [];
		for (let round = 0; round < 60; round++) {
			const began = performance.now();
			const answer = await fetch(`${service.address}/api/v1/websites${query}`, {
				headers: { authorization: `Bearer ${secret}` },
			});
			await answer.arrayBuffer();
			if (answer.status !== 200) throw new Error(`${name}: ${answer.status}`);
			if (round >= 10) times.push(performance.now() - began);
		}
		rows.push([name, median(times).toFixed(1), percentile(times, 0.95).toFixed(1)]);
	}
	printTable(['list of 100,000 websites', 'median ms', 'p95 ms'], rows);
	await showPlans(pool);
}

/** The statements that PostgreSQL has prepared for the service are asked for their plans, with values of that account. */
async function showPlans(pool: pg.Pool) {
	const [{ id: accountId }] = (
		await pool.query(`SELECT id FROM accounts WHERE email = 'agency@example.test'`)
	).rows;
	const page = (where: string, order: string, offset: number) =>
		`WITH page AS (SELECT id AS page_id FROM websites WHERE account_id = ${accountId} ${where} ${order} LIMIT 10 OFFSET ${offset})
		SELECT * FROM websites JOIN page ON page_id = id ${order}`;
	const like = `AND (domain LIKE '%abcd%' OR domain_unicode LIKE '%abcd%')`;
	const statements: [string, string][] = [
		['first page', page('', 'ORDER BY id DESC', 0)],
		['middle page', page('', 'ORDER BY id DESC', 49_990)],
		['last page', page('', 'ORDER BY id', 0)],
		['search', page(like, 'ORDER BY id DESC', 0)],
		['favorites, page', page('AND favorite', 'ORDER BY domain', 0)],
	];
	for (const [name, statement] of statements) {
		const plan = await pool.query(`EXPLAIN (ANALYZE, COSTS OFF, BUFFERS OFF, SUMMARY ON) ${statement}`);
		const lines = plan.rows.map((row) => String(row['QUERY PLAN']));
		console.log(
			`\n${name}\n${lines.filter((line) => /Scan|Index Cond|Filter:|Sort|Execution/.test(line)).join('\n')}`,
		);
	}
}

async function benchGet(pool: pg.Pool, accountId: number, secret: string) {
	const ids: number[] = (
		await pool.query('SELECT id FROM websites WHERE account_id = $1 ORDER BY random() LIMIT 1000', [
			accountId,
		])
	).rows.map((row) => row.id);
	const bare = Fastify();
	bare.get<{ Params: { id: string } }>('/websites/:id', async (request) => {
		const { rows } = await pool.query({
			name: 'one',
			text: 'SELECT * FROM websites WHERE id = $1',
			values: [request.params.id],
		});
		return { data: rows[0] };
	});
	const bareAddress = await bare.listen({ port: 0, host: '127.0.0.1' });
	const load = async (base: string) => {
		let next = 0;
		const result = await autocannon({
			url: base,
			connections: 16,
			duration: 4,
			headers: { authorization: `Bearer ${secret}` },
			requests: [
				{
					setupRequest: (request) => ({
						...request,
						path: `${new URL(base).pathname}/${ids[next++ % ids.length]}`,
					}),
				},
			],
		});
		if (result.non2xx > 0 || result.errors > 0)
			throw new Error(`${result.non2xx} answers were not 2xx, ${result.errors} failed`);
		return { perSecond: result.requests.average, p99: result.latency.p99 };
	};
	const rows: (string | number)[][] = [];
	const ratios: number[] = [];
	for (let round = 1; round <= 5; round++) {
		const theirs = await load(`${bareAddress}/websites`);
		const ours = await load(`${service.address}/api/v1/websites`);
		ratios.push(ours.perSecond / theirs.perSecond);
		rows.push([
			round,
			Math.round(ours.perSecond),
			ours.p99,
			Math.round(theirs.perSecond),
			theirs.p99,
			(ours.perSecond / theirs.perSecond).toFixed(2),
		]);
	}
	await bare.close();
	printTable(
		['round', 'GET one website, req/s', 'p99 ms', 'bare Fastify + pg, req/s', 'p99 ms', 'ratio'],
		rows,
	);
	console.log(
		`\nmedian ratio ${median(ratios).toFixed(2)} (service, bare route and load generator share one process)`,
	);
}
