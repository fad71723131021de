import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseServer, strictServerFor } from './clickhouse-server.ts';
import { programFile } from './program.ts';
import { copyTemplate } from './template.ts';
import { patience } from './timeout-factor.ts';

/** The program as an operator runs it: its own process, its own folder, any free port. */
export type ServiceProcess = {
	/** Where it is reached. */
	base: string;
	pid: number;
	folder: string;
	/** What it printed, on both streams. */
	output(): string;
	stdout(): string;
	/** The link for the first account, if one was printed. */
	setupUrl(): string | undefined;
	/** Sends a signal and gives the exit code, or the name of the signal that ended it. */
	stop(signal?: NodeJS.Signals): Promise<number | string>;
	/** Kills the process alone; its engines are left as they are. */
	kill(): Promise<void>;
	/** Kills the process, the statistics engine and every process of PostgreSQL at once. */
	killTree(): Promise<void>;
	exited: Promise<number | string>;
	hasExited(): boolean;
};

/** Servers of folders, with TEST_CLICKHOUSE=strict: whoever runs on a folder uses its server. */
const strictServers = new Map<string, ClickHouseServer>();

/** What a service on this folder is told of ClickHouse. */
export const strictSettingsOf = (folder: string): Record<string, string> =>
	strictServers.get(folder)?.settings ?? {};

type Scope = { after(work: () => Promise<void>): void };

/** No test needs a process for longer; one that hangs is ended, so that a test fails instead of waiting for ever. */
const longestMs = 120_000 * patience;

/** The same with a clock that begins at a moment of the test's choice. */
const entryAt = join(import.meta.dirname, 'serve-at.ts');

type ServiceOptions = {
	folder?: string;
	settings?: Record<string, string>;
	args?: readonly string[];
	/** The moment at which its clock begins. */
	clock?: string | undefined;
	/** A bound socket that it listens on, handed over as systemd does. */
	socket?: number | undefined;
	/** In front of the program, as `prlimit` is. */
	prefix?: readonly string[];
	/** For a run that takes longer than others. */
	longestMs?: number;
};

