/**
 * A cluster of ClickHouse runs the same migrations and the same statements as one server. What differs is here: a table `x`
 * is `x_local` on every node, replicated within its shard, and `x` itself holds nothing and spreads over them. So a read or an
 * insert stays as it is, and a statement that changes tables becomes one or two that run on every node.
 *
 * Where a row lies is a matter of speed and never of right: every count is merged on the node that was asked, so no answer
 * depends on it, and a shard can be added without moving anything. docs/decisions/0011-clickhouse-cluster.md says why.
 */
import type { ClickHouseSettings } from '@clickhouse/client';
import { param, type Sql, sql } from './sql.ts';

/** A website whose events are spread by visitor, and the first date of which they are. */
type LargeWebsite = { websiteId: number; from: string };

/** Small, and read at each start: every node has all of it, and no shard is asked. */
const everywhere = new Set(['migrations', 'engine']);

/** Visits of open days are derived and read on the same node, by the same process, a moment apart. */
const ofOneNode = new Set(['open_visits']);

/** Their rows have a visitor. All other tables are spread by website alone. */
const byVisitor = ['events', 'visits'] as const;

/**
 * What every statement is sent with.
 * - An insert is acknowledged when most replicas of each shard that it touches have it, and not when it is in a queue.
 * - A read sees all that was acknowledged, or fails. That holds only while quorum inserts come one after another.
 * - Reads and inserts go to the same replica as long as it is there: it has seen everything, so reads do not fail.
 * - A subquery over a spread table is answered once and sent to the shards; else each would see only what it has itself.
 * - INSERT … SELECT between spread tables (2 by default) would be run by each shard on its own rows, and a visitor or a value
 *   that lies on two of them be counted twice.
 */
export const clusterSettings = {
	distributed_foreground_insert: 1,
	insert_quorum: 'auto',
	insert_quorum_parallel: 0,
	insert_quorum_timeout: 60_000,
	select_sequential_consistency: '1',
	load_balancing: 'in_order',
	prefer_localhost_replica: 0,
	max_replica_delay_for_distributed_queries: '5',
	distributed_product_mode: 'global',
	parallel_distributed_insert_select: '0',
	optimize_skip_unused_shards: 0,
	skip_unavailable_shards: 0,
	distributed_ddl_task_timeout: '3600',
} as const satisfies ClickHouseSettings;

/** The statement as a cluster runs it: itself, or what it becomes. */
export function toCluster(statement: string, cluster: string): string[] {
	const { head, rest } = splitHead(statement);
	if (!head) return [statement];
	const { verb, table } = head;
	const on = ` ON CLUSTER ${quote(cluster)} `;
	if (ofOneNode.has(table)) {
		if (verb === 'CREATE TABLE IF NOT EXISTS') return [`${verb} ${table}${on}${asLocal(rest)}`];
		// Its partitions are dropped where they were made; what is erased must be gone from every node.
		return isPartitionDrop(rest) ? [statement] : [`${verb} ${table}${on}${rest}`];
	}
	if (everywhere.has(table)) {
		const path = `'/clickhouse/tables/{database}/{table}', '{shard}-{replica}'`;
		return [`${verb} ${table}${on}${verb.startsWith('CREATE') ? replicated(rest, path) : rest}`];
	}
	const local = `${verb} ${table}_local${on}`;
	switch (verb) {
		case 'CREATE TABLE IF NOT EXISTS': {
			const path = `'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'`;
			return [`${local}${replicated(asLocal(rest), path)}`, spread(table, { cluster, large: [] })];
		}
		case 'ALTER TABLE':
			// A table that holds nothing has columns, and no rows, partitions or settings.
			return isOfColumns(rest) ? [`${local}${rest}`, `${verb} ${table}${on}${rest}`] : [`${local}${rest}`];
		case 'TRUNCATE TABLE':
		case 'OPTIMIZE TABLE':
			return [`${local}${rest}`];
		case 'DROP TABLE IF EXISTS':
			return [`${verb} ${table}${on}${rest}`, `${local}${rest}`];
	}
}

/** The definitions that say where rows go from now on. Nothing is lost when they are replaced: they hold nothing. */
export const spreadAnew = (cluster: string, large: readonly LargeWebsite[]): string[] =>
	byVisitor.map((table) => spread(table, { cluster, large, isReplaced: true }));

/** Ends a statement on the node that is asked: where it was begun, and with it what it has others do. */
export const killHere = 'KILL QUERY WHERE query_id = {id:String} OR initial_query_id = {id:String} SYNC';

/** The same for every node. A node that is down runs it when it is back; the caller does not wait. */
export const killOnCluster = (cluster: string): string =>
	`KILL QUERY ON CLUSTER ${quote(cluster)} WHERE query_id = {id:String} OR initial_query_id = {id:String} ASYNC`;

