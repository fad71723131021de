/**
 * Whether a cluster is what its statements count on. Each of these, overlooked, would lose acknowledged events, count some
 * twice or show too few, and none would say so.
 */
import { ClickHouseError } from '@clickhouse/client';
import type { Log } from '../lib/log.ts';
import { isOlder, oldestVersion } from './check-server.ts';
import type { ClickHouse } from './clickhouse.ts';
import { whoAnswers } from './cluster-sql.ts';
import { identifier, param, sql } from './sql.ts';

type ClusterNode = {
	host: string;
	version: string;
	/** Macros of its own; '' where it has none. */
	shard: string;
	replica: string;
	hasKeeper: boolean;
};

export type ClusterFacts = {
	name: string;
	/** All clusters that the node knows. */
	known: readonly string[];
	/** By shard, in order. */
	shards: readonly { replicas: number; isInternallyReplicated: boolean }[];
	nodes: readonly ClusterNode[];
	/** Hosts that answered at the one address. */
	behindAddress: readonly string[];
};

/** Throws with all errors and how to fix them. A node that is down or has another version is logged. */
export async function checkCluster(clickhouse: ClickHouse, log: Log): Promise<{ isWhole: boolean }> {
	if (clickhouse.cluster === undefined) return { isWhole: true };
	const facts = await readFacts(clickhouse, clickhouse.cluster);
	const faults = judgeCluster(facts);
	if (faults.length > 0) throw new Error(faults.join('\n'));
	const { name, nodes } = facts;
	const expected = expectedOf(facts);
	if (nodes.length < expected)
		log.warn(
			{ cluster: name, answering: nodes.map(({ host }) => host), nodes: expected },
			'some nodes of the ClickHouse cluster do not answer',
		);
	const versions = versionsOf(facts);
	if (versions.length > 1)
		log.warn({ cluster: name, versions }, 'the nodes of the ClickHouse cluster run different versions');
	const fewest = Math.min(...facts.shards.map(({ replicas }) => replicas));
	if (fewest < 3)
		log.warn(
			{ cluster: facts.name, replicas: fewest },
			'a shard has fewer than three replicas: events wait in the log while one is away',
		);
	return { isWhole: nodes.length === expected };
}

const expectedOf = ({ shards }: ClusterFacts): number =>
	shards.reduce((sum, { replicas }) => sum + replicas, 0);

const versionsOf = ({ nodes }: ClusterFacts): string[] => [...new Set(nodes.map(({ version }) => version))];

export function judgeCluster(facts: ClusterFacts): string[] {
	const { name, known, shards, nodes, behindAddress } = facts;
	if (shards.length === 0)
		return [
			`CLICKHOUSE_CLUSTER is ${name}, and the ClickHouse at CLICKHOUSE_URL knows no cluster of this name ` +
				`(${known.join(', ') || 'none at all'}). Name one of remote_servers, or add it there on every node.`,
		];
	const hostsOf = (isMeant: (node: ClusterNode) => boolean) =>
		nodes
			.filter(isMeant)
			.map(({ host }) => host)
			.join(', ');
	const faults: string[] = [];
	const add = (isFault: boolean, sentence: string) => isFault && faults.push(sentence);

	const twice = shards.flatMap((shard, index) => (shard.isInternallyReplicated ? [] : [index + 1]));
	add(
		twice.length > 0,
		`Shard ${twice.join(', ')} of ${name} has no internal_replication: each event would be written by every replica. ` +
			'Set <internal_replication>true</internal_replication> for each shard in remote_servers.',
	);
	const expected = expectedOf(facts);
	add(
		nodes.length > expected,
		`${nodes.length} nodes answered for the ${expected} of ${name}. Every node must be listed once in remote_servers.`,
	);
	const keeperless = hostsOf(({ hasKeeper }) => !hasKeeper);
	add(
		keeperless !== '',
		`No Keeper is connected to ${keeperless}. Name it below <zookeeper> in the configuration of every node.`,
	);
	const unnamed = hostsOf(({ shard, replica }) => shard === '' || replica === '');
	add(
		unnamed !== '',
		`The macros shard and replica are not set on ${unnamed}. ` +
			'Set both below <macros> on every node: the same shard for replicas of one another, each replica once.',
	);
	const places = nodes.map(({ shard, replica }) => `${shard}/${replica}`);
	const doubled = hostsOf(
		({ shard, replica }) => places.filter((place) => place === `${shard}/${replica}`).length > 1,
	);
	add(
		unnamed === '' && doubled !== '',
		`Nodes have the same macros shard and replica: ${doubled}. Give each a replica of its own.`,
	);
	const named = new Set(nodes.map(({ shard }) => shard)).size;
	// If all nodes of a shard are down, its name is unknown; its events wait in the log.
	const isOther = nodes.length === expected ? named !== shards.length : named > shards.length;
	add(
		unnamed === '' && isOther,
		`The nodes name ${named} shards by their macros, and remote_servers has ${shards.length}. ` +
			'The macro shard must be the same on replicas of one another and on no other node.',
	);
	const old = hostsOf(({ version }) => isOlder(version, oldestVersion));
	add(
		old !== '',
		`${old} of ${name} runs a ClickHouse that is older than ${oldestVersion}, the oldest that Tidemark supports. Upgrade it.`,
	);
	add(
		behindAddress.length > 1,
		`CLICKHOUSE_URL leads to several nodes (${behindAddress.join(', ')}): what is found on one is asked of another. ` +
			'Name one node, and give other services other nodes.',
	);
	return faults;
}

