import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../lib/log.ts';
import { namedLock } from './locks.ts';
import type { Postgres } from './postgres.ts';
import { sql } from './sql.ts';

/** One service a data folder. Told apart from other failures, because its mend is another: stop the first. */
export class FolderInUse extends Error {}

export type FolderLock = { release(): Promise<void>; keepToTheEnd(): Promise<void> };

const retakeEveryMs = 250;

/**
 * The lock is held by a connection to PostgreSQL: it cannot be left behind by a crash, and needs no guess whether
 * a process id in a file is still the same process. When the database restarts under us the lock is taken again.
 */
export async function lockFolder(postgres: Postgres, folder: string, log: Log): Promise<FolderLock> {
	let released = false;
	let holder = await take();

	async function take() {
		const connection = await postgres.dedicatedConnection(() => {
			if (!released) retake().catch((error) => log.error({ error }, 'the lock of the data folder was lost'));
		});
		const [row] = await connection.rows<{ taken: boolean }>(
			sql`SELECT pg_try_advisory_lock(${namedLock('folder', folder)}) AS taken`,
		);
		if (row?.taken) return connection;
		released = true;
		await connection.end();
		throw new FolderInUse('Tidemark is already running on this data folder.');
	}

	let retaking = false;
	async function retake() {
		if (retaking) return;
		retaking = true;
		while (!released) {
			await sleep(retakeEveryMs);
			try {
				const taken = await take();
				// Released meanwhile: an open connection would keep the process from ending.
				if (released) await taken.end();
				else holder = taken;
				break;
			} catch (error) {
				if (error instanceof FolderInUse) throw error;
			}
		}
		retaking = false;
	}

	return {
		async release() {
			released = true;
			await holder.end().catch(() => undefined);
		},
		/** Keeps the lock until the database is stopped, so that no other process uses it while it closes. */
		async keepToTheEnd() {
			released = true;
		},
	};
}
