/** The state of the NATS streams in PostgreSQL: how far each was written (`log_positions`) and what was missing (`log_gaps`). */
import type { JetStreamManager } from '@nats-io/jetstream';
import type { Log } from '../lib/log.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { streamOf } from './check-nats.ts';
import type { LogPosition } from './event-log.ts';

/** The partition of an event depends on their number, so it cannot change after the first start. Returns whether this is the first. */
export async function fixPartitions(postgres: Postgres, partitions: number): Promise<boolean> {
	const fixed = await postgres.transaction(async (tx) => {
		await tx.run(sql`LOCK TABLE log_positions`);
		const [row] = await tx.rows<{ count: number }>(sql`SELECT count(*) AS count FROM log_positions`);
		if (row && row.count > 0) return { count: row.count, isFirst: false };
		await tx.run(sql`
			INSERT INTO log_positions (partition, seq, appended_at)
			SELECT partition, 0, '-infinity' FROM generate_series(1, ${value(partitions)}::integer) AS partition`);
		return { count: partitions, isFirst: true };
	});
	if (fixed.count !== partitions)
		throw new Error(
			`NATS_PARTITIONS is ${partitions}, and the event log was made with ${fixed.count}: an event must stay in its partition. Set NATS_PARTITIONS=${fixed.count}.`,
		);
	return fixed.isFirst;
}

/** After a restore the streams may already have been purged up to some message: start there instead of reporting a gap. */
export async function startAtFirstMessages(
	postgres: Postgres,
	manager: JetStreamManager,
	partitions: number,
): Promise<void> {
	for (let partition = 1; partition <= partitions; partition++) {
		const { first_seq: first } = (await manager.streams.info(streamOf(partition))).state;
		await postgres.run(sql`
			UPDATE log_positions SET seq = ${value(Math.max(first - 1, 0))}
			WHERE partition = ${value(partition)} AND seq = 0`);
	}
}

/** The last message of a partition that was written. */
export async function readPosition(postgres: Queries, partition: number): Promise<LogPosition> {
	const [row] = await postgres.rows<{ seq: number; ms: number }>(sql`
		SELECT seq, greatest(extract(epoch FROM appended_at) * 1000, 0)::float8 AS ms FROM log_positions
		WHERE partition = ${value(partition)}`);
	if (!row) throw new Error(`The event log has no partition ${partition}.`);
	return { seq: row.seq, appendedAt: new Date(row.ms) };
}

export async function advancePosition(
	tx: Queries,
	partition: number,
	first: number,
	last: LogPosition,
): Promise<void> {
	const moved = await tx.run(sql`
		UPDATE log_positions SET seq = ${value(last.seq)}, appended_at = ${value(last.appendedAt)}
		WHERE partition = ${value(partition)} AND seq < ${value(first)}`);
	if (moved === 0)
		throw new Error(`Message ${first} of partition ${partition} was written by another writer.`);
}

/** For a stream that was recreated; does nothing if the position has changed meanwhile. */
export async function resetPosition(
	postgres: Queries,
	partition: number,
	{ from, to }: { from: number; to: number },
): Promise<void> {
	await postgres.run(
		sql`UPDATE log_positions SET seq = ${value(to)} WHERE partition = ${value(partition)} AND seq = ${value(from)}`,
	);
}

export async function isWrittenUpTo(postgres: Queries, targets: readonly number[]): Promise<boolean> {
	const positions = await postgres.rows<{ partition: number; seq: number }>(
		sql`SELECT partition, seq FROM log_positions`,
	);
	return positions.every(({ partition, seq }) => seq >= (targets[partition - 1] ?? 0));
}

/** The last acknowledged message of each partition, and the partitions whose number is not stored yet. */
export type Acknowledged = { last: Map<number, number>; unsaved: Set<number> };

export async function storeAcknowledged(postgres: Postgres, { last, unsaved }: Acknowledged): Promise<void> {
	const partitions = [...unsaved];
	if (partitions.length === 0) return;
	unsaved.clear();
	const seqs = partitions.map((partition) => last.get(partition) ?? 0);
	await postgres.run(sql`
		UPDATE log_positions p SET acknowledged = greatest(p.acknowledged, a.seq)
		FROM unnest(${value(partitions)}::integer[], ${value(seqs)}::bigint[]) AS a (partition, seq)
		WHERE p.partition = a.partition`);
}

type Gap = { partition: number; first: number; last: number };

/** Finds streams that end before the last acknowledged message: NATS truncates a damaged file, which leaves no gap to see. */
export async function findLostEnds(postgres: Postgres, manager: JetStreamManager, log: Log): Promise<void> {
	const known = await postgres.rows<{ partition: number; acknowledged: number }>(
		sql`SELECT partition, acknowledged FROM log_positions`,
	);
	for (const { partition, acknowledged } of known) {
		const { last_seq: last } = (await manager.streams.info(streamOf(partition))).state;
		if (last < acknowledged)
			await recordLostEnd(postgres, log, { partition, first: last + 1, last: acknowledged });
	}
}

/** Recorded once, even when several collectors notice it. */
export async function recordLostEnd(postgres: Postgres, log: Log, gap: Gap): Promise<void> {
	const { partition, first, last } = gap;
	log.error(gap, 'NATS stream lost its last messages; its disk was damaged, or it was recreated');
	await postgres.run(sql`
		INSERT INTO log_gaps (partition, first_seq, last_seq)
		SELECT ${value(partition)}, ${value(first)}, ${value(last)} WHERE NOT EXISTS (
			SELECT 1 FROM log_gaps WHERE partition = ${value(partition)} AND first_seq <= ${value(last)}
				AND last_seq >= ${value(first)} AND found_at > now() - interval '1 hour'
		) ON CONFLICT DO NOTHING`);
	await postgres.run(
		sql`UPDATE log_positions SET acknowledged = ${value(first - 1)} WHERE partition = ${value(partition)}`,
	);
}

export async function recordGap(postgres: Postgres, log: Log, gap: Gap): Promise<void> {
	const isNew = await postgres.run(sql`
		INSERT INTO log_gaps (partition, first_seq, last_seq)
		VALUES (${value(gap.partition)}, ${value(gap.first)}, ${value(gap.last)}) ON CONFLICT DO NOTHING`);
	if (isNew > 0) log.error(gap, 'messages are missing in NATS, deleted or damaged; skipping them');
}
