import { type Config, hasOwnDatabase } from '../config.ts';
import type { Metrics } from '../http/ops/metrics.ts';
import type { Cleanup } from '../lib/cleanup.ts';
import { type Disk, type DiskState, readDisk } from '../lib/disk.ts';
import type { Log } from '../lib/log.ts';

export type DiskWatch = { isFull(): boolean; describe(gauge: Metrics['gauge']): void };

const readEveryMs = 1_000;

const messages: Record<DiskState, string> = {
	ok: 'disk has free space again',
	low: 'disk is almost full',
	full: 'disk is full; hits will be refused when nothing more can be written. Free some space',
};

/** Watches the disk of the data folder; undefined when the databases are external servers. */
export async function watchDisk(
	config: Config,
	{ log, opened }: { log: Log; opened: Cleanup[] },
): Promise<DiskWatch | undefined> {
	if (!hasOwnDatabase(config)) return undefined;
	let last: Disk = { free: Number.NaN, total: Number.NaN, state: 'ok' };
	async function read() {
		// An error keeps the last state, because it alone must not refuse hits.
		const disk = await readDisk(config.dataFolder).catch(() => last);
		const level = disk.state === 'full' ? 'error' : disk.state === 'low' ? 'warn' : 'info';
		if (disk.state !== last.state)
			log[level]({ folder: config.dataFolder, freeBytes: disk.free }, messages[disk.state]);
		last = disk;
	}
	await read();
	let timer = setTimeout(again, readEveryMs);
	async function again() {
		await read();
		if (!isClosed) timer = setTimeout(again, readEveryMs);
	}
	let isClosed = false;
	opened.push(async () => {
		isClosed = true;
		clearTimeout(timer);
	});
	return {
		isFull: () => last.state === 'full',
		describe(gauge) {
			gauge('tidemark_disk_free_bytes', 'Free bytes on the disk of the data folder.', () => last.free);
			gauge('tidemark_disk_full', '1 while the disk of the data folder is full.', () =>
				last.state === 'full' ? 1 : 0,
			);
		},
	};
}
