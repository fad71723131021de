/**
 * Runs the tests and counts them from the runner's own report.
 *
 * npm test -- FILE|FOLDER…       one file, or all files whose path starts like this
 * npm test -- FILE --test-name-pattern=domain
 *                                other options go to Node: --test-only, --watch, --inspect-brk, …
 *
 * npm test                       all files, and a third of those of the API once more on a PostgreSQL server, which is started
 *                                here on its own port and folder
 * TEST_MORE=1 npm test           the same with larger samples, and pages in all themes, sizes and languages
 * npm test -- --server test/api  on a PostgreSQL server
 * TEST_CLICKHOUSE=strict npm test -- test/write
 *                                against a ClickHouse with the limits and defaults of a server
 * TEST_FILE_MINUTES=15 npm test  ends a file that takes longer
 *
 * x.slow.test.ts takes a minute or so, and starts before the short ones. x.solo.test.ts measures durations or fills memory,
 * and runs while nothing else does. All others run side by side.
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, globSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, normalize, relative, resolve } from 'node:path';
import { cpuTimes, stealSince } from '../bench/machine.ts';
import { embeddedOnly } from '../test/support/embedded-only.ts';

/** Ends a file that hangs, so that the others still run. Not set: no limit. */
const fileMinutes = Number(process.env.TEST_FILE_MINUTES) || undefined;

const compiled = join(import.meta.dirname, '..', 'build', 'compiled');

type Counts = { passed: number; failed: number; skipped: number };

/** The class of a test file is part of its name. */
const isSolo = (file: string) => file.endsWith('.solo.test.ts');
const isSlow = (file: string) => file.endsWith('.slow.test.ts');

const importsByFile = new Map<string, string[]>();

/** The test and script files that a file imports. Sources of the product are not followed. */
function importsOf(file: string): string[] {
	const known = importsByFile.get(file);
	if (known) return known;
	const found = [...readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g)]
		.map(([, path = '']) => normalize(join(file, '..', path)))
		.filter((path) => /^(test|scripts)\//.test(path) && existsSync(path));
	importsByFile.set(file, found);
	return found;
}

/** Whether a file imports a module, directly or through others. */
function reaches(file: string, target: string, seen = new Set<string>()): boolean {
	if (file === target) return true;
	if (seen.has(file)) return false;
	seen.add(file);
	return importsOf(file).some((imported) => reaches(imported, target, seen));
}

const hasBrowser = (file: string) => reaches(file, 'test/support/browser.ts');
const needsDashboard = (file: string) => reaches(file, 'scripts/build-dashboard.ts');
const needsStores = (file: string) => reaches(file, 'test/support/template.ts');

process.chdir(join(import.meta.dirname, '..'));
const options = process.argv.slice(2);
const named = options
	.filter((argument) => !argument.startsWith('-'))
	// Relative or absolute, as a shell or an editor writes it.
	.map((argument) => relative('.', resolve(argument)));
const onServer = options.includes('--server');
const isWatching = options.includes('--watch');
/** All other options are for Node's test runner. */
const nodeOptions = options.filter((argument) => argument.startsWith('-') && argument !== '--server');
const isStrict = process.env.TEST_CLICKHOUSE === 'strict';
const all = globSync('{api,cli,dashboard,presentation,server,test}/**/*.test.ts')
	.sort()
	.filter((file) => !(isStrict && embeddedOnly.some(({ files }) => file.startsWith(files))));
const chosen = named.length > 0 ? all.filter((file) => named.some((name) => file.startsWith(name))) : all;

const unmatched = named.filter((name) => !all.some((file) => file.startsWith(name)));
if (unmatched.length > 0) {
	console.error(
		`No test file matches ${unmatched.join(', ')}. Name a file or a folder, such as test/api or server/http/api/csv.test.ts; ` +
			'write the value of an option after =, as in --test-name-pattern=domain.',
	);
	process.exit(1);
}
// Vite takes a moment to load, and most files need no pages.
if (chosen.some(needsDashboard)) await (await import('./build-dashboard.ts')).buildDashboardIfOld();
if (isWatching) process.exit(await watch(chosen));

