/**
 * Plants the faults of test/sabotage/faults.ts one at a time in a copy of the code and runs the tests that must see it.
 * A fault that leaves them green is a hole in the suite.
 *
 * npm run test:sabotage               all faults
 * npm run test:sabotage -- 1/3        a random third; SEED=… repeats it
 * npm run test:sabotage -- retention  those whose name has this word
 */
import { spawn, spawnSync } from 'node:child_process';
import {
	chmodSync,
	cpSync,
	existsSync,
	globSync,
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

const root = mkdtempSync(join(tmpdir(), 'tidemark-sabotage-'));
// A PostgreSQL server of a test may run as another user.
chmodSync(root, 0o755);
/** A test that needs the machine to itself would be red beside another. */
const { alone = [], together = [] } = Object.groupBy(chosen, ({ tests }) =>
	tests.some((test) => test.includes('.solo.')) ? 'alone' : 'together',
);
/** Whether a test is green without a fault. */
const sound = new Map<string, Promise<boolean>>();
let missed = 0;
try {
	const left = together.values();
	await Promise.all(['a', 'b'].map((name) => plantAll(join(root, name), left)));
	await plantAll(join(root, 'alone'), alone);
} finally {
	rmSync(root, { recursive: true, force: true });
}
console.log(`${chosen.length - missed} of ${chosen.length} faults were seen (${faults.length} are known)`);
process.exitCode = missed === 0 ? 0 : 1;

/** Works in a copy of the code. Two copies share a list of faults. */
async function plantAll(copy: string, left: Iterable<Fault>): Promise<void> {
	const here = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
		encoding: 'utf8',
	});
	for (const name of here.stdout.split('\0')) if (existsSync(name)) cpSync(name, join(copy, name));
	mkdirSync(join(copy, 'build'), { recursive: true });
	for (const name of ['node_modules', 'build/nats']) symlinkSync(join(process.cwd(), name), join(copy, name));
	for (const fault of left) if (!(await plant(copy, fault))) missed++;
}

/** Returns whether the fault was seen. */
async function plant(copy: string, fault: Fault): Promise<boolean> {
	const began = performance.now();
	// A test that is red in the copy without the fault, or a copy that does not even load, proves nothing.
	let isSound = true;
	for (const test of fault.tests) {
		const result = sound.get(test) ?? isGreenWithout(copy, test);
		sound.set(test, result);
		isSound &&= await result;
	}
	const file = join(copy, fault.file);
	const text = readFileSync(file, 'utf8');
	const parts = text.split(fault.line);
	if (parts.length < 2) throw new Error(`"${fault.name}": its line is no longer in ${fault.file}.`);
	writeFileSync(file, parts.join(fault.instead));
	const { isRed, isBroken } = await run(copy, fault.tests);
	writeFileSync(file, text);
	const isSeen = isSound && isRed && !isBroken;
	const verdict = isSeen ? 'seen  ' : isBroken || !isSound ? 'BROKEN' : 'MISSED';
	console.log(`${verdict} ${fault.name} (${Math.round((performance.now() - began) / 1000)} s)`);
	return isSeen;
}

async function isGreenWithout(copy: string, test: string): Promise<boolean> {
	const { isGreen, printed } = await run(copy, [test]);
	if (!isGreen) console.log(`${test} is red without a fault:\n${printed.split('\n').slice(-40).join('\n')}`);
	return isGreen;
}

/** Ends at the first test that is red. A run that hangs is neither green nor red. */
async function run(copy: string, tests: readonly string[]) {
	const temporary = join(copy, 'tmp');
	mkdirSync(temporary, { recursive: true });
	const child = spawn(process.execPath, ['--test', '--test-reporter=tap', ...tests], {
		cwd: copy,
		// What is found by chance must be found.
		env: { ...process.env, TEST_MORE: '1', TMPDIR: temporary },
		stdio: ['ignore', 'pipe', 'pipe'],
		// With a group of its own, whatever the tests have started ends with them.
		detached: true,
	});
	let printed = '';
	let isRed = false;
	const end = () => {
		try {
			process.kill(-(child.pid ?? 0), 'SIGKILL');
		} catch {
			// The group has ended.
		}
	};
	const limit = setTimeout(end, 600_000);
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (text: string) => {
			printed += text;
			isRed ||= /^\s*not ok /m.test(printed);
			if (isRed) end();
		});
	const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
	clearTimeout(limit);
	end();
	// PostgreSQL is in no group: it outlives a service that is killed.
	for (const file of globSync('*/**/postmaster.pid', { cwd: temporary })) {
		const pid = Number(readFileSync(join(temporary, file), 'utf8').split('\n')[0]);
		if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGQUIT');
	}
	// What a killed test has mounted is in the way.
	for (const [, mounted = ''] of readFileSync('/proc/mounts', 'utf8').matchAll(/^\S+ (\S+)/gm))
		if (mounted.startsWith(temporary)) spawnSync('umount', ['--lazy', mounted]);
	rmSync(temporary, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
	const isBroken = /SyntaxError|ERR_MODULE_NOT_FOUND/.test(printed);
	return { isGreen: code === 0, isRed, isBroken, printed };
}
