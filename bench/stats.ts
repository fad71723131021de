/**
 * The statistics page of a website with ten million events in 30 days and as many days before to compare with: the summary and
 * its comparison, the series and nine breakdowns, over HTTP. No statement of a question was asked before: in each round the
 * filter also excludes a country that no visit has and the comparison begins on another day, and the engine's cache of filter
 * conditions is dropped. Only statements over today's visits without a filter are known. Beside each filter stands the least
 * that could answer it: one scan of the columns that the page needs, which only sums them up. Then what a seal takes, and the
 * list of 400 websites.
 *
 * npm run bench -- stats [millions of events, 10 unless said otherwise]
 * npm run bench -- stats --grow     how it grows with events and days, instead
 */
import { addDays } from '../server/lib/local-dates.ts';
import { identifier, join, param, type Sql, sql } from '../server/store/sql.ts';
import { residentMb } from '../test/engine/engine.ts';
import { cpuMs } from './cpu.ts';
import { type FilledService, openFilledService, spanBefore, today } from './filled-service.ts';
import { median, percentile, printTable } from './table.ts';

const isGrowing = process.argv.includes('--grow');
const millions = Number((!isGrowing && process.argv[2]) || 10);

const filters: [string, unknown][] = [
	['no filter', null],
	['country is DE', ['is', 'country', ['DE']]],
	['source is source7', ['is', 'source', ['source7']]],
	['page is /page/0, which a third of the visits read', ['is', 'page', ['/page/0']]],
	['page is /page/40', ['is', 'page', ['/page/40']]],
];

type Run = { name: string; events: number; days: number; paths: number; isFull: boolean };

for (const run of plannedRuns()) {
	console.log(`\n== ${run.name}`);
	const service = await openFilledService(run.isFull ? 401 : 1);
	try {
		await fill(service, run);
		// With so many paths, a question can exceed the memory of the engine.
		await timePages(service, run).catch((error: Error) => console.log(error.message.slice(0, 250)));
		if (run.isFull) {
			await timeTables(service, run);
			await timeJourneys(service, run);
			await timeLists(service);
		}
		console.log(
			`\nresident: engine ${Math.round(residentMb(service.enginePid))} MB, this process ${Math.round(residentMb(process.pid))} MB`,
		);
	} finally {
		await service.close();
	}
}

function plannedRuns(): Run[] {
	const runOf = (events: number, days: number): Run => ({
		name: `${events} million events, ${days} days`,
		events: events * 1_000_000,
		days,
		paths: 2_000,
		isFull: false,
	});
	if (!isGrowing) return [{ ...runOf(millions, 30), isFull: true }];
	// A day of 5 million events in 30 days is read from its events while it is open, one of 7 million has provisional totals.
	const grown = [1, 3, 5, 7].map((events) => runOf(events, 30));
	return [
		...grown,
		runOf(3, 90),
		runOf(3, 365),
		{ ...runOf(3, 3), name: '3 million events, 3 days, 1 million paths a day', paths: 10_000_000 },
	];
}

/** The period has all the events; the days before, which only the summary is compared with, have a tenth as many each. */
async function fill(service: FilledService, { events, days, paths, isFull }: Run) {
	const from = addDays(today, 1 - days);
	const before = spanBefore(from, days);
	await service.fill({ websiteId: 1, from, days, events, paths });
	await service.fill({ websiteId: 1, from: before.from, days, events: Math.ceil(events / 10), paths });
	for (let id = 2; isFull && id <= 401; id++)
		await service.fill({ websiteId: id, from: addDays(today, -89), days: 90, events: 1_400, paths: 50 });
	const unsealed = await service.unsealed();
	const yesterday = addDays(today, -1);
	const times: [string, number][] = [];
	const seal = async (name: string, isWanted: (day: (typeof unsealed)[number]) => boolean) => {
		const some = unsealed.filter(isWanted);
		if (some.length > 0)
			times.push([name, Math.round(await service.seal(some, some[0]?.isToday ? 'provisional' : 'whole'))]);
	};
	await seal('yesterday of the large website', (day) => day.websiteId === 1 && day.date === yesterday);
	await seal('yesterday of the small websites', (day) => day.websiteId !== 1 && day.date === yesterday);
	await seal('today of the large website, provisional', (day) => day.isToday);
	await seal('all others', (day) => !day.isToday && day.date !== yesterday);
	printTable(['seal of', 'ms'], times);
}