/** As many as show a balancer that takes turns. */
const timesAsked = 8;

async function readFacts(clickhouse: ClickHouse, name: string): Promise<ClusterFacts> {
	const statements = clusterQuestions(name);
	const ask = <Row>(what: keyof typeof statements) =>
		clickhouse.rows<Row>(statements[what], { as: 'migrate', name: 'check cluster', settings: whoAnswers });
	const shards = await ask<{ replicas: string; isInternal: number }>('shards');
	const known = (await ask<{ cluster: string }>('known')).map(({ cluster }) => cluster);
	const answered = await Promise.all(
		Array.from({ length: timesAsked }, () => ask<{ host: string }>('oneself')),
	);
	const behindAddress = [...new Set(answered.flat().map(({ host }) => host))].sort();
	const about = { name, known, behindAddress };
	if (shards.length === 0) return { ...about, shards: [], nodes: [] };
	const versions = await ask<{ host: string; version: string }>('versions');
	const macros = await ask<{ host: string; shard: string; replica: string }>('macros');
	const connected = await ask<{ host: string }>('keepers').catch(noneWithoutTable);
	const keepers = new Set(connected.map(({ host }) => host));
	return {
		...about,
		shards: shards.map(({ replicas, isInternal }) => ({
			replicas: Number(replicas),
			isInternallyReplicated: isInternal === 1,
		})),
		nodes: versions.map(({ host, version }) => {
			const { shard = '', replica = '' } = macros.find((row) => row.host === host) ?? {};
			return { host, version, shard, replica, hasKeeper: keepers.has(host) };
		}),
	};
}

/** A node that was told of no Keeper does not even have the table. */
function noneWithoutTable(error: unknown): [] {
	if (error instanceof ClickHouseError && error.type === 'UNKNOWN_TABLE') return [];
	throw error;
}

/** What is asked of system tables, here and on every node. */
export function clusterQuestions(name: string) {
	const cluster = param('String', name);
	const everyNode = (table: string) => sql`clusterAllReplicas(${cluster}, system.${identifier(table)})`;
	return {
		known: sql`SELECT DISTINCT cluster FROM system.clusters ORDER BY cluster`,
		shards: sql`
			SELECT shard_num, count() AS replicas, min(internal_replication) AS "isInternal"
			FROM system.clusters WHERE cluster = ${cluster} GROUP BY shard_num ORDER BY shard_num`,
		oneself: sql`SELECT hostName() AS host`,
		versions: sql`SELECT hostName() AS host, version() AS version FROM ${everyNode('one')} ORDER BY host`,
		macros: sql`
			SELECT hostName() AS host, anyIf(substitution, macro = 'shard') AS shard,
				anyIf(substitution, macro = 'replica') AS replica
			FROM ${everyNode('macros')} GROUP BY host`,
		keepers: sql`SELECT DISTINCT hostName() AS host FROM ${everyNode('zookeeper_connection')}`,
	};
}
