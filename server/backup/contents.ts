/** What a backup holds. Everything of both databases is in it, also what comes with later migrations, but for what is named here. */
import { AppError } from '../lib/app-error.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Queries } from '../store/postgres.ts';
import { identifier, join, type Sql, sql } from '../store/sql.ts';

/**
 * Tables of PostgreSQL that stay out. Those that are not logged stay out as well: salts, and how often a password was tried.
 * The file gives no access: it contains no session and no link that was mailed.
 */
const leftOut: Readonly<Record<string, string>> = {
	migrations: 'The head of the file says which there were; a restore applies them.',
	restore_unfinished: 'Belongs to a restore.',
	log_positions: 'The streams of the NATS that it is restored to have their own numbers.',
	log_gaps: 'Of those streams.',
	damaged_parts: 'Of the ClickHouse that was backed up.',
	engine: 'The ClickHouse that it is restored to has another id.',
	secret_fingerprint: 'A restore may be given another secret.',
	sessions: 'People sign in again.',
	one_time_links: 'A link sets a password.',
	address_confirmations: 'A link that was mailed; people ask for another.',
	address_changes: 'The same.',
	oidc_requests: 'A sign-in that waits for a provider.',
	oidc_proofs: 'A sign-in that waits for a password.',
	sign_up_links: 'A link that was mailed; people ask for another.',
	setup_links: 'A link makes the first account.',
	idempotent_answers: 'Kept for a day; an answer may hold the secret of a key.',
};

/** Tables of ClickHouse that stay out: visits of open days are derived again for the next query. */
const leftOutOfClickHouse = ['migrations', 'engine', 'open_visits'];

/** A queued message is not sent after a restore: it was sent meanwhile, and it may contain a link with a token. */
const ended = {
	content: sql`NULL::jsonb`,
	state: sql`CASE WHEN state IN ('sent', 'failed') THEN state ELSE 'unknown' END`,
	ended_at: sql`coalesce(ended_at, created_at)`,
};

/** Columns that a backup changes. */
const changed: Readonly<Record<string, Readonly<Record<string, Sql>>>> = {
	outbox: { ...ended, claim: sql`NULL::uuid` },
	// Until migration 0032, which may be pending when the backup before an upgrade is taken.
	mails: { ...ended, claim: sql`NULL::uuid` },
	alert_deliveries: {
		state: sql`CASE WHEN state = 'sent' THEN state ELSE 'failed' END`,
		ended_at: sql`coalesce(ended_at, created_at)`,
	},
};

export type Table = { name: string; columns: string[] };

/** In an order in which they can be filled: what a row refers to comes before it. */
export async function listTables(postgres: Queries): Promise<Table[]> {
	const tables = await postgres.rows<Table>(sql`
		SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
			AND NOT a.attisdropped AND a.attgenerated = ''
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND c.relpersistence = 'p'
			AND NOT c.relispartition
		GROUP BY c.relname ORDER BY c.relname`);
	const references = await postgres.rows<{ from: string; to: string }>(sql`
		SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint
		WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conrelid <> confrelid`);
	const waiting = tables.filter(({ name }) => !Object.hasOwn(leftOut, name));
	const sorted: Table[] = [];
	while (waiting.length > 0) {
		const index = waiting.findIndex(
			({ name }) =>
				!references.some(({ from, to }) => from === name && waiting.some((other) => other.name === to)),
		);
		const [next] = waiting.splice(Math.max(index, 0), 1);
		if (next) sorted.push(next);
	}
	return sorted;
}

/** The rows of a table as a backup has them, each a line of JSON. */
export function linesOf({ name, columns }: Table): Sql {
	const taken = columns.map((column) => {
		const other = changed[name]?.[column];
		return other ? sql`${other} AS ${identifier(column)}` : identifier(column);
	});
	return sql`SELECT row_to_json(t)::text AS line FROM (SELECT ${join(taken, ', ')} FROM ${identifier(name)}) AS t`;
}

export const clonePrefix = 'backup_';

/** Tables of ClickHouse that hold something. */
export async function listClickHouseTables(clickhouse: ClickHouse): Promise<Table[]> {
	// A node has the rows of its own shard alone.
	if (clickhouse.cluster !== undefined)
		throw new AppError(
			'bad_request',
			'A ClickHouse cluster is backed up and restored by its own BACKUP and RESTORE with ON CLUSTER, and PostgreSQL by pg_dump.',
		);
	const rows = await clickhouse.rows<Table>(
		sql`
		SELECT table AS name, groupArray(c.name) AS columns FROM (
			SELECT table, name FROM system.columns
			WHERE database = currentDatabase() AND default_kind NOT IN ('MATERIALIZED', 'ALIAS') AND table IN (
				SELECT name FROM system.tables WHERE database = currentDatabase() AND endsWith(engine, 'MergeTree')
			)
			ORDER BY table, position
		) AS c
		GROUP BY table ORDER BY table`,
		{ as: 'migrate' },
	);
	return rows.filter(({ name }) => !leftOutOfClickHouse.includes(name) && !name.startsWith(clonePrefix));
}