async function timePages(service: FilledService, { days }: Run) {
	const from = addDays(today, 1 - days);
	const compared = spanBefore(from, days);
	// Each one compares with a day less.
	const rounds = Math.min(9, days - 1);
	const rows: (string | number)[][] = [];
	for (const [name, filter] of filters) {
		const ours: number[] = [];
		const again: number[] = [];
		const bare: number[] = [];
		let cpu = 0;
		for (let round = 0; round <= rounds; round++) {
			const question = {
				from,
				filter: neverAsked(filter, round),
				compared: { ...compared, from: addDays(compared.from, round) },
			};
			await dropCaches();
			const before = cpuMs(service.enginePid);
			const cold = await timed(() => service.askPage(question));
			const used = cpuMs(service.enginePid) - before;
			const known = await timed(() => service.askPage(question));
			await dropCaches();
			const least = filter === null ? 0 : await timed(() => scan(filter));
			// The first one also derives the visits of today.
			if (round === 0) continue;
			ours.push(cold);
			again.push(known);
			bare.push(least);
			cpu += used / rounds;
		}
		const ratio = filter === null ? '' : (median(ours) / median(bare)).toFixed(2);
		rows.push([
			name,
			Math.round(median(ours)),
			Math.round(percentile(ours, 0.95)),
			Math.round(cpu),
			filter === null ? '' : Math.round(median(bare)),
			ratio,
			Math.round(median(again)),
		]);
		console.log(`${name}: ${Math.round(median(ours))} ms`);
	}
	printTable(
		[
			'statistics page, first time',
			'median ms',
			'p95 ms',
			'engine CPU ms',
			'one scan, ms',
			'ratio',
			'second time, ms',
		],
		rows,
	);

	function neverAsked(filter: unknown, round: number): unknown {
		return filter && ['and', filter, ['is_not', 'country', [`none ${round}`]]];
	}

	function dropCaches() {
		return service.clickhouse.command(sql`SYSTEM DROP QUERY CONDITION CACHE`).catch(() => undefined);
	}

	/** Sums up the columns that the page needs, of the visits that the filter selects in the period and its comparison. */
	async function scan(filter: unknown): Promise<void> {
		const [, name, values] = Array.isArray(filter) ? filter : ['', '', []];
		const texts = ['entry_path', 'exit_path', 'source', 'channel', 'country', 'device', 'browser', 'os'];
		const counted = ['views', 'seconds', 'is_bounce', 'is_only', 'visitor_id'];
		const isSelected =
			name === 'page'
				? sql`has(paths, ${param('String', values[0])})`
				: sql`${identifier(name)} = ${param('String', values[0])}`;
		await service.clickhouse.ask(sql`
			SELECT ${join(
				[
					...texts.map((text) => sql`sum(length(${identifier(text)}))`),
					...counted.map((count) => sql`sum(${identifier(count)})`),
					sql`sum(length(kinds))`,
					sql`sum(length(arrayStringConcat(paths)))`,
				],
				', ',
			)}
			FROM visits WHERE website_id = 1 AND date >= ${param('Date', compared.from)} AND ${isSelected}`);
	}
}

