/**
 * Runs every test and counts them from the runner's own report. The interface is tried twice: on the embedded
 * PostgreSQL and on a PostgreSQL server, which is started here on its own port and folder.
 *
 * npm test                       everything
 * npm test -- test/api           what lies below a folder, on the embedded PostgreSQL
 * npm test -- --server test/api  the same on a server
 * TEST_FILE_MINUTES=15 npm test  a file that takes longer is ended
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, globSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgresServer } from '../test/support/postgres-server.ts';
import { buildDashboardIfOld } from './build-dashboard.ts';

/** One that hangs is ended, so that the others are still heard of. Without it a file may take as long as it likes. */
const fileMinutes = Number(process.env.TEST_FILE_MINUTES) || undefined;

type Counts = { passed: number; failed: number; skipped: number };

/** What looks at a clock, fills memory or kills processes has the machine for itself; of the others two run at a time. */
const alone = [
	'collect',
	'engine',
	'faults',
	'package',
	'roles',
	'standing',
	'store',
	'threats',
	'tracker',
	'workers',
	'write',
].map((folder) => `test/${folder}`);
const isAlone = (file: string) => alone.some((folder) => file.startsWith(folder));
const hasBrowser = (file: string) =>
	/support\/(browser|dashboard|tracked-site)\.ts'/.test(readFileSync(file, 'utf8'));

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const onServer = process.argv.includes('--server');
const all = globSync('{api,cli,dashboard,server,test}/**/*.test.ts').sort();
const chosen = named.length === 0 ? all : all.filter((file) => named.some((name) => file.startsWith(name)));
const contract = all.filter((file) => file.startsWith('test/api/'));

await buildDashboardIfOld();
const total: Counts = { passed: 0, failed: 0, skipped: 0 };
if (!onServer) {
	add(
		await run(
			'embedded PostgreSQL, side by side',
			chosen.filter((file) => !isAlone(file)),
			{ atOnce: 2 },
		),
	);
	add(await run('embedded PostgreSQL, one by one', chosen.filter(isAlone), { atOnce: 1 }));
}
if (onServer || named.length === 0) {
	const server = await startPostgresServer();
	try {
		add(
			await run(`PostgreSQL server ${server.version}`, onServer ? chosen : contract, {
				atOnce: onServer ? 1 : 2,
				environment: { TEST_POSTGRES: server.url },
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

/** Lanes that take files from one list, each file in a process of its own. */
async function run(
	title: string,
	files: readonly string[],
	{ atOnce, environment = {} }: { atOnce: number; environment?: Record<string, string> },
): Promise<Counts> {
	const sum: Counts = { passed: 0, failed: 0, skipped: 0 };
	if (files.length === 0) return sum;
	console.log(`\n${files.length} files on the ${title}`);
	const started = performance.now();
	// A browser has work for both cores: there is never a second one. They come first, because the others fit beside them.
	const waiting = files.toSorted((a, b) => Number(hasBrowser(b)) - Number(hasBrowser(a)));
	const times: { file: string; seconds: number }[] = [];
	let isBrowserOpen = false;
	const lane = async () => {
		for (;;) {
			const next = waiting.findIndex((file) => !(isBrowserOpen && hasBrowser(file)));
			const file = waiting[next];
			// What is left is for the lane that has the browser.
			if (file === undefined) return;
			waiting.splice(next, 1);
			const isBrowser = hasBrowser(file);
			isBrowserOpen ||= isBrowser;
			const began = performance.now();
			add(await runFile(file, environment), sum);
			times.push({ file, seconds: (performance.now() - began) / 1000 });
			if (isBrowser) isBrowserOpen = false;
		}
	};
	await Promise.all(Array.from({ length: atOnce }, lane));
	console.log('');
	for (const { file, seconds } of times.sort((a, b) => b.seconds - a.seconds).slice(0, 15))
		console.log(`${String(Math.round(seconds)).padStart(5)} s  ${file}`);
	console.log(
		`${title}: ${sum.passed} passed, ${sum.failed} failed, ${Math.round((performance.now() - started) / 1000)} s`,
	);
	return sum;
}

/** A dot for each test that passed. What a file printed, and why it failed, is shown where it failed. */
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
		env: { ...process.env, ...environment },
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
		console.log(`\n${file}, exit ${code}\n${contentOf(printed)}${reasons.slice(from)}`);
	}
	rmSync(folder, { recursive: true });
	return counts;
}