/** Sets LISTEN_PID, which nobody knows before the process is there, and becomes the program. */
const handOver = ['sh', '-c', 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"', 'sh'];

/** Nothing of the tester's own settings: a test says what it needs. */
function environmentOf(settings: Record<string, string>): Record<string, string> {
	const { PATH = '', HOME = '/', TMPDIR, NODE_COMPILE_CACHE } = process.env;
	return {
		PATH,
		HOME,
		...(TMPDIR && { TMPDIR }),
		...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
		...settings,
	};
}

/** A folder that is gone after the test, with whatever still runs on it. */
export function temporaryFolder(t: Scope): string {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
	t.after(async () => {
		await killAll(runningOn(folder));
		rmSync(folder, { recursive: true, force: true });
	});
	return folder;
}

/** The command as it runs, for what happens before it is ready. */
export function spawnService(
	t: Scope,
	options: ServiceOptions & { folder: string },
): Omit<ServiceProcess, 'base'> & { ready(): Promise<string> } {
	const { folder, settings = {}, args = ['--port', '0'], clock, socket, prefix = [] } = options;
	const program = clock === undefined ? [programFile] : [entryAt, clock];
	const command = [...prefix, ...(socket === undefined ? [] : handOver), process.execPath];
	const [first = '', ...rest] = [...command, ...program, 'serve', '--data', folder, ...args];
	const child = spawn(first, rest, {
		env: environmentOf({ ...strictSettingsOf(folder), ...settings }),
		stdio: ['ignore', 'pipe', 'pipe', ...(socket === undefined ? [] : [socket])],
	});
	const printed = collect(child);
	const exited = endOf(child);
	let over = false;
	const ended = exited.then((code) => {
		over = true;
		return code;
	});
	const pid = child.pid ?? 0;
	const killTree = async () => {
		const engine = strictServers.get(folder)?.enginePid();
		await killAll([pid, ...descendantsOf(pid), ...runningOn(folder), ...(engine ? [engine] : [])]);
		await ended;
	};
	const limit = setTimeout(killTree, options.longestMs ?? longestMs);
	t.after(async () => {
		clearTimeout(limit);
		if (!over) await killTree();
	});
	return {
		pid,
		folder,
		output: () => printed.both,
		stdout: () => printed.stdout,
		setupUrl: () => /http\S+\/set-up#token=\S+/.exec(printed.stdout)?.[0],
		exited: ended,
		hasExited: () => over,
		async stop(signal = 'SIGTERM') {
			child.kill(signal);
			return ended;
		},
		async kill() {
			child.kill('SIGKILL');
			await ended;
		},
		killTree,
		async ready() {
			const line = /^Tidemark is ready at (http\S+)$/m;
			await until(() => line.test(printed.stdout) || over, 60_000, 'the service is ready');
			const base = line.exec(printed.stdout)?.[1];
			if (!base) throw new Error(`The service did not start:\n${printed.both}`);
			return base;
		},
	};
}

export async function startServiceProcess(t: Scope, options: ServiceOptions = {}): Promise<ServiceProcess> {
	const folder = options.folder ?? join(temporaryFolder(t), 'data');
	const { DATABASE_URL, CLICKHOUSE_URL } = options.settings ?? {};
	const isOnServer = DATABASE_URL || CLICKHOUSE_URL || process.env.TEST_POSTGRES;
	if (options.folder === undefined && !isOnServer) copyTemplate(folder);
	if (!CLICKHOUSE_URL && !strictServers.has(folder)) {
		const server = await strictServerFor(t, folder);
		if (server) {
			strictServers.set(folder, server);
			t.after(async () => void strictServers.delete(folder));
		}
	}
	const { ready, ...service } = spawnService(t, { ...options, folder });
	return { ...service, base: await ready() };
}

/** The key of a new account. */
export async function keyOn(service: Pick<ServiceProcess, 'folder'>): Promise<string> {
	const made = await tidemark([
		...['account', 'create', '--json', '--data', service.folder],
		...['--email', 'a@example.test', '--name', 'A'],
	]);
	if (made.code !== 0) throw new Error(`No account was made: ${made.stderr}`);
	return JSON.parse(made.stdout).key;
}

export type Printed = { code: number | string; stdout: string; stderr: string };

/** Runs one command to its end. */
export async function tidemark(
	args: readonly string[],
	options: { settings?: Record<string, string>; cwd?: string; longestMs?: number } = {},
): Promise<Printed> {
	const folder = args[args.indexOf('--data') + 1] ?? '';
	const child = spawn(process.execPath, [programFile, ...args], {
		env: environmentOf({ ...strictSettingsOf(folder), ...options.settings }),
		stdio: ['ignore', 'pipe', 'pipe'],
		...(options.cwd === undefined ? {} : { cwd: options.cwd }),
	});
	const printed = collect(child);
	const limit = setTimeout(() => child.kill('SIGKILL'), options.longestMs ?? longestMs);
	const code = await endOf(child);
	clearTimeout(limit);
	return { code, stdout: printed.stdout, stderr: printed.stderr };
}

function collect(child: ChildProcess) {
	const printed = { stdout: '', stderr: '', both: '' };
	for (const name of ['stdout', 'stderr'] as const) {
		child[name]?.setEncoding('utf8').on('data', (text: string) => {
			printed[name] += text;
			printed.both += text;
		});
	}
	return printed;
}

/** After the streams are read to their end, so that nothing printed is missed. */
function endOf(child: ChildProcess): Promise<number | string> {
	return new Promise((resolve) =>
		child.once('exit', (code, signal) => {
			// PostgreSQL outlives a killed service and may hold its output open: wait a moment, not for ever.
			const done = () => resolve(code ?? signal ?? 'unknown');
			child.once('close', done);
			setTimeout(done, 500).unref();
		}),
	);
}

/** Waits until something holds; says what never did. */
export async function until(
	holds: () => boolean | Promise<boolean>,
	withinMs: number,
	what: string,
): Promise<number> {
	const started = performance.now();
	while (!(await holds())) {
		if (performance.now() - started > withinMs * patience)
			throw new Error(`After ${withinMs * patience} ms it is not so that ${what}.`);
		await sleep(10);
	}
	return Math.round(performance.now() - started);
}

export function isAlive(pid: number): boolean {
	try {
		// A zombie is dead and only not yet fetched.
		return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
	} catch {
		return false;
	}
}

/** The postmaster by its own file, whether it lives or not. */
export function postmasterOf(folder: string): number | undefined {
	try {
		return Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
	} catch {
		return undefined;
	}
}

/** The process of the statistics engine: the child that was started with `engine`. */
export function engineOf(pid: number): number | undefined {
	const [server] = strictServers.values();
	if (server) return server.enginePid();
	return descendantsOf(pid).find((child) => /main\.(ts|js)\0engine\0/.test(commandLineOf(child)));
}

function commandLineOf(pid: number): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
	} catch {
		return '';
	}
}

export function descendantsOf(pid: number): number[] {
	const parents = new Map<number, number>();
	for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
		try {
			// The command's name is in brackets and may hold blanks; the parent is the second field behind it.
			const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8')
				.replace(/^.*\) /s, '')
				.split(' ');
			parents.set(Number(name), Number(parent));
		} catch {
			// It ended while we looked.
		}
	}
	const found: number[] = [];
	for (let level = [pid]; level.length > 0; ) {
		level = [...parents].filter(([, parent]) => level.includes(parent)).map(([child]) => child);
		found.push(...level);
	}
	return found;
}

/** PostgreSQL that was left on a folder or on a data folder below it. */
function runningOn(folder: string): number[] {
	return [folder, join(folder, 'data')]
		.map(postmasterOf)
		.filter((pid) => pid !== undefined)
		.filter((pid) => commandLineOf(pid).includes(folder))
		.flatMap((pid) => [pid, ...descendantsOf(pid)]);
}

async function killAll(pids: readonly number[]): Promise<void> {
	for (const pid of pids) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// It was gone already.
		}
	}
	await until(() => !pids.some(isAlive), 5_000, `the processes ${pids.join(' ')} are gone`);
}
