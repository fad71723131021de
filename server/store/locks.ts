import { type Sql, sql, value } from './sql.ts';

/**
 * The numbers of PostgreSQL's advisory locks: all in one list, because two uses of one number would wait for each other.
 * A number keeps its meaning for ever: a process of an older version may hold it.
 */
export const locks = {
	/** Those who start together bring the databases up to date one after the other. */
	migrate: 7_461_001,
	/** A data folder, by its name: one service on it. */
	folder: 7_461_002,
	/** Deletions and resets are announced in one order. */
	tombstones: 7_461_003,
	/** A partition of the event log: one writer. */
	writer: 7_461_004,
	/** A job, by its name: one process runs it. */
	job: 7_461_005,
	salts: 7_461_006,
	seal: 7_461_007,
	engineId: 7_461_008,
	/** Held shared by batches while they are written, and alone by who wants none to be. */
	batches: 7_461_009,
	/** One backup at a time. */
	backup: 7_461_010,
	/** An import, by its id. */
	import: 7_461_011,
	/** A website that the demo fills, by its id. */
	demo: 7_461_012,
	/** Held until the commit of the transaction that numbers a batch. */
	batchNumber: 7_461_013,
	/** One merge at a time. */
	merge: 7_461_020,
} as const;

/** One of many locks of a kind, told apart by a name: `pg_advisory_lock(${namedLock('job', job.name)})`. */
export const namedLock = (kind: keyof typeof locks, name: string): Sql =>
	sql`hashtextextended(${value(name)}, ${value(locks[kind])}::bigint)`;
