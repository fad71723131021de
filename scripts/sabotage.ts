/**
 * Plants the faults of test/sabotage/faults.ts one at a time in a copy of the code and runs the tests that must see it.
 * A fault that leaves them green is a hole in the suite.
 *
 * npm run test:sabotage               all faults
 * npm run test:sabotage -- 1/3        a random third; SEED=… repeats it
 * npm run test:sabotage -- retention  those whose name has this word
 */
import { spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fault, faults } from '../test/sabotage/faults.ts';
import { seededRandom } from '../test/support/random.ts';

const [wanted = '1/1'] = process.argv.slice(2);
const share = /^1\/(\d+)$/.exec(wanted)?.[1];
const chosen =
	share === undefined
		? faults.filter(({ name }) => name.includes(wanted))
		: pick(faults.length / Number(share));
if (chosen.length === 0) throw new Error(`No fault has "${wanted}" in its name.`);

function pick(count: number): Fault[] {
	const random = seededRandom();
	console.log(`${Math.ceil(count)} of ${faults.length} faults, seed ${random.seed}`);
	const left = [...faults];
	return Array.from({ length: Math.ceil(count) }, () => left.splice(random.whole(left.length), 1)).flat();
}

const copy = mkdtempSync(join(tmpdir(), 'tidemark-sabotage-'));
const here = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
	encoding: 'utf8',
});
for (const name of here.stdout.split('\0')) if (existsSync(name)) cpSync(name, join(copy, name));
mkdirSync(join(copy, 'build'), { recursive: true });
for (const name of ['node_modules', 'build/nats']) symlinkSync(join(process.cwd(), name), join(copy, name));
const sound = new Map<string, boolean>();

let missed = 0;
try {
	for (const fault of chosen) plant(fault);
} finally {
	rmSync(copy, { recursive: true, force: true });
}
console.log(`${chosen.length - missed} of ${chosen.length} faults were seen (${faults.length} are known)`);
process.exitCode = missed === 0 ? 0 : 1;

function plant(fault: Fault) {
	const began = performance.now();
	// A test that is red in the copy without the fault, or a copy that does not even load, proves nothing.
	for (const test of fault.tests) if (!sound.has(test)) sound.set(test, run([test]).isGreen);
	const isSound = fault.tests.every((test) => sound.get(test));
	const file = join(copy, fault.file);
	const text = readFileSync(file, 'utf8');
	const parts = text.split(fault.line);
	if (parts.length < 2) throw new Error(`"${fault.name}": its line is no longer in ${fault.file}.`);
	writeFileSync(file, parts.join(fault.instead));
	const { isGreen, failed, isBroken } = run(fault.tests);
	writeFileSync(file, text);
	// One that hangs has no test that is red.
	const isSeen = isSound && !isGreen && failed > 0 && !isBroken;
	if (!isSeen) missed++;
	const verdict = isSeen ? 'seen  ' : isBroken || !isSound ? 'BROKEN' : 'MISSED';
	const seconds = Math.round((performance.now() - began) / 1000);
	console.log(`${verdict} ${fault.name} (${failed} red, ${seconds} s)`);
}

function run(tests: readonly string[]): { isGreen: boolean; failed: number; isBroken: boolean } {
	const result = spawnSync(process.execPath, ['--test', '--test-reporter=tap', ...tests], {
		cwd: copy,
		// What is found by chance must be found.
		env: { ...process.env, TEST_MORE: '1' },
		encoding: 'utf8',
		timeout: 600_000,
	});
	return {
		isGreen: result.status === 0,
		failed: result.stdout.match(/^\s*not ok .*$/gm)?.length ?? 0,
		isBroken: /SyntaxError|ERR_MODULE_NOT_FOUND/.test(result.stdout + result.stderr),
	};
}
