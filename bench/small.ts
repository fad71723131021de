/**
 * The statistics page of a small website: 100,000 events in 30 days, the 30 days before to compare with, and today among them.
 * Prints the CPU time of the service and the engine, the statements of a page, and its time over HTTP: for periods that were
 * not requested before, for one that was, and after each new event.
 *
 * npm run bench -- small [events in 30 days] [rounds]
 */
import { addDays } from '../server/lib/local-dates.ts';
import { cpuMs } from './cpu.ts';
import { openFilledService, sealAll, spanBefore, today } from './filled-service.ts';
import { median, percentile, printTable } from './table.ts';

const events = Number(process.argv[2] ?? 100_000);
const rounds = Number(process.argv[3] ?? 20);
const days = 30;
const from = addDays(today, 1 - days);

const service = await openFilledService(1);
try {
	const first = addDays(from, -days);
	await service.fill({ websiteId: 1, from: first, days: 2 * days, events: 2 * events, paths: 50 });
	await sealAll(service);
	const statements = countStatements();
	const compared = spanBefore(from, days);
	const page = () => service.askPage({ from, compared });
	let nth = 0;
	/** A period that was not requested before. */
	const otherPage = () => {
		const start = addDays(from, 1 + (nth % 15));
		const length = Math.round((Date.parse(today) - Date.parse(start)) / 86_400_000) + 1;
		return service.askPage({ from: start, compared: spanBefore(start, length - Math.floor(nth++ / 15)) });
	};
	await page();
	const rows = [
		await measure('other periods', otherPage),
		await measure('the same page again', page),
		await measure('after a new event', page, () => addEvent()),
		await measure('a request without statistics', () => service.read('/websites/1')),
	];
	printTable(
		['page', 'CPU ms, service and client', 'CPU ms, engine', 'statements', 'median ms', 'p95 ms'],
		rows,
	);

	async function measure(name: string, ask: () => Promise<string>, prepare?: () => Promise<unknown>) {
		const times: number[] = [];
		const cpu = { service: 0, engine: 0 };
		const before = statements();
		for (let round = 0; round < rounds; round++) {
			await prepare?.();
			const [own, engine, began] = [process.cpuUsage(), cpuMs(service.enginePid), performance.now()];
			await ask();
			times.push(performance.now() - began);
			const used = process.cpuUsage(own);
			cpu.service += (used.user + used.system) / 1000;
			cpu.engine += cpuMs(service.enginePid) - engine;
		}
		return [
			name,
			(cpu.service / rounds).toFixed(1),
			(cpu.engine / rounds).toFixed(1),
			((statements() - before) / rounds).toFixed(1),
			Math.round(median(times)),
			Math.round(percentile(times, 0.95)),
		];
	}

	function addEvent() {
		return service.fill({ websiteId: 1, from: today, days: 1, events: 7, paths: 50 });
	}

	/** Statements that questions send to the engine. */
	function countStatements(): () => number {
		let count = 0;
		const { clickhouse } = service;
		const { ask, rows: readRows, command } = clickhouse;
		clickhouse.ask = (...args) => {
			count++;
			return ask(...args);
		};
		clickhouse.rows = (...args) => {
			count++;
			return readRows(...args);
		};
		clickhouse.command = (statement, options) => {
			if (options?.name === 'open day') count++;
			return command(statement, options);
		};
		return () => count;
	}
} finally {
	await service.close();
}
