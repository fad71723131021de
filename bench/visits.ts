/**
 * How fast visits are found: events of one website over 30 days in all columns, through the door of the embedded engine,
 * for several choices of columns. Beside it the bare engine's time for merely reading the columns that make a visit.
 *
 * npm run bench -- visits [millions of events, 2 unless said otherwise]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as path } from 'node:path';
import { type VisitColumn, visitsOf } from '../server/derive/visits.ts';
import { startEngine } from '../server/engine/supervise.ts';
import { createLog } from '../server/lib/log.ts';
import { createClickHouse } from '../server/store/clickhouse.ts';
import { identifier, join, param, type Sql, sql } from '../server/store/sql.ts';
import { entry, residentMb } from '../test/engine/engine.ts';
import { fillEvents } from './fill-events.ts';
import { median, printTable } from './table.ts';

const events = Number(process.argv[2] ?? 2) * 1_000_000;
const rounds = 5;
const month = { websiteIds: [1], from: '2026-10-01', to: '2026-10-30' };
const day = { websiteIds: [1], from: '2026-10-15', to: '2026-10-15' };

const folder = mkdtempSync(path(tmpdir(), 'tidemark-bench-'));
const log = createLog('error');
const engine = await startEngine({
	folder: path(folder, 'clickhouse'),
	socketPath: path(folder, 'engine.sock'),
	memoryMb: 3_000,
	log,
	entry,
});
const clickhouse = createClickHouse(engine.connection, { log });
try {
	for (const name of ['0001_events', '0011_routes'])
		await clickhouse.script(readFileSync(`migrations/clickhouse/${name}.sql`, 'utf8'));
	await fillEvents(clickhouse, { websiteId: 1, from: month.from, days: 30, events, paths: 2_000 });

	const overview: VisitColumn[] = ['start', 'seconds', 'views', 'events', 'engaged_ms'];
	const questions: [string, Sql][] = [
		['reading alone', bare(month)],
		['start', over(month, ['start'])],
		['start, country', over(month, ['start', 'country'])],
		['start, paths', over(month, ['start', 'paths'])],
		['overview with bounces', over(month, overview)],
		['all columns', over(month)],
		['all columns of one day', over(day)],
	];
	const times = new Map<string, number[]>(questions.map(([name]) => [name, []]));
	for (let round = 0; round < rounds; round++) {
		for (const [name, question] of questions) {
			const began = performance.now();
			await clickhouse.rows(question);
			times.get(name)?.push(performance.now() - began);
		}
	}
	const [first = ''] = questions.map(([name]) => name);
	const bareMs = median(times.get(first) ?? []);
	const [row] = await clickhouse.rows<{ visits: string }>(sql`
		SELECT count() AS visits FROM (${visitsOf({ ...month, columns: [] })})`);
	console.log(`${events} events in 30 days, ${row?.visits} visits; median of ${rounds} rounds`);
	printTable(
		['visits with', 'ms', 'ratio to reading', 'thousand events a second'],
		questions.map(([name]) => {
			const ms = median(times.get(name) ?? []);
			const read = name.endsWith('one day') ? events / 30 : events;
			return [name, Math.round(ms), Number((ms / bareMs).toFixed(1)), Math.round(read / ms)];
		}),
	);
	console.log(`\nresident memory of the engine: ${Math.round(residentMb(engine.pid() ?? 0))} MB`);
} finally {
	await clickhouse.close();
	await engine.stop();
	rmSync(folder, { recursive: true, force: true });
}

/** Every value of every visit is made, and one row comes back. */
function over(options: typeof month, columns?: readonly VisitColumn[]): Sql {
	const visits = visitsOf({ ...options, ...(columns && { columns }) });
	return sql`SELECT count(), sum(cityHash64(*)) FROM (${visits})`;
}

function bare({ websiteIds, from, to }: typeof month): Sql {
	const columns = 'website_id date visitor_id time event_id kind page_event_id engaged_ms scroll'.split(' ');
	return sql`
		SELECT count(), sum(cityHash64(${join(columns.map(identifier), ', ')})) FROM events
		WHERE website_id IN ${param('Array(UInt32)', websiteIds)}
			AND date BETWEEN ${param('Date', from)} AND ${param('Date', to)}`;
}
