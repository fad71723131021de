/**
 * Deriving the visits of today, for days of several sizes: whole, as the service does it; what the statement costs when there
 * is nothing to read; and a copy of stored visits without those of 50 visitors, which an incremental derivation would need
 * besides deriving the 50. CPU time is that of the engine.
 *
 * npm run bench -- open-day [rounds, 10 unless said otherwise]
 */
import { storedColumns } from '../server/derive/open-visits.ts';
import { visitRowsOf } from '../server/derive/visits.ts';
import { identifier, join, param, type Sql, sql } from '../server/store/sql.ts';
import { cpuMs } from './cpu.ts';
import { openFilledService, today } from './filled-service.ts';
import { printTable } from './table.ts';

const rounds = Number(process.argv[2] ?? 10);
const sizes = [700, 3_500, 50_000, 200_000];
const changedVisitors = 50;
const columns = join(storedColumns.map(identifier), ', ');
const service = await openFilledService(sizes.length);
const { clickhouse } = service;
let generation = BigInt(Date.now()) << 22n;

const derived = (websiteId: number): Sql =>
	visitRowsOf({
		websiteIds: [websiteId],
		from: today,
		to: today,
		columns: storedColumns,
		offsets: { sinceMs: [0], minutes: [60] },
	});

async function store(rows: Sql): Promise<bigint> {
	generation++;
	await clickhouse.command(
		sql`INSERT INTO open_visits (website_id, date, generation, visitor_id, ${columns})
			SELECT website_id, date, ${param('UInt64', generation)}, visitor_id, ${columns} FROM (${rows})`,
		{ as: 'ingest', name: 'open day' },
	);
	return generation;
}

async function time(rows: Sql): Promise<string> {
	await store(rows);
	const [cpu, began] = [cpuMs(service.enginePid), performance.now()];
	for (let round = 0; round < rounds; round++) await store(rows);
	const [ms, cpuTime] = [performance.now() - began, cpuMs(service.enginePid) - cpu];
	return `${Math.round(ms / rounds)} ms (CPU ${Math.round(cpuTime / rounds)})`;
}

try {
	const table: (string | number)[][] = [];
	for (const [index, events] of sizes.entries()) {
		const websiteId = index + 1;
		await service.fill({ websiteId, from: today, days: 1, events, paths: 200 });
		const stored = sql`open_visits WHERE generation = ${param('UInt64', await store(derived(websiteId)))}`;
		const kept = sql`SELECT website_id, date, visitor_id, ${columns} FROM ${stored} AND visitor_id NOT IN (
			SELECT DISTINCT visitor_id FROM ${stored} LIMIT ${param('UInt32', changedVisitors)})`;
		table.push([
			events,
			await time(derived(websiteId)),
			await time(derived(sizes.length + 1)),
			await time(kept),
		]);
	}
	printTable(['events today', 'whole', 'nothing to read', 'copy of the others'], table);
} finally {
	await service.close();
}
