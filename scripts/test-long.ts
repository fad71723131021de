/**
 * Runs that take too long for CI, which runs a sample of each. A run that ends writes its result, seed and commit into the
 * table of docs/figures.md.
 *
 * npm run test:long                lists them
 * npm run test:long -- kills       runs one; SEED=… repeats it
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { longRuns } from './long-runs.ts';

const figures = join(import.meta.dirname, '..', 'docs', 'figures.md');

const [name = '', ...args] = process.argv.slice(2);
const run = Object.hasOwn(longRuns, name) ? longRuns[name] : undefined;
if (run === undefined) {
	if (name !== '') console.error(`There is no long run "${name}".`);
	console.log('npm run test:long -- NAME\n');
	for (const [each, { description }] of Object.entries(longRuns))
		console.log(`  ${each.padEnd(12)}${description}`);
	console.log('\n`npm run bench` lists the benchmarks.');
	process.exit(name === '' ? 0 : 1);
}

process.chdir(join(import.meta.dirname, '..'));
const seed = process.env.SEED || String(randomInt(1, 2 ** 31));
console.log(`seed ${seed}`);
const child = spawn(process.execPath, [...run.command, ...args], {
	stdio: ['ignore', 'pipe', 'inherit'],
	env: { ...process.env, ...run.settings, SEED: seed },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
let printed = '';
child.stdout.on('data', (chunk) => {
	printed += chunk;
	process.stdout.write(chunk);
});
child.once('close', (code) => {
	const results = [...printed.split('\n').filter((line) => run.result.test(line)), ...ledgerOf(printed)];
	// A run that was interrupted leaves the row of the last one.
	if (results.length > 0) record(name, [...args, ...results].join('; '), seed);
	process.exitCode = code ?? 1;
});

/** What all ledgers of a run counted together. */
function ledgerOf(printed: string): string[] {
	const sumOf = (word: string) =>
		[...printed.matchAll(new RegExp(`(\\d+) ${word}\\b`, 'g'))].reduce(
			(sum, [, count]) => sum + Number(count),
			0,
		);
	if (!/\d+ sent: .*\d+ lost/.test(printed)) return [];
	return [
		['sent', 'lost', 'duplicate', 'phantom', 'foreign'].map((word) => `${sumOf(word)} ${word}`).join(', '),
	];
}

/** Replaces the row of a run. */
function record(run: string, result: string, seed: string): void {
	const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
	const date = new Date().toISOString().slice(0, 10);
	const row = `| \`npm run test:long -- ${run}\` | ${result.replaceAll('|', '/')} | ${seed} | ${commit} | ${date} |`;
	const lines = readFileSync(figures, 'utf8').split('\n');
	const old = lines.findIndex((line) => line.startsWith(`| \`npm run test:long -- ${run}\` |`));
	if (old === -1) throw new Error(`docs/figures.md has no row for ${run}:\n${row}`);
	lines[old] = row;
	writeFileSync(figures, lines.join('\n'));
}
