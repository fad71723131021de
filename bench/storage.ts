/** Bytes on disk for each event of the demo, when everything is merged: events, the tables derived from them, and each column of events. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../server/config.ts';
import { fillDemo } from '../server/demo/fill-demo.ts';
import { rebuildDays } from '../server/derive/rebuild.ts';
import { maxEventsPerStatement } from '../server/derive/seal.ts';
import { systemClock } from '../server/lib/clock.ts';
import { createLog } from '../server/lib/log.ts';
import { openStores } from '../server/main.ts';
import { listCountedGoals } from '../server/stats/question/goals.ts';
import type { ClickHouse } from '../server/store/clickhouse.ts';
import { identifier, param, sql } from '../server/store/sql.ts';
import { printTable } from './table.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
const config = readConfig({ TIDEMARK_DATA: folder });
try {
	const { postgres, clickhouse, close } = await openStores(config, {
		log: createLog('error'),
		statistics: true,
	});
	if (!clickhouse) throw new Error('There is no ClickHouse.');
	const began = performance.now();
	const { added, websiteId } = await fillDemo(
		{ postgres, clickhouse, now: systemClock },
		{ email: undefined, domain: 'example.com', days: 90 },
		{ report: () => undefined, tell: () => undefined, gone: new AbortController().signal },
	);
	console.log(`${added} events in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
	await rebuildDays(
		{
			postgres,
			clickhouse,
			log: createLog('error'),
			now: systemClock,
			goalsOf: (websiteIds) => listCountedGoals(postgres, websiteIds),
			signal: new AbortController().signal,
			atOnce: { events: maxEventsPerStatement },
		},
		{ websiteId },
		() => undefined,
	);
	await measure(clickhouse, added).finally(close);
} finally {
	rmSync(folder, { recursive: true, force: true });
}

async function measure(clickhouse: ClickHouse, events: number): Promise<void> {
	const tables: (readonly [name: string, size: Size])[] = [];
	for (const table of ['events', 'visits', 'totals']) {
		await clickhouse.command(sql`OPTIMIZE TABLE ${identifier(table)} FINAL`);
		tables.push([table, await sizeOf(clickhouse, table)]);
	}
	const all = tables.reduce((sum, [, { bytes }]) => sum + bytes, 0);
	printTable(
		['table', 'rows', 'bytes per event'],
		[
			...tables.map(([name, { rows, bytes }]) => [name, rows, (bytes / events).toFixed(2)]),
			['together', '', (all / events).toFixed(2)],
		],
	);
	// Only parts of columns in files of their own know the size of each; months of the demo are too small for that.
	await clickhouse.command(sql`ALTER TABLE events MODIFY SETTING min_bytes_for_wide_part = 0`);
	const small = await sizeOf(clickhouse, 'events');
	await clickhouse.command(sql`OPTIMIZE TABLE events FINAL`);
	const wide = await sizeOf(clickhouse, 'events');
	const columns = await clickhouse.rows<{ name: string; type: string; codec: string; bytes: string }>(
		sql`SELECT name, type, compression_codec AS codec, data_compressed_bytes AS bytes
			FROM system.columns WHERE table = 'events' AND database = currentDatabase()
			ORDER BY data_compressed_bytes DESC, name`,
		{ as: 'migrate' },
	);
	const perEvent = (bytes: number) => (bytes / wide.rows).toFixed(2);
	const data = columns.reduce((sum, { bytes }) => sum + Number(bytes), 0);
	printTable(
		['column', 'type', 'codec', 'bytes per event'],
		[
			...columns.map(({ name, type, codec, bytes }) => [
				name,
				type.replace(/^Enum8.*/, 'Enum8'),
				codec,
				perEvent(Number(bytes)),
			]),
			['all columns', '', '', perEvent(data)],
			['keys, marks, checksums', '', '', perEvent(wide.bytes - data)],
			['on disk', '', '', perEvent(wide.bytes)],
			['on disk, as it is merged by itself', '', '', perEvent(small.bytes)],
		],
	);
}

type Size = { rows: number; bytes: number };

async function sizeOf(clickhouse: ClickHouse, table: string): Promise<Size> {
	const [size] = await clickhouse.rows<{ rows: string; bytes: string }>(
		sql`SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
			WHERE table = ${param('String', table)} AND database = currentDatabase() AND active`,
		{ as: 'migrate' },
	);
	return { rows: Number(size?.rows), bytes: Number(size?.bytes) };
}
