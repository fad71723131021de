/**
 * Runs one benchmark. Each prints a table with our figure, the bare engine's where there is one, and the ratio.
 * The first line describes the machine, so that figures of two machines can be compared.
 *
 * npm run bench                   lists the benchmarks
 * npm run bench -- stats 10       runs one; the rest of the line goes to it
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { cpuTimes, describeMachine, stealSince } from '../bench/machine.ts';
import { benchmarks } from './long-runs.ts';

const [name, ...args] = process.argv.slice(2);
if (name === undefined || !Object.hasOwn(benchmarks, name)) {
	if (name !== undefined) console.error(`There is no benchmark "${name}".`);
	console.log('npm run bench -- NAME [arguments]\n');
	for (const [each, description] of Object.entries(benchmarks))
		console.log(`  ${each.padEnd(12)}${description}`);
	process.exit(name === undefined ? 0 : 1);
}
console.log(describeMachine());
const before = cpuTimes();
const file = join(import.meta.dirname, '..', 'bench', `${name}.ts`);
const child = spawn(process.execPath, [file, ...args], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => {
	console.log(`\n${(100 * stealSince(before)).toFixed(1)} % of the machine's time was given to others`);
	process.exit(code ?? 1);
});