const allTimes: { file: string; seconds: number }[] = [];
const total: Counts = { passed: 0, failed: 0, skipped: 0 };
const templates = mkdtempSync(join(tmpdir(), 'tidemark-template-'));
process.once('exit', () => rmSync(templates, { recursive: true, force: true }));
if (!onServer) {
	const environment = await makeTemplate(join(templates, 'embedded'), chosen);
	const together = { atOnce: 2, environment: { ...environment, TEST_PATIENCE: '5' } };
	add(
		await run(
			'embedded PostgreSQL, side by side',
			chosen.filter((file) => !isSolo(file)),
			together,
		),
	);
	add(await run('embedded PostgreSQL, one by one', chosen.filter(isSolo), { atOnce: 1, environment }));
}
if (onServer || named.length === 0) {
	const { startPostgresServer } = await import('../test/support/postgres-server.ts');
	const server = await startPostgresServer();
	const third = Math.floor(Math.random() * 3);
	const ofApi = all.filter((file) => file.startsWith('test/api/'));
	const files = onServer ? chosen : ofApi.filter((_, index) => process.env.TEST_MORE || index % 3 === third);
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
if (named.length === 0) printMinutes();
console.log(
	`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
);
process.exitCode = total.failed + total.skipped === 0 && total.passed > 0 ? 0 : 1;

/** The sum of the files of each folder. Two run at once, so the run itself is shorter. */
function printMinutes(): void {
	const minutes = new Map<string, number>();
	for (const { file, seconds } of allTimes) {
		const folder = file.startsWith('test/')
			? file.split('/').slice(0, -1).join('/')
			: (file.split('/')[0] ?? '');
		minutes.set(folder, (minutes.get(folder) ?? 0) + seconds / 60);
	}
	console.log('\nMinutes per folder:');
	for (const [folder, sum] of [...minutes].sort((a, b) => b[1] - a[1]))
		console.log(`${sum.toFixed(1).padStart(6)}  ${folder}`);
}

function add(counts: Counts, to: Counts = total) {
	to.passed += counts.passed;
	to.failed += counts.failed;
	to.skipped += counts.skipped;
}

/** Node's own runner on the files: it runs one again when it, or a file that it imports, changes. */
async function watch(files: readonly string[]): Promise<number> {
	const child = spawn(process.execPath, ['--test', ...nodeOptions, ...files], {
		stdio: 'inherit',
		env: { ...process.env, NODE_COMPILE_CACHE: compiled },
	});
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal));
	return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 0)));
}

/**
 * Makes what many files share: empty stores that they copy, and the bundle of the program. For one or two files this costs
 * more than it saves.
 */
async function makeTemplate(
	folder: string,
	files: readonly string[],
	server?: string,
): Promise<Record<string, string>> {
	if (files.filter(needsStores).length < 3) return {};
	// Only now: it is the whole service.
	const { makeStores } = await import('../test/support/make-template.ts');
	await makeStores(folder, server && (await makeTemplateDatabase(server)));
	const { buildProgramIfOld, programFile } = await import('./build-program.ts');
	await buildProgramIfOld();
	return { TEST_TEMPLATE: folder, TEST_PROGRAM: programFile };
}

async function makeTemplateDatabase(server: string): Promise<string> {
	const { default: pg } = await import('pg');
	const { templateDatabase } = await import('../test/support/template.ts');
	const connection = new pg.Client({ connectionString: server });
	await connection.connect();
	await connection.query(`CREATE DATABASE ${templateDatabase}`).finally(() => connection.end());
	return new URL(`/${templateDatabase}`, server).href;
}

/** Runs each file in its own process, `atOnce` of them at a time. */
async function run(
	title: string,
	files: readonly string[],
	{ atOnce, environment }: { atOnce: number; environment: Record<string, string> },
): Promise<Counts> {
	const sum: Counts = { passed: 0, failed: 0, skipped: 0 };
	if (files.length === 0) return sum;
	console.log(`\n${files.length} files on the ${title}`);
	const [started, beforeAll] = [performance.now(), cpuTimes()];
	// A browser keeps both cores busy, so only one runs at a time. Browser files start first, because the others fit next to them,
	// then slow files, so that none is left for the end.
	const rank = (file: string) => (hasBrowser(file) ? 2 : Number(isSlow(file)));
	const left = files.toSorted((a, b) => rank(b) - rank(a));
	const times: typeof allTimes = [];
	let isBrowserOpen = false;
	const worker = async () => {
		for (;;) {
			const next = left.findIndex((file) => !(isBrowserOpen && hasBrowser(file)));
			const file = left[next];
			// Only browser files are left, and the other worker has the browser.
			if (file === undefined) return;
			left.splice(next, 1);
			const isBrowser = hasBrowser(file);
			isBrowserOpen ||= isBrowser;
			const [began, before] = [performance.now(), cpuTimes()];
			let counts = await runFile(file, environment);
			const taken = stealSince(before);
			if (counts.failed > 0 && atOnce === 1 && taken > 0.1) {
				console.log(
					`${Math.round(100 * taken)} % of the CPU time went to other machines, and this file measures time: running it again.`,
				);
				counts = await runFile(file, environment);
			}
			add(counts, sum);
			times.push({ file, seconds: (performance.now() - began) / 1000 });
			if (isBrowser) isBrowserOpen = false;
		}
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
	console.log('');
	allTimes.push(...times);
	for (const { file, seconds } of times.sort((a, b) => b.seconds - a.seconds).slice(0, 40))
		console.log(`${String(Math.round(seconds)).padStart(5)} s  ${file}`);
	console.log(
		`${title}: ${sum.passed} passed, ${sum.failed} failed, ${Math.round((performance.now() - started) / 1000)} s, ` +
			`${Math.round(100 * stealSince(beforeAll))} % of the machine given to others`,
	);
	return sum;
}

/**
 * Prints a dot for each test that passed. The output of a file is printed if it fails, or if it is the only one.
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
	const child = spawn(process.execPath, [...nodeOptions, ...reporters, file], {
		// Into a file: processes that a killed test leaves behind would keep a pipe open.
		stdio: ['ignore', output, output],
		// Compiled code is shared by all processes, which halves the time of the run.
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
	// If an `after` hook of the file fails, Node exits with 0 and counts no failure; only this line shows it.
	const hasFailedHook = /^not ok (?!.*# TODO)/m.test(text);
	// The process crashed, or ended before its report.
	if (counts.failed === 0 && (code !== 0 || hasFailedHook || !/^# tests \d+$/m.test(text))) counts.failed = 1;
	process.stdout.write('.'.repeat(counts.passed) + 'X'.repeat(counts.failed));
	if (counts.failed > 0) {
		const shown = contentOf(spec);
		const from = shown.indexOf('✖ failing tests:');
		// The seeds and figures that its tests printed.
		const told = shown.slice(0, Math.max(from, 0)).match(/^\s*ℹ .*\n/gm) ?? [];
		// A file that was ended has no such part; what failed until then is told by the other report.
		const reasons =
			from >= 0 ? shown.slice(from) : shown + (text.match(/^ *not ok .*?^ *\.\.\.$/gms) ?? []).join('\n');
		console.log(`\n${file}, exit ${code}\n${contentOf(printed)}${told.join('')}${reasons}`);
	} else if (chosen.length === 1) console.log(`\n${contentOf(spec)}`);
	rmSync(folder, { recursive: true });
	return counts;
}
