/**
 * Plants the faults of test/sabotage/faults.ts one at a time in a copy of the code and runs the tests that must see it.
 * A fault that leaves them green is a hole in the suite. With a number only so many, evenly spread, are tried.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fault, faults } from '../test/sabotage/faults.ts';

const sample = Number(process.argv[2] ?? faults.length);
const step = Math.max(1, faults.length / sample);
const chosen = Array.from(
	{ length: Math.min(sample, faults.length) },
	(_, index) => faults[Math.floor(index * step)],
);

const copy = mkdtempSync(join(tmpdir(), 'tidemark-sabotage-'));
for (const name of [
	'api',
	'cli',
	'dashboard',
	'docs',
	'migrations',
	'scripts',
	'server',
	'test',
	'tracker',
	'bin',
	'package.json',
]) {
	cpSync(name, join(copy, name), { recursive: true });
}
symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));

let missed = 0;
try {
	for (const fault of chosen) if (fault) plant(fault);
} finally {
	rmSync(copy, { recursive: true, force: true });
}
console.log(`${chosen.length - missed} of ${chosen.length} faults were seen (${faults.length} are known)`);
process.exitCode = missed === 0 ? 0 : 1;

function plant(fault: Fault) {
	const file = join(copy, fault.file);
	const sound = readFileSync(file, 'utf8');
	const parts = sound.split(fault.line);
	if (parts.length < 2) throw new Error(`"${fault.name}": its line is no longer in ${fault.file}.`);
	writeFileSync(file, parts.join(fault.instead));
	const began = performance.now();
	const result = spawnSync(process.execPath, ['--test', '--test-reporter=tap', ...fault.tests], {
		cwd: copy,
		encoding: 'utf8',
		timeout: 300_000,
	});
	writeFileSync(file, sound);
	const failed = result.stdout.match(/^\s*not ok .*$/gm)?.length ?? 0;
	// A copy that does not even load proves nothing about the tests.
	const isBroken = /SyntaxError|ERR_MODULE_NOT_FOUND/.test(result.stdout + result.stderr);
	const isSeen = result.status !== 0 && failed > 0 && !isBroken;
	if (!isSeen) missed++;
	const verdict = isSeen ? 'seen  ' : isBroken ? 'BROKEN' : 'MISSED';
	console.log(
		`${verdict} ${fault.name} (${failed} red, ${Math.round((performance.now() - began) / 1000)} s)`,
	);
}
