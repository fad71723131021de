import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { minuteMs } from '../lib/durations.ts';
import { cliFile } from '../lib/package.ts';
import type { FromEngine, ToEngine } from './messages.ts';
import { database, type User } from './rights.ts';

export type EngineConnection = {
	readonly socketPath: string;
	readonly passwords: Readonly<Record<User, string>>;
	readonly database: string;
};

export type Engine = {
	readonly connection: EngineConnection;
	/** False while it is starting, restarting, unresponsive or stopped. */
	isUp(): boolean;
	pid(): number | undefined;
	/** Waits a limited time for running inserts. */
	stop(): Promise<void>;
};

type EngineLog = {
	info(fields: object, message: string): void;
	warn(fields: object, message: string): void;
	error(fields: object, message: string): void;
};

export type EngineOptions = {
	/** Created if it does not exist. */
	folder: string;
	socketPath: string;
	memoryMb: number;
	log: EngineLog;
	/** The command that calls `runEngine`. */
	entry?: { file: string; args: readonly string[] };
	startTimeoutMs?: number;
	stopTimeoutMs?: number;
	heartbeatMs?: number;
};

const defaultEntry = { file: cliFile, args: ['engine'] };

/** Delays before a restart. A process that ran for a minute starts over with the first one. */
const restartDelaysMs = [50, 200, 500, 1_000, 2_000, 5_000, 10_000];

/** Missed heartbeats until the engine counts as unresponsive, and until it is killed. */
const missedUntilUnresponsive = 3;
const missedUntilKilled = 60;

const maxLaunches = 3;

class EngineExited extends Error {
	constructor(by: string | number | null) {
		super(
			`The ClickHouse engine exited during startup (${by}). Check its last lines in the log. ` +
				'If it was killed, the machine may be out of memory: lower TIDEMARK_ENGINE_MEMORY_MB.',
		);
	}
}

