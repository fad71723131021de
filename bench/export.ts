/**
 * How fast events become a Parquet file, over the API, as a ratio to the bare engine writing the same SELECT to a file; what
 * memory that takes; and whether the file, read back, has the rows that are stored.
 *
 * npm run bench -- export [events, 10,000,000 unless said otherwise] [rounds, 3]
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { loadavg, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Session } from 'chdb';
import { createAccount } from '../server/accounts/accounts.ts';
import { readConfig } from '../server/config.ts';
import { engineArguments } from '../server/engine/limits.ts';
import { exportedColumns } from '../server/export/columns.ts';
import { systemClock } from '../server/lib/clock.ts';
import { createLog } from '../server/lib/log.ts';
import { openStores } from '../server/main.ts';
import { importWebsites } from '../server/websites/import-websites.ts';
import { residentMb } from '../test/engine/engine.ts';
import { engineOf, startServiceProcess } from '../test/support/service.ts';
import { fillEvents } from './fill-events.ts';
import { median, printTable } from './table.ts';

const run = promisify(execFile);
const events = Number(process.argv[2] ?? 10_000_000);
const rounds = Number(process.argv[3] ?? 3);
const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
const ending: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
const data = join(folder, 'data');
const file = join(folder, 'events.parquet');

async function fill(): Promise<{ key: string; websiteId: number }> {
	const config = readConfig({ TIDEMARK_DATA: data });
	const stores = await openStores(config, { log: createLog('warn'), statistics: true });
	try {
		const { postgres, clickhouse } = stores;
		if (!clickhouse) throw new Error('The stores have no ClickHouse.');
		const { account, secret } = await postgres.transaction((tx) =>
			createAccount(tx, systemClock, { name: 'Bench', email: 'bench@example.test' }),
		);
		const [website] = await importWebsites(
			...([postgres, systemClock, account.id, [{ domain: 'bench.example' }], () => undefined] as const),
		);
		if (!website) throw new Error('No website was made.');
		await fillEvents(clickhouse, {
			websiteId: website.id,
			from: '2026-09-01',
			days: 30,
			events,
			paths: 2_000,
		});
		return { key: secret, websiteId: website.id };
	} finally {
		await stores.close();
	}
}

/** It merges what was filled in; the bare engine is measured after that too. */
async function untilAtRest(pid: number): Promise<void> {
	const ticks = () => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[11]);
	for (let before = Number.NaN, now = ticks(); !(now - before < 10); before = now, now = ticks())
		await sleep(3_000);
}

async function overApi({ key, websiteId }: { key: string; websiteId: number }) {
	const service = await startServiceProcess(
		{ after: (work) => void ending.push(work) },
		{ folder: data, settings: { TIDEMARK_LOG_LEVEL: 'warn' } },
	);
	const engine = engineOf(service.pid) ?? 0;
	const peak = { service: 0, engine: 0 };
	const watching = setInterval(() => {
		peak.service = Math.max(peak.service, residentMb(service.pid));
		peak.engine = Math.max(peak.engine, residentMb(engine));
	}, 50);
	await untilAtRest(engine);
	const idle = { service: residentMb(service.pid), engine: residentMb(engine) };
	const seconds: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const began = performance.now();
		// A client that costs next to nothing: it has the same cores here, and is elsewhere otherwise.
		await run('curl', [
			...['-sS', '--fail', '-o', file, '-H', `authorization: Bearer ${key}`],
			`${service.base}/api/v1/websites/${websiteId}/export?format=parquet`,
		]);
		seconds.push((performance.now() - began) / 1_000);
	}
	clearInterval(watching);
	await service.stop();
	return { seconds, peak, idle };
}

const columns = exportedColumns.events;
const selected = columns.map(({ name }) => (name === 'kind' ? 'toString(kind) AS kind' : name)).join(', ');
/** The same of every row of both, whatever a type is called there. */
const hashOf = (from: string) =>
	`SELECT count() AS rows, sum(cityHash64(${columns.map(({ name }) => `toString(${name})`).join(', ')})) AS hash FROM ${from} SETTINGS session_timezone = 'UTC'`;

try {
	const made = await fill();
	const ours = await overApi(made);
	// As the service runs its engine.
	setPriority(10);
	const engine = new Session(join(data, 'clickhouse'), { connectionArgs: engineArguments(1_024) });
	const from = `(SELECT ${selected} FROM tidemark.events WHERE website_id = ${made.websiteId})`;
	const bare: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const began = performance.now();
		engine.query(
			`SELECT * FROM ${from} INTO OUTFILE '${join(folder, `bare-${round}.parquet`)}' FORMAT Parquet SETTINGS output_format_parquet_row_group_size = 100000`,
		);
		bare.push((performance.now() - began) / 1_000);
		if (round > 0) rmSync(join(folder, `bare-${round}.parquet`));
	}
	const stored = engine.query(hashOf(from), 'TSV').trim();
	const read = engine.query(hashOf(`file('${file}', 'Parquet')`), 'TSV').trim();
	engine.close();
	const perSecond = (seconds: readonly number[]) => Math.round(events / median(seconds));
	printTable(
		['events', 'rows/s over the API', 'rows/s bare', 'ratio', 'MB of file', 'load average'],
		[
			[
				...[events, perSecond(ours.seconds), perSecond(bare)],
				(median(bare) / median(ours.seconds)).toFixed(2),
				(statSync(file).size / 1_000_000).toFixed(1),
				(loadavg()[0] ?? 0).toFixed(1),
			],
		],
	);
	printTable(
		['memory, MB', 'idle', 'at most'],
		[
			['service', Math.round(ours.idle.service), Math.round(ours.peak.service)],
			['engine', Math.round(ours.idle.engine), Math.round(ours.peak.engine)],
		],
	);
	console.log(
		`\nRows and hash stored: ${stored}; read back: ${read}; ${stored === read ? 'equal' : 'DIFFERENT'}`,
	);
	if (stored !== read) process.exitCode = 1;
} finally {
	for (const end of ending.reverse()) await end();
}
