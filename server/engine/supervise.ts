import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FromEngine, ToEngine } from './messages.ts';
import { database, type User } from './rights.ts';

/** What a client needs to talk to the engine. */
export type EngineConnection = {
	readonly socketPath: string;
	readonly passwords: Readonly<Record<User, string>>;
	readonly database: string;
};

export type Engine = {
	readonly connection: EngineConnection;
	/** False while it starts, restarts or has stopped. */
	isUp(): boolean;
	pid(): number | undefined;
	/** Lets running inserts finish, for a bounded time. */
	stop(): Promise<void>;
};

type EngineLog = {
	info(fields: object, message: string): void;
	warn(fields: object, message: string): void;
	error(fields: object, message: string): void;
};

export type EngineOptions = {
	/** The engine's own folder, made when missing. */
	folder: string;
	/** Where its socket shall be. */
	socketPath: string;
	memoryMb: number;
	log: EngineLog;
	/** The command that calls `runEngine`. */
	entry?: { file: string; args: readonly string[] };
	startTimeoutMs?: number;
	stopTimeoutMs?: number;
};

const ext = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const defaultEntry = {
	file: fileURLToPath(new URL(`../../cli/main.${ext}`, import.meta.url)),
	args: ['engine'],
};

/** After a death the next child starts this much later; a child that lived for a minute begins the row anew. */
const restartDelaysMs = [50, 200, 500, 1_000, 2_000, 5_000, 10_000];

/** Starts the engine and keeps it running until `stop`. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
	const {
		folder,
		socketPath,
		log,
		entry = defaultEntry,
		startTimeoutMs = 20_000,
		stopTimeoutMs = 15_000,
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
	let deaths = 0;
	let restartTimer: NodeJS.Timeout | undefined;

	function launch(): Promise<void> {
		const startedAt = performance.now();
		const compiled = getCompileCacheDir();
		const started = fork(entry.file, [...entry.args], {
			execArgv: [],
			// Nothing of the parent's environment: it may hold secrets that a statistics engine has no use for.
			// Reads wait in threads of this pool, so it is larger than all connections together.
			env: {
				...{ UV_THREADPOOL_SIZE: '32', TZ: 'UTC', TMPDIR: tmpdir() },
				// What Node has compiled before it does not compile again: the engine is back in two thirds of the time.
				...(compiled && { NODE_COMPILE_CACHE: dirname(compiled) }),
			},
			stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		});
		child = started;
		for (const output of [started.stdout, started.stderr]) {
			output?.on('data', (bytes: Buffer) =>
				log.warn(
					{ pid: started.pid, text: bytes.toString().trimEnd().slice(0, 1_000) },
					'the engine printed',
				),
			);
		}
		const ready = Promise.withResolvers<void>();
		const timer = setTimeout(() => {
			ready.reject(new Error(`The engine was not ready after ${startTimeoutMs} ms.`));
			started.kill('SIGKILL');
		}, startTimeoutMs);
		let saidWaiting = false;
		started.on('message', (message: FromEngine) => {
			switch (message.say) {
				case 'waiting':
					if (!saidWaiting) log.warn({ folder }, 'the folder of the engine is still held by another process');
					saidWaiting = true;
					break;
				case 'ready':
					isReady = true;
					log.info(
						{ pid: started.pid, ms: Math.round(performance.now() - startedAt) },
						'the engine is ready',
					);
					ready.resolve();
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
		started.on('error', (error) => ready.reject(error));
		started.on('exit', (code, signal) => {
			clearTimeout(timer);
			const wasReady = isReady;
			isReady = false;
			child = undefined;
			ready.reject(new Error(`The engine ended while starting (${signal ?? code}).`));
			if (isStopping || !hasStarted) return;
			if (performance.now() - startedAt > 60_000) deaths = 0;
			const delayMs = restartDelaysMs[Math.min(deaths, restartDelaysMs.length - 1)] ?? 0;
			deaths += 1;
			log.error(
				{ pid: started.pid, code, signal, wasReady, delayMs },
				'the engine died and is started again',
			);
			restartTimer = setTimeout(
				() => launch().catch((error: unknown) => log.error({ error }, 'the engine did not start')),
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
		// A child that died at once is reported by its exit.
		started.send({ say: 'start', setup } satisfies ToEngine, () => {});
		return ready.promise.finally(() => clearTimeout(timer));
	}

	// A first start that fails is the caller's to report; only an engine that once ran is started again by itself.
	let hasStarted = false;
	await launch();
	hasStarted = true;

	return {
		connection: { socketPath, passwords, database },
		isUp: () => isReady,
		pid: () => child?.pid,
		async stop() {
			isStopping = true;
			clearTimeout(restartTimer);
			const stopping = child;
			if (stopping === undefined) return;
			const exited = new Promise<void>((resolve) => stopping.once('exit', () => resolve()));
			stopping.send({ say: 'stop' } satisfies ToEngine, () => {});
			const inTime = await Promise.race([
				exited.then(() => true),
				pause(stopTimeoutMs, false, { ref: false }),
			]);
			if (!inTime) {
				log.warn({ pid: stopping.pid, stopTimeoutMs }, 'the engine did not stop in time and is killed');
				stopping.kill('SIGKILL');
				await exited;
			}
		},
	};
}