/** Starts the engine and keeps it running until `stop`. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
	const {
		folder,
		socketPath,
		log,
		entry = defaultEntry,
		startTimeoutMs = 20_000,
		stopTimeoutMs = 15_000,
		heartbeatMs = 1_000,
	} = options;
	const newPassword = () => randomBytes(24).toString('base64url');
	const passwords = {
		ingest: newPassword(),
		stats: newPassword(),
		export: newPassword(),
		migrate: newPassword(),
	};
	let child: ChildProcess | undefined;
	let isReady = false;
	let isStopping = false;
	/** Counted in heartbeats and not in time: after this process itself was suspended, the engine gets its full time. */
	let missed = 0;
	let exits = 0;
	let restartTimer: NodeJS.Timeout | undefined;

	function launch(): Promise<void> {
		const startedAt = performance.now();
		const compiled = getCompileCacheDir();
		const started = fork(entry.file, [...entry.args], {
			execArgv: [],
			// Not the parent's environment, which may contain secrets. Statements block threads of the pool, so it is larger
			// than the number of engine workers (limits.ts) and the control connection.
			env: {
				UV_THREADPOOL_SIZE: '16',
				// glibc would give Node's threads up to eight arenas per core, each with free memory of its own. The engine itself
				// uses jemalloc.
				MALLOC_ARENA_MAX: '2',
				TZ: 'UTC',
				TMPDIR: tmpdir(),
				// With the compile cache, the engine starts in two thirds of the time.
				...(compiled && { NODE_COMPILE_CACHE: dirname(compiled) }),
			},
			stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		});
		child = started;
		for (const output of [started.stdout, started.stderr]) {
			output?.on('data', (bytes: Buffer) =>
				log.warn({ pid: started.pid, text: bytes.toString().trimEnd().slice(0, 1_000) }, 'engine output'),
			);
		}
		const ready = Promise.withResolvers<void>();
		const timer = setTimeout(() => {
			ready.reject(new Error(`The engine was not ready after ${startTimeoutMs} ms.`));
			started.kill('SIGKILL');
		}, startTimeoutMs);
		let hasLoggedWaiting = false;
		started.on('message', (message: FromEngine) => {
			switch (message.type) {
				case 'waiting':
					if (!hasLoggedWaiting)
						log.warn({ folder }, 'waiting for the engine folder; another process locks it');
					hasLoggedWaiting = true;
					break;
				case 'ready':
					isReady = true;
					missed = 0;
					log.info(
						{ pid: started.pid, ms: Math.round(performance.now() - startedAt) },
						'the engine is ready',
					);
					ready.resolve();
					break;
				case 'heartbeat':
					if (missed >= missedUntilUnresponsive) log.info({ pid: started.pid }, 'engine responds again');
					missed = 0;
					break;
				case 'failed':
					ready.reject(new Error(message.message));
					started.kill('SIGKILL');
					break;
				case 'log':
					log[message.level](message.fields, message.message);
					break;
			}
		});
		// Sending to a process that has exited fails too; the exit handler reports that.
		started.on('error', (cause) => {
			if (started.pid === undefined)
				ready.reject(new Error('The ClickHouse engine could not be started. Reinstall Tidemark.', { cause }));
		});
		started.on('exit', (code, signal) => {
			clearTimeout(timer);
			const wasReady = isReady;
			isReady = false;
			child = undefined;
			ready.reject(new EngineExited(signal ?? code));
			if (isStopping || !hasStarted) return;
			if (performance.now() - startedAt > minuteMs) exits = 0;
			const delayMs = restartDelaysMs[Math.min(exits, restartDelaysMs.length - 1)] ?? 0;
			exits += 1;
			log.error({ pid: started.pid, code, signal, wasReady, delayMs }, 'engine exited; restarting');
			restartTimer = setTimeout(
				() => launch().catch((error: unknown) => log.error({ error }, 'engine restart failed')),
				delayMs,
			);
		});
		const setup = {
			folder,
			socketPath,
			passwords,
			memoryMb: options.memoryMb,
			waitForFolderMs: startTimeoutMs / 2,
		};
		// A process that exits at once is reported by the exit handler.
		started.send({ type: 'start', setup } satisfies ToEngine, () => {});
		return ready.promise.finally(() => clearTimeout(timer));
	}

	function sendHeartbeat(): void {
		if (!isReady || child === undefined) return;
		missed += 1;
		const { pid } = child;
		if (missed === missedUntilUnresponsive) log.error({ pid }, 'engine does not respond');
		if (missed === missedUntilKilled) {
			log.error({ pid, missed }, 'engine does not respond; killing it');
			child.kill('SIGKILL');
			return;
		}
		child.send({ type: 'heartbeat' } satisfies ToEngine, () => {});
	}

	// A first start is given up after a few attempts; an engine that was ready once is always restarted.
	let hasStarted = false;
	for (let launches = 1; !hasStarted; launches++) {
		try {
			await launch();
			hasStarted = true;
		} catch (error) {
			if (!(error instanceof EngineExited) || launches === maxLaunches) throw error;
			log.warn({ error }, 'engine exited during startup; retrying');
			await pause(restartDelaysMs[launches]);
		}
	}
	const heartbeat = setInterval(sendHeartbeat, heartbeatMs).unref();

	return {
		connection: { socketPath, passwords, database },
		isUp: () => isReady && missed < missedUntilUnresponsive,
		pid: () => child?.pid,
		async stop() {
			isStopping = true;
			clearTimeout(restartTimer);
			clearInterval(heartbeat);
			const stopping = child;
			if (stopping === undefined) return;
			const exited = new Promise<void>((resolve) => stopping.once('exit', () => resolve()));
			stopping.send({ type: 'stop' } satisfies ToEngine, () => {});
			const inTime = await Promise.race([
				exited.then(() => true),
				pause(stopTimeoutMs, false, { ref: false }),
			]);
			if (!inTime) {
				log.warn({ pid: stopping.pid, stopTimeoutMs }, 'engine did not stop in time; killing it');
				stopping.kill('SIGKILL');
				await exited;
			}
		},
	};
}
