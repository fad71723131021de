/**
 * Runs the tests and counts them from the runner's own report.
 *
 * npm test                       all files that are short, a third of those that are long, and a third of the interface once
 *                                more on a PostgreSQL server, which is started here on its own port and folder
 * TEST_THIRD=0 npm test          which third: 0, 1 or 2; otherwise by chance
 * TEST_MORE=1 npm test           all of it, with larger samples and pages in all looks and languages
 * npm test -- test/api           what lies below a folder, on the embedded PostgreSQL
 * npm test -- --server test/api  the same on a server
 * TEST_FILE_MINUTES=15 npm test  a file that takes longer is ended
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, globSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgresServer } from '../test/support/postgres-server.ts';
import { templateDatabase } from '../test/support/template.ts';
import { buildDashboardIfOld } from './build-dashboard.ts';

/** One that hangs is ended, so that the others are still heard of. Without it a file may take as long as it likes. */
const fileMinutes = Number(process.env.TEST_FILE_MINUTES) || undefined;

const compiled = join(import.meta.dirname, '..', 'build', 'compiled');

type Counts = { passed: number; failed: number; skipped: number };

/** What measures how long something takes or fills memory has the machine for itself. */
const alone = [
	'collect/budgets',
	'collect/flood',
	'engine/lifecycle',
	'engine/load',
	'engine/streams',
	'faults/collect',
	'faults/kill',
	'faults/migrate-under-load',
	'faults/overload',
	'faults/postgres',
	'roles/reach',
	'server/stats/watch-live',
	'standing/stop',
	'stats/goal-patterns',
	'threats/compression-bomb',
	'threats/expensive-questions',
	'threats/key-timing',
	'threats/oversize',
	'threats/revocation',
	'threats/slow-clients',
	'tracker/engagement',
	'workers/',
	'write/batch',
];
/** What stops, kills and cuts things off waits more than it works: two of these fit, but not beside what needs a whole core. */
const waiting = ['faults/', 'package/', 'roles/away', 'standing/leave'];
/** What takes a minute or so: with every run a third of these, another one each time, and all of them when they are named. */
const long = [
	...['api/live', 'api/stats', 'cli/archive', 'cli/commands', 'cli/demo', 'cli/refusals'],
	...['dashboard/account', 'dashboard/languages', 'dashboard/live', 'dashboard/panels', 'dashboard/people'],
	...[
		'dashboard/settings',
		'dashboard/sharing',
		'dashboard/sign-in',
		'dashboard/statistics',
		'dashboard/websites',
	],
	...['derive/seal-sizes', 'derive/seal-world', 'derive/seal.', 'engine/streams', 'export/merge'],
	...['faults/cluster', 'faults/collect', 'faults/disk', 'faults/exact', 'faults/jetstream', 'faults/kill'],
	...[
		'faults/overload',
		'faults/postgres',
		'faults/rolling',
		'faults/seal',
		'operate/backup',
		'operate/one-point',
	],
	...['operate/upgrade', 'package/', 'privacy/canaries', 'reports/make', 'roles/away', 'standing/leave'],
	...['stats/overview', 'stats/questions', 'store/embedded-postgres', 'store/engine-id', 'store/migrate'],
	...['threats/expensive-questions', 'threats/stats', 'tracker/delivery', 'workers/', 'write/batch'],
	...['write/counted-once'],
];
const isOf = (names: readonly string[], file: string) =>
	names.some((name) => file.startsWith(name.startsWith('server/') ? name : `test/${name}`));
const groupOf = (file: string) =>
	isOf(alone, file) ? 'one by one' : isOf(waiting, file) ? 'what waits, side by side' : 'side by side';
const hasBrowser = (file: string) =>
	/support\/(browser|dashboard|tracked-site)\.ts'/.test(readFileSync(file, 'utf8'));

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const onServer = process.argv.includes('--server');
const all = globSync('{api,cli,dashboard,server,test}/**/*.test.ts').sort();
const third = Number(process.env.TEST_THIRD ?? Math.floor(Math.random() * 3));
const thirdOf = (files: readonly string[]) =>
	process.env.TEST_MORE ? files : files.filter((_, index) => index % 3 === third);
