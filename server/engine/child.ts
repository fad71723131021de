import { mkdirSync, rmSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Session } from 'chdb';
import { createDoor, type Door } from './door.ts';
import { openLane } from './lane.ts';
import { engineArguments, limits } from './limits.ts';
import type { EngineSetup, FromEngine, ToEngine } from './messages.ts';
import { removePipes } from './pipes.ts';
import { createPool } from './pool.ts';
import { catalogQuery, database, readCatalog, type User } from './rights.ts';

/** The engine's process: `tidemark engine`. It lives as long as the one that started it, and not a moment longer. */
export function runEngine(): void {
	if (process.send === undefined) throw new Error('The engine is started by the service, not by hand.');
	// No goodbye: a query may be running, which would hold up an orderly exit, and whoever restarts needs the folder.
	// Every acknowledged insert is on the disk.
	process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
	// The terminal sends these to parent and child alike; the parent tells us when to stop.
	process.on('SIGINT', () => {});
	process.on('SIGTERM', () => {});

	let door: Door | undefined;
	process.on('message', (message: ToEngine) => {
		switch (message.say) {
			case 'start':
				openEngine(message.setup).then(
					(opened) => {
						door = opened;
						tell({ say: 'ready' });
						// Node writes down what it has compiled when it ends in peace, which this process never does.
						flushCompileCache();
					},
					(error: unknown) => {
						tell({ say: 'failed', message: error instanceof Error ? error.message : String(error) });
					},
				);
				break;
			case 'stop':
				void Promise.resolve(door?.drain()).finally(() => process.kill(process.pid, 'SIGKILL'));
				break;
		}
	});
}

function tell(message: FromEngine): void {
	// The parent may be gone between two lines; 'disconnect' then ends us.
	process.send?.(message, undefined, undefined, () => {});
}

async function openEngine(setup: EngineSetup): Promise<Door> {
	// Collection comes first: its process is not niced.
	setPriority(process.pid, 10);
	mkdirSync(setup.folder, { recursive: true, mode: 0o700 });
	const connectionArgs = engineArguments(setup.memoryMb);
	const session = await openSession(setup, connectionArgs);
	const control = serialize(async (sql: string) =>
		(await session.queryAsync(sql, { format: 'TSVRaw' })).text(),
	);
	await control(`CREATE DATABASE IF NOT EXISTS ${database} ENGINE = Atomic`);
	const catalog = readCatalog(
		(await control(catalogQuery))
			.trimEnd()
			.split('\n')
			.map((line) => {
				const [kind = '', name = ''] = line.split('\t');
				return { kind, name };
			}),
	);
	const poolOf = (user: User) =>
		createPool(
			() => openLane({ folder: setup.folder, engineArguments: connectionArgs, useDatabase: database }),
			limits[user],
		);
	removePipes(dirname(setup.socketPath));
	const door = createDoor({
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
		log: (level, message, fields) => tell({ say: 'log', level, message, fields }),
	});
	// A former child was killed and has left its socket; the folder's lock, which we hold now, says that it is dead.
	rmSync(setup.socketPath, { force: true });
	await door.listen(setup.socketPath);
	return door;
}

/** chDB locks the folder. A child of a killed parent needs a moment to die, so the lock is tried again for a while. */
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
				throw new Error(`Opening the engine's folder ${folder}; is it in use?`, { cause: error });
			tell({ say: 'waiting' });
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
