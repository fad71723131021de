/** Everything that can be said of the code without running the service. Prints one line a step, and what is wrong. */
import { spawnSync } from 'node:child_process';

/** `typescript` is an earlier version, for tools that need its API; both have a command of this name. */
const tsc = 'node_modules/ts7/bin/tsc';

const steps: [string, string[]][] = [
	['types', [tsc, '--noEmit', '-p', '.']],
	['types of the tracker', [tsc, '--noEmit', '-p', 'tracker']],
	['types of the dashboard', [tsc, '--noEmit', '-p', 'dashboard']],
	['format and lint', ['biome', 'check', '--error-on-warnings', '.']],
	['dead code', ['knip']],
	['openapi.json is current', ['node', 'scripts/openapi.ts', '--check']],
	['openapi.json is sound', ['redocly', 'lint', '--config', 'scripts/redocly.yaml', 'api/openapi.json']],
	['every rule has a test', ['node', 'scripts/rules-without-test.ts']],
	['package-lock.json is complete', ['node', 'scripts/lock.ts', '--check']],
];

let failed = 0;
for (const [title, [command = '', ...args]] of steps) {
	const started = performance.now();
	const result = spawnSync(command, args, {
		encoding: 'utf8',
		env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
	});
	const isGood = result.status === 0;
	console.log(`${isGood ? 'ok  ' : 'FAIL'} ${title} (${Math.round(performance.now() - started)} ms)`);
	if (isGood) continue;
	failed++;
	console.log(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`.trimEnd());
}
process.exitCode = failed === 0 ? 0 : 1;
