import { statfs } from 'node:fs/promises';

/** Below this, writes may fail: PostgreSQL allocates WAL files of 16 MB, and ClickHouse writes whole parts. */
export const fullBelowBytes = 48_000_000;
const lowBelowBytes = 1_000_000_000;
/** A disk without free inodes is full too. File systems without inodes report 0 of 0. */
const fullBelowFiles = 100;

export type DiskState = 'ok' | 'low' | 'full';
export type Disk = { free: number; total: number; state: DiskState };

export async function readDisk(folder: string): Promise<Disk> {
	const { bavail, bsize, blocks, files, ffree } = await statfs(folder);
	const free = bavail * bsize;
	const isFull = free < fullBelowBytes || (files > 0 && ffree < fullBelowFiles);
	return { free, total: blocks * bsize, state: isFull ? 'full' : free < lowBelowBytes ? 'low' : 'ok' };
}