/** Hands a task to all nodes without waiting for any of them. */
export const tellNodes = { distributed_ddl_task_timeout: '0' } as const satisfies ClickHouseSettings;

/** A node that is down is left out of the answer: each node counts as a shard of its own in clusterAllReplicas. */
export const whoAnswers = { skip_unavailable_shards: 1 } as const satisfies ClickHouseSettings;

/** How many parts of a statement run, on all nodes that answer. */
export const stillRunning = (cluster: string, queryId: string): Sql =>
	sql`SELECT count() AS count FROM clusterAllReplicas(${param('String', cluster)}, system.processes)
		WHERE query_id = ${param('String', queryId)} OR initial_query_id = ${param('String', queryId)}`;

const verbs = [
	'CREATE TABLE IF NOT EXISTS',
	'ALTER TABLE',
	'TRUNCATE TABLE',
	'OPTIMIZE TABLE',
	'DROP TABLE IF EXISTS',
] as const;

type Head = { verb: (typeof verbs)[number]; table: string };

/** What a statement of ours begins with. One that changes tables in another way is refused rather than run on one node. */
function splitHead(statement: string): { head?: Head; rest: string } {
	const text = statement.replace(/^(?:\s*--[^\n]*\n)*\s*/, '');
	for (const verb of verbs) {
		const match = new RegExp(`^${verb.replaceAll(' ', '\\s+')}\\s+([a-z_][a-z0-9_]*)\\s*`).exec(text);
		if (match) return { head: { verb, table: match[1] ?? '' }, rest: text.slice(match[0].length) };
	}
	const isComplete = /^(SELECT|WITH|INSERT)\b|^CREATE OR REPLACE TABLE [a-z_]+ ON CLUSTER /.test(text);
	if (isComplete) return { rest: text };
	throw new Error(`A cluster cannot be told to ${text.slice(0, 40)}`);
}

const isOfColumns = (rest: string): boolean => /^(ADD|DROP|MODIFY|RENAME)\s+COLUMN\b/.test(rest);

const isPartitionDrop = (rest: string): boolean => /^DROP\s+PARTITION\b/.test(rest);

/** A definition that repeats another table's takes the columns of the one that holds rows. */
const asLocal = (rest: string): string => rest.replace(/^AS ([a-z_]+)/, 'AS $1_local');

function replicated(rest: string, path: string): string {
	const engine = /\bENGINE = MergeTree\b/g;
	if ([...rest.matchAll(engine)].length !== 1)
		throw new Error('A table of a cluster is a MergeTree, named once in its definition.');
	return rest.replace(engine, `ENGINE = ReplicatedMergeTree(${path})`).replace(
		/\bnon_replicated_deduplication_window = (\d+)/,
		// One server forgets tokens by their number alone, replicas after an hour too: a batch may be retried for longer.
		'replicated_deduplication_window = $1, replicated_deduplication_window_seconds = 604800',
	);
}

function spread(
	table: string,
	{ cluster, large, isReplaced }: { cluster: string; large: readonly LargeWebsite[]; isReplaced?: boolean },
): string {
	const begin = isReplaced ? 'CREATE OR REPLACE TABLE' : 'CREATE TABLE IF NOT EXISTS';
	const key = byVisitor.some((name) => name === table) ? keyOf(large) : 'cityHash64(website_id)';
	return (
		`${begin} ${table} ON CLUSTER ${quote(cluster)} AS ${table}_local\n` +
		`ENGINE = Distributed(${quote(cluster)}, currentDatabase(), '${table}_local', ${key})`
	);
}

/** A website is on one shard, a large one on all of them; a visitor of a day is on one. */
function keyOf(large: readonly LargeWebsite[]): string {
	if (large.length === 0) return 'cityHash64(website_id, 0)';
	const sorted = large.toSorted((a, b) => a.websiteId - b.websiteId);
	const ids = sorted.map(({ websiteId }) => `toUInt32(${assertWebsiteId(websiteId)})`).join(', ');
	const dates = sorted.map(({ from }) => `toDate('${dateOf(from)}')`).join(', ');
	// The last date there is stands for never.
	const since = `transform(website_id, [${ids}], [${dates}], toDate('2149-06-06'))`;
	return `cityHash64(website_id, if(date >= ${since}, visitor_id, 0))`;
}

function assertWebsiteId(number: number): number {
	if (!Number.isSafeInteger(number) || number < 1) throw new Error(`${number} is not the id of a website.`);
	return number;
}

function dateOf(text: string): string {
	if (!/^\d{4}-\d\d-\d\d$/.test(text)) throw new Error(`${JSON.stringify(text)} is not a date.`);
	return text;
}

/** Names of clusters come from the settings, where they are plain. */
function quote(name: string): string {
	if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name))
		throw new Error(`${JSON.stringify(name)} is no name of a cluster.`);
	return `'${name}'`;
}
