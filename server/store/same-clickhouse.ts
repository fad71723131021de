/**
 * Services that share a PostgreSQL database share one event log, and the one that leads moves it into its ClickHouse. Were
 * that each one's own, every change of leader would leave a part of the events in another place. So a ClickHouse has an id,
 * which lies among its tables and goes wherever they go, and the database knows the one that holds its events.
 */
import { randomUUID } from 'node:crypto';
import { type ClickHouse, hasTable } from './clickhouse.ts';
import { locks } from './locks.ts';
import type { Postgres } from './postgres.ts';
import { param, sql, value } from './sql.ts';

/** Refuses a ClickHouse that is not the database's; the first that comes becomes it. */
export async function assertSameClickHouse(postgres: Postgres, clickhouse: ClickHouse): Promise<void> {
	const isOurs = await postgres.transaction(async (tx) => {
		// Of services that start together on one new ClickHouse one gives it an id, and the others read it.
		await tx.run(sql`SELECT pg_advisory_xact_lock(${value(locks.engineId)}::bigint)`);
		const id = (await readId(clickhouse)) ?? (await makeId(clickhouse));
		await tx.run(sql`INSERT INTO engine (id) VALUES (${value(id)}) ON CONFLICT DO NOTHING`);
		const [row] = await tx.rows<{ id: string }>(sql`SELECT id FROM engine`);
		return row?.id === id;
	});
	if (isOurs) return;
	throw new Error(
		'The events of this PostgreSQL database are in another ClickHouse than the one of this service. ' +
			'If several services shall share the database, set CLICKHOUSE_URL of all of them to one ClickHouse server. ' +
			'If not, set DATABASE_URL of this one to a database of its own. ' +
			'If the other ClickHouse is gone for good, or what it held is here now, ' +
			'stop all services, run DELETE FROM engine; in the database, and start this one first.',
	);
}

async function readId(clickhouse: ClickHouse): Promise<string | undefined> {
	// Only where it is missing: on a cluster the statement waits for every node.
	if (!(await hasTable(clickhouse, 'engine')))
		await clickhouse.command(sql`CREATE TABLE IF NOT EXISTS engine (
		id UUID, made_at DateTime64(3) DEFAULT now64(3)
	) ENGINE = MergeTree ORDER BY made_at SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`);
	const [row] = await clickhouse.rows<{ id: string }>(
		sql`SELECT id FROM engine ORDER BY made_at, id LIMIT 1`,
		{ as: 'migrate' },
	);
	return row?.id;
}

async function makeId(clickhouse: ClickHouse): Promise<string> {
	const id = randomUUID();
	await clickhouse.command(sql`INSERT INTO engine (id) VALUES (${param('UUID', id)})`);
	return id;
}
