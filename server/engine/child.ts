import { mkdirSync, rmSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Session } from 'chdb';
import { loadCatalog } from './catalog.ts';
import { createHttpEndpoint, type HttpEndpoint } from './http-endpoint.ts';
import { engineArguments, limits } from './limits.ts';
import type { EngineSetup, FromEngine, ToEngine } from './messages.ts';
import { removePipes } from './pipes.ts';
import { createPool } from './pool.ts';
import { database, type User } from './rights.ts';
import { openEngineWorker } from './worker-thread.ts';

/** The engine's process: `tidemark engine`. It exits together with the process that started it. */
export function runEngine(): void {
	if (process.send === undefined) throw new Error('The engine is started by the service, not by hand.');
	// SIGKILL, because a running query would delay an orderly exit and the next start needs the folder. Every acknowledged
	// insert is on disk.
	process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
	// A terminal sends these to the whole process group; the parent decides when to stop.
	process.on('SIGINT', () => {});
	process.on('SIGTERM', () => {});

	let endpoint: HttpEndpoint | undefined;
	process.on('message', (message: ToEngine) => {
		switch (message.type) {
			case 'start':
				openEngine(message.setup).then(
					(opened) => {
						endpoint = opened;
						send({ type: 'ready' });
						// Node writes its compile cache on a normal exit, which this process never has.
						flushCompileCache();
					},
					(error: unknown) => {
						send({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
					},
				);
				break;
			case 'heartbeat':
				send({ type: 'heartbeat' });
				break;
			case 'stop':
				void Promise.resolve(endpoint?.drain()).finally(() => process.kill(process.pid, 'SIGKILL'));
				break;
		}
	});
}

function send(message: FromEngine): void {
	// If the parent has exited, 'disconnect' ends this process.
	process.send?.(message, undefined, undefined, () => {});
}

async function openEngine(setup: EngineSetup): Promise<HttpEndpoint> {
	// Below the priority of the process that collects hits.
	setPriority(process.pid, 10);
	mkdirSync(setup.folder, { recursive: true, mode: 0o700 });
	const connectionArgs = engineArguments(setup.memoryMb);
	const session = await openSession(setup, connectionArgs);
	const control = serialize(async (sql: string) =>
		(await session.queryAsync(sql, { format: 'TSVRaw' })).text(),
	);
	await control(`CREATE DATABASE IF NOT EXISTS ${database} ENGINE = Atomic`);
	const catalog = await loadCatalog(control);
	const poolOf = (user: User) =>
		createPool(
			() =>
				openEngineWorker({ folder: setup.folder, engineArguments: connectionArgs, useDatabase: database }),
			limits[user],
		);
	removePipes(dirname(setup.socketPath));
	const endpoint = createHttpEndpoint({
		passwords: setup.passwords,
		pools: {
			ingest: poolOf('ingest'),
			stats: poolOf('stats'),
			export: poolOf('export'),
			migrate: poolOf('migrate'),
		},
		folder: dirname(setup.socketPath),
		catalog,
		memoryMb: setup.memoryMb,
		control,
		log: (level, message, fields) => send({ type: 'log', level, message, fields }),
	});
	// This process holds the folder lock, so an existing socket is left from a killed process.
	rmSync(setup.socketPath, { force: true });
	await endpoint.listen(setup.socketPath);
	return endpoint;
}

/** chDB locks the folder. The engine of a killed service needs a moment to exit, so opening is retried. */
async function openSession(
	{ folder, waitForFolderMs }: EngineSetup,
	connectionArgs: string[],
): Promise<Session> {
	const until = performance.now() + waitForFolderMs;
	for (;;) {
		try {
			return new Session(folder, { connectionArgs });
		} catch (error) {
			if (performance.now() > until)
				throw new Error(`The engine cannot open its folder ${folder}. Another process may be using it.`, {
					cause: error,
				});
			send({ type: 'waiting' });
			await pause(100);
		}
	}
}

/** One connection runs one statement at a time. */
function serialize<Result>(run: (sql: string) => Promise<Result>): (sql: string) => Promise<Result> {
	let last: Promise<unknown> = Promise.resolve();
	return (sql) => {
		const result = last.then(() => run(sql));
		last = result.catch(() => {});
		return result;
	};
}