/** Single tables beside one scan of the columns that they need. Each round asks for another page of rows, and with another filter. */
async function timeTables(service: FilledService, { days }: Run) {
	const from = addDays(today, 1 - days);
	const before = spanBefore(from, days).from;
	const period = `period=custom&from=${from}&to=${today}`;
	const german = (round: number) =>
		`filters=${encodeURIComponent(`["and",["is","country",["DE"]],["is_not","country",["none ${round}"]]]`)}`;
	const rowsOf = (path: string) => (round: number) =>
		`/websites/1/stats/${path}&${period}&metrics=visitors,pageviews&per_page=100&page=${round + 1}`;
	const germanRowsOf = (path: string) => (round: number) => `${rowsOf(path)(round)}&${german(round)}`;
	const counted = [sql`sum(views)`, sql`sum(events)`, sql`sum(visitor_id)`, sql`sum(is_only)`];
	const texts = (...names: string[]) => names.map((name) => sql`sum(length(${identifier(name)}))`);
	const pages = [sql`sum(length(arrayStringConcat(paths)))`, sql`sum(length(kinds))`];
	const ofVisits = [
		...[
			'source',
			'channel',
			'referrer',
			'utm_campaign',
			'utm_source',
			'utm_medium',
			'utm_term',
			'utm_content',
		],
		...['entry_path', 'country', 'region', 'city', 'language', 'device', 'browser', 'os', 'screen'],
	];
	const tables: [name: string, path: (round: number) => string, since: string, columns: Sql[]][] = [
		[
			'sources compared, within a country',
			germanRowsOf('source?compare=previous'),
			before,
			texts('source', 'country'),
		],
		[
			'pages compared, within a country',
			germanRowsOf('page?compare=previous'),
			before,
			[...texts('country'), ...pages],
		],
		['sources by country', rowsOf('source?by=country'), from, texts('source', 'country')],
		['sources by page', rowsOf('source?by=page'), from, [...texts('source'), ...pages]],
		['pages by event', rowsOf('page?by=event'), from, [...pages, sql`sum(length(arrayStringConcat(names)))`]],
		[
			'page groups, without rules, within a country',
			germanRowsOf('page_group?'),
			from,
			[...texts('country'), ...pages, sql`sum(length(arrayStringConcat(routes)))`],
		],
		[
			'what changed: visits, within a country',
			(round) => `/websites/1/what-changed?metric=visits&compare=previous&${german(round)}&${period}`,
			before,
			texts(...ofVisits),
		],
		[
			'what changed: page views, within a country',
			(round) => `/websites/1/what-changed?metric=pageviews&compare=previous&${german(round)}&${period}`,
			before,
			[...texts(...ofVisits), ...pages],
		],
	];
	const rows: (string | number)[][] = [];
	for (const [name, path, since, columns] of tables)
		rows.push([
			name,
			...(await timeBesideScan(
				(round) => service.read(path(round)),
				() =>
					service.clickhouse.ask(
						sql`SELECT ${join([...counted, ...columns], ', ')} FROM visits WHERE website_id = 1 AND date >= ${param('Date', since)}`,
					),
			)),
		]);
	printTable(['one table, first time', 'median ms', 'p95 ms', 'one scan, ms', 'ratio'], rows);
}

/** Journeys beside one scan of the visits that have the anchor, with the columns that steps are read from. */
async function timeJourneys(service: FilledService, { days }: Run) {
	const from = addDays(today, 1 - days);
	const journeys: [name: string, page: string, query: string][] = [
		['3 steps after a page of a third of the visits', '/page/0', 'steps=3'],
		['5 steps after a page of a third of the visits', '/page/0', 'steps=5'],
		['5 steps before a page of a third of the visits', '/page/0', 'steps=5&direction=before'],
		['3 steps after a page of few visits', '/page/40', 'steps=3'],
	];
	const rows: (string | number)[][] = [];
	for (const [name, page, query] of journeys)
		rows.push([
			name,
			...(await timeBesideScan(
				() =>
					service.read(
						`/websites/1/journeys?start=page:${page}&${query}&period=custom&from=${from}&to=${today}`,
					),
				() =>
					service.clickhouse.ask(sql`
					SELECT sum(visitor_id), sum(length(kinds)), sum(length(arrayStringConcat(paths))) FROM visits
					WHERE website_id = 1 AND date >= ${param('Date', from)} AND has(paths, ${param('String', page)})`),
			)),
		]);
	printTable(['journeys', 'median ms', 'p95 ms', 'one scan, ms', 'ratio'], rows);
}

/** Median, 95th percentile, median of one scan, and their ratio; or that the question was refused. */
async function timeBesideScan(
	ask: (round: number) => Promise<unknown>,
	scan: () => Promise<unknown>,
): Promise<(string | number)[]> {
	try {
		await ask(0);
	} catch (error) {
		return [/"detail":"([^".]*)/.exec(String(error))?.[1] ?? String(error), '', '', ''];
	}
	const ours: number[] = [];
	const bare: number[] = [];
	await scan();
	// The first one also derives the visits of today.
	for (let round = 1; round <= 7; round++) {
		ours.push(await timed(() => ask(round)));
		bare.push(await timed(scan));
	}
	return [
		Math.round(median(ours)),
		Math.round(percentile(ours, 0.95)),
		Math.round(median(bare)),
		(median(ours) / median(bare)).toFixed(2),
	];
}

async function timeLists(service: FilledService) {
	const path = `/stats?period=custom&from=${addDays(today, -89)}&to=${today}&per_page=100&sort_by=visitors`;
	const times: number[] = [];
	for (let round = 0; round < 20; round++) times.push(await timed(() => service.read(path)));
	printTable(
		['list of 400 websites, 90 days', 'ms'],
		[
			['median', Math.round(median(times))],
			['p95', Math.round(percentile(times, 0.95))],
		],
	);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const began = performance.now();
	await work();
	return performance.now() - began;
}