const isLong = (file: string) => isOf(long, file);
const chosen =
	named.length > 0
		? all.filter((file) => named.some((name) => file.startsWith(name)))
		: [...all.filter((file) => !isLong(file)), ...thirdOf(all.filter(isLong))];
const onServerToo = thirdOf(all.filter((file) => file.startsWith('test/api/')));

await buildDashboardIfOld();
const total: Counts = { passed: 0, failed: 0, skipped: 0 };
if (named.length === 0 && !process.env.TEST_MORE)
	console.log(
		`TEST_THIRD=${third}: ${chosen.length} of ${all.length} files; TEST_MORE=1 npm test takes all of them`,
	);
const templates = mkdtempSync(join(tmpdir(), 'tidemark-template-'));
process.once('exit', () => rmSync(templates, { recursive: true, force: true }));
if (!onServer) {
	const environment = await makeTemplate(join(templates, 'embedded'), chosen);
	for (const group of ['side by side', 'what waits, side by side', 'one by one'] as const)
		add(
			await run(
				`embedded PostgreSQL, ${group}`,
				chosen.filter((file) => groupOf(file) === group),
				group === 'one by one'
					? { atOnce: 1, environment }
					: { atOnce: 2, environment: { ...environment, TEST_PATIENCE: '5' } },
			),
		);
}
if (onServer || named.length === 0) {
	const server = await startPostgresServer();
	const files = onServer ? chosen : onServerToo;
	try {
		const template = await makeTemplate(join(templates, 'server'), files, server.url);
		add(
			await run(`PostgreSQL server ${server.version}`, files, {
				atOnce: onServer ? 1 : 2,
				environment: { TEST_POSTGRES: server.url, TEST_PATIENCE: '5', ...template },
			}),
		);
	} finally {
		await server.stop();
	}
}
console.log(
	`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
);
process.exitCode = total.failed + total.skipped === 0 && total.passed > 0 ? 0 : 1;

function add(counts: Counts, to: Counts = total) {
	to.passed += counts.passed;
	to.failed += counts.failed;
	to.skipped += counts.skipped;
}

/** Gives the environment of files that begin with a copy. For so few that it costs more than it saves there is none. */
async function makeTemplate(
	folder: string,
	files: readonly string[],
	server?: string,
): Promise<Record<string, string>> {
	if (files.length < 3) return {};
	// Only now: it is the whole service.
	const { makeStores } = await import('../test/support/make-template.ts');
	await makeStores(folder, server && (await makeTemplateDatabase(server)));
	return { TEST_TEMPLATE: folder };
}

async function makeTemplateDatabase(server: string): Promise<string> {
	const connection = new pg.Client({ connectionString: server });
	await connection.connect();
	await connection.query(`CREATE DATABASE ${templateDatabase}`).finally(() => connection.end());
	return new URL(`/${templateDatabase}`, server).href;
}

/** Lanes that take files from one list, each file in a process of its own. */
async function run(
	title: string,
	files: readonly string[],
	{ atOnce, environment }: { atOnce: number; environment: Record<string, string> },
): Promise<Counts> {
	const sum: Counts = { passed: 0, failed: 0, skipped: 0 };
	if (files.length === 0) return sum;
	console.log(`\n${files.length} files on the ${title}`);
	const [started, beforeAll] = [performance.now(), processorTimes()];
	// A browser has work for both cores: there is never a second one. They come first, because the others fit beside them;
	// then what is long, so that no lane waits for it in the end.
	const rank = (file: string) => (hasBrowser(file) ? 2 : Number(isLong(file)));
	const left = files.toSorted((a, b) => rank(b) - rank(a));
	const times: { file: string; seconds: number }[] = [];
	let isBrowserOpen = false;
	const lane = async () => {
		for (;;) {
			const next = left.findIndex((file) => !(isBrowserOpen && hasBrowser(file)));
			const file = left[next];
			// What is left is for the lane that has the browser.
			if (file === undefined) return;
			left.splice(next, 1);
			const isBrowser = hasBrowser(file);
			isBrowserOpen ||= isBrowser;
			const [began, before] = [performance.now(), processorTimes()];
			let counts = await runFile(file, environment);
			const taken = takenSince(before);
			if (counts.failed > 0 && atOnce === 1 && taken > 0.1) {
				console.log(
					`${Math.round(100 * taken)} % of the machine were given to others meanwhile, and this file is about time: once more.`,
				);
				counts = await runFile(file, environment);
			}
			add(counts, sum);
			times.push({ file, seconds: (performance.now() - began) / 1000 });
			if (isBrowser) isBrowserOpen = false;
		}
	};
	await Promise.all(Array.from({ length: atOnce }, lane));
	console.log('');
	for (const { file, seconds } of times.sort((a, b) => b.seconds - a.seconds).slice(0, 40))
		console.log(`${String(Math.round(seconds)).padStart(5)} s  ${file}`);
	console.log(
		`${title}: ${sum.passed} passed, ${sum.failed} failed, ${Math.round((performance.now() - started) / 1000)} s, ` +
			`${Math.round(100 * takenSince(beforeAll))} % of the machine given to others`,
	);
	return sum;
}

/** A machine that is shared notes how long it was kept waiting; on one that is not, or tells nothing, that is 0. */
function processorTimes(): { stolen: number; all: number } {
	const line = existsSync('/proc/stat') ? readFileSync('/proc/stat', 'utf8').split('\n')[0] : undefined;
	const times = line?.split(/\s+/).slice(1, 9).map(Number) ?? [];
	return { stolen: times[7] ?? 0, all: times.reduce((sum, time) => sum + time, 0) };
}

function takenSince(before: ReturnType<typeof processorTimes>): number {
	const now = processorTimes();
	return (now.stolen - before.stolen) / Math.max(1, now.all - before.all);
}

/**
 * A dot for each test that passed. What a file printed, and why it failed, is shown where it failed; the seeds and figures
 * of its tests where nothing but this file was asked for.
 */
async function runFile(file: string, environment: Record<string, string>): Promise<Counts> {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-report-'));
	const tap = join(folder, 'tap');
	const spec = join(folder, 'spec');
	const printed = join(folder, 'printed');
	const output = openSync(printed, 'a');
	const reporters = [
		...['--test-reporter=tap', `--test-reporter-destination=${tap}`],
		...['--test-reporter=spec', `--test-reporter-destination=${spec}`],
	];
	const child = spawn(process.execPath, [...reporters, file], {
		// Into a file: whatever a killed test leaves behind would hold a pipe open.
		stdio: ['ignore', output, output],
		// What one process has compiled the next one does not compile again: with hundreds of them that is half of the time.
		env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...environment },
		...(fileMinutes && { timeout: fileMinutes * 60_000, killSignal: 'SIGKILL' }),
	});
	const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
	closeSync(output);
	// A file that cannot be loaded leaves no report.
	const contentOf = (name: string) => (existsSync(name) ? readFileSync(name, 'utf8') : '');
	const text = contentOf(tap);
	const read = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
	const counts = {
		passed: read('pass'),
		failed: read('fail') + read('cancelled'),
		skipped: read('skipped') + read('todo'),
	};
	// It ended before its report did, or by something that no test is to blame for.
	if (counts.failed === 0 && (code !== 0 || !/^# tests \d+$/m.test(text))) counts.failed = 1;
	process.stdout.write('.'.repeat(counts.passed) + 'X'.repeat(counts.failed));
	if (counts.failed > 0) {
		const reasons = contentOf(spec);
		const from = Math.max(reasons.indexOf('✖ failing tests:'), 0);
		// With the seeds and figures that its tests told of.
		const told = reasons.slice(0, from).match(/^\s*ℹ .*\n/gm) ?? [];
		console.log(`\n${file}, exit ${code}\n${contentOf(printed)}${told.join('')}${reasons.slice(from)}`);
	} else if (chosen.length === 1) console.log(`\n${contentOf(spec)}`);
	rmSync(folder, { recursive: true });
	return counts;
}
