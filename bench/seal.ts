/**
 * How long seals take and how much memory: a thousand small websites in one statement, a middling one, one whose every view
 * is of another page, and a large one, on an engine with 700 MB. Beside it the bare engine's time for reading the day.
 *
 * npm run bench -- seal [millions of events of the large one, 5 unless said otherwise]
 */
import type { SealDay, SealKind } from '../server/derive/seal-types.ts';
import { param, sql, value } from '../server/store/sql.ts';
import { residentMb } from '../test/engine/engine.ts';
import { openSealing } from '../test/support/sealing.ts';
import { cpuMs } from './cpu.ts';
import { fillEvents } from './fill-events.ts';
import { printTable } from './table.ts';

const large = Number(process.argv[2] ?? 5) * 1_000_000;
const ending: (() => Promise<void>)[] = [];
const s = await openSealing({ after: (work) => void ending.push(work) });
const { postgres, clickhouse } = s;

const engineMs = () => cpuMs(s.enginePid());

async function fill(
	websiteIds: readonly number[],
	date: string,
	events: number,
	paths: number,
): Promise<SealDay[]> {
	for (const websiteId of websiteIds) {
		await fillEvents(clickhouse, { websiteId, from: date, days: 1, events, paths });
		await postgres.run(sql`
			INSERT INTO days (website_id, date, last_batch, size)
			VALUES (${value(websiteId)}, ${value(date)}::date, 1, ${value(events)})`);
	}
	return websiteIds.map((websiteId) => ({ websiteId, date }));
}

const rows: (string | number)[][] = [];

async function measure(what: string, days: readonly SealDay[], kind: SealKind) {
	const [began, cpu] = [performance.now(), engineMs()];
	const sealed = await s.seal(days, kind);
	const [ms, cpuMs] = [performance.now() - began, engineMs() - cpu];
	if (sealed.length !== days.length) throw new Error(`Only ${sealed.length} days were sealed.`);
	const readBegan = performance.now();
	const [first] = days;
	await clickhouse.rows(
		sql`SELECT count(), sum(cityHash64(*)) FROM events WHERE date = ${param('Date', first?.date)}`,
		{ as: 'ingest' },
	);
	const readMs = performance.now() - readBegan;
	rows.push([
		...[what, kind, Math.round(ms), cpuMs, Math.round(readMs), s.services.atOnce.events],
		Math.round(residentMb(s.enginePid())),
	]);
	console.error(`${what} ${kind}: ${Math.round(ms)} ms`);
}

try {
	const websites: number[] = [];
	while (websites.length < 1_000) websites.push(await s.website());
	const [middling = 0, many = 0, big = 0] = [await s.website(), await s.website(), await s.website()];
	const small = await fill(websites, '2026-10-01', 105, 20);
	await measure('1,000 websites with 105 events each', small, 'whole');
	const day = await fill([middling], '2026-10-02', 350_000, 2_000);
	await measure('350,000 events', day, 'whole');
	await measure('350,000 events', day, 'provisional');
	const pages = await fill([many], '2026-10-03', 1_000_000, 100_000_000);
	await measure('1,000,000 events, as many pages', pages, 'whole');
	const huge = await fill([big], '2026-10-04', large, 2_000);
	await measure(`${large} events`, huge, 'whole');
	await measure(`${large} events`, huge, 'provisional');
} finally {
	printTable(
		['day', 'kind', 'ms', 'engine cpu ms', 'reading all columns ms', 'events at once', 'engine MB after'],
		rows,
	);
	for (const end of ending) await end();
}
