/**
 * Runs one benchmark. Each prints a table with our figure, the bare engine's where there is one, and the ratio.
 *
 * npm run bench                   lists the benchmarks
 * npm run bench -- stats 10       runs one; the rest of the line goes to it
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const benchmarks: Record<string, string> = {
	'access-log': 'Import of a web server log: [lines]',
	api: 'Management API with 100,000 websites and 1,000 accounts',
	capacity: 'Cost of an event and of a query for each part, and what four loads need: [seconds]',
	collect: 'Acknowledged events per second on one box, beside a bare Fastify route: [seconds]',
	collectors: 'Four collectors and one writer on one event log: [seconds]',
	dashboard: 'Statistics page in Chromium: first load, changed filter, layout shift: [rounds]',
	export: 'Export of events as Parquet over the API: [events] [rounds]',
	fairness:
		'10,000 websites while one gets ten times its rate limit: [seconds] [rate limit] [hits per second]',
	lighthouse: 'Lighthouse scores of the statistics page (npx downloads Lighthouse)',
	memory: 'Memory over time under a steady load: [minutes] [hits per second] [dashboards]',
	overview: 'Overview of many websites over 90 days: [websites] [events per website today]',
	reports: 'Weekly reports of many websites, due at once: [websites] [hits per second]',
	seal: 'Time and memory of seals of different sizes: [millions of events]',
	'slow-disk': 'Acknowledgement times while every sync of PostgreSQL is slow: [seconds] [hits per second]',
	start: 'Start-up time and idle memory of the packed tarball: [starts]',
	stats: 'Statistics page at ten million events: [millions of events] [--grow]',
	storage: 'Bytes on disk per event, by column',
	together: 'Statistics beside collection on one box: [seconds] [hits per second]',
	visits: 'Deriving visits from events: [millions of events]',
	workers: 'One worker against two: [seconds] [rounds]',
	writer: 'The writer alone, beside a bare insert of the same bytes: [events per round]',
};

const [name, ...args] = process.argv.slice(2);
if (name === undefined || !Object.hasOwn(benchmarks, name)) {
	if (name !== undefined) console.error(`There is no benchmark "${name}".`);
	console.log('npm run bench -- NAME [arguments]\n');
	for (const [each, description] of Object.entries(benchmarks))
		console.log(`  ${each.padEnd(12)}${description}`);
	process.exit(name === undefined ? 0 : 1);
}
const file = join(import.meta.dirname, '..', 'bench', `${name}.ts`);
const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 1));
