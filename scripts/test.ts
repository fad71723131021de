/**
 * Runs every test and counts them from the runner's own report. The interface is tried twice: on the embedded
 * PostgreSQL and on a PostgreSQL server, which is started here on its own port and folder.
 *
 * npm test                       everything
 * npm test -- test/api           what lies below a folder, on the embedded PostgreSQL
 * npm test -- --server test/api  the same on a server
 */
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgresServer } from '../test/support/postgres-server.ts';
import { buildDashboardIfOld } from './build-dashboard.ts';

type Counts = { passed: number; failed: number; skipped: number };

/** What looks at a clock, fills memory or kills processes has the machine for itself; of the others two run at a time. */
const alone = [
	'collect',
	'engine',
	'faults',
	'package',
	'standing',
	'store',
	'threats',
	'tracker',
	'write',
].map((folder) => `test/${folder}`);
const isAlone = (file: string) => alone.some((folder) => file.startsWith(folder));

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

function add(counts: Counts) {
	total.passed += counts.passed;
	total.failed += counts.failed;
	total.skipped += counts.skipped;
}

async function run(
	title: string,
	files: readonly string[],
	{ atOnce, environment = {} }: { atOnce: number; environment?: Record<string, string> },
): Promise<Counts> {
	if (files.length === 0) return { passed: 0, failed: 0, skipped: 0 };
	console.log(`\n${files.length} files on the ${title}`);
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-report-'));
	const report = join(folder, 'report.tap');
	const reporters = [
		'--test-reporter=dot',
		'--test-reporter-destination=stdout',
		'--test-reporter=tap',
		`--test-reporter-destination=${report}`,
		'--test-reporter=./scripts/slowest-files.ts',
		'--test-reporter-destination=stdout',
	];
	const started = performance.now();
	const child = spawn(process.execPath, ['--test', `--test-concurrency=${atOnce}`, ...reporters, ...files], {
		stdio: 'inherit',
		env: { ...process.env, ...environment },
	});
	const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
	const text = readFileSync(report, 'utf8');
	rmSync(folder, { recursive: true });
	const read = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
	const counts = {
		passed: read('pass'),
		failed: read('fail') + read('cancelled'),
		skipped: read('skipped') + read('todo'),
	};
	if (Number.isNaN(counts.passed + counts.failed) || (code !== 0 && counts.failed === 0)) counts.failed = 1;
	console.log(
		`${title}: ${counts.passed} passed, ${counts.failed} failed, ${Math.round((performance.now() - started) / 1000)} s`,
	);
	return counts;
}
