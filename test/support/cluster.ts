import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineArguments } from '../../server/engine/limits.ts';
import { database, type User } from '../../server/engine/rights.ts';
import { createLog } from '../../server/lib/log.ts';
import { type ClickHouse, createClickHouse } from '../../server/store/clickhouse.ts';
import { clusterSettings } from '../../server/store/cluster-sql.ts';

/**
 * Clusters inside one engine: a node counts itself as local, so `one` (a shard) and `two` (two shards) run without a net. The
 * Keeper is the one that ClickHouse's own tests have in memory: replicated tables can be made on it, and never come to life,
 * because the engine of this package starts no replica. Nor does it have the queue by which nodes tell each other of `ON CLUSTER`.
 */
const configuration = (shards: Record<string, number>) => `<clickhouse>
	<zookeeper><implementation>testkeeper</implementation></zookeeper>
	<macros><shard>01</shard><replica>a</replica></macros>
	<tcp_port>9000</tcp_port>
	<remote_servers>${Object.entries(shards)
		.map(([name, count]) => `<${name}>${shard.repeat(count)}</${name}>`)
		.join('')}</remote_servers>
</clickhouse>`;

const shard =
	'<shard><internal_replication>true</internal_replication>' +
	'<replica><host>127.0.0.1</host><port>9000</port></replica></shard>';

export const withoutOnCluster = (statement: string): string => statement.replace(/ ON CLUSTER '[a-z]+'/g, '');

/** The same table without replicas; tokens are remembered, or not. */
export const withoutReplicas = (statement: string, { tokens }: { tokens: number }): string =>
	withoutOnCluster(statement)
		.replace(/ReplicatedMergeTree\([^)]*\)/, 'MergeTree')
		.replace(/ replicated_deduplication_window_seconds = \d+,/, '')
		.replace(/replicated_deduplication_window = \d+/, `non_replicated_deduplication_window = ${tokens}`);

export type NodeSetup = { folder: string; engineArguments: string[]; passwords: Record<User, string> };

export type ClusterUnderTest = {
	/** As the service has it. */
	clickhouse: ClickHouse;
	/** Any statement, past the door. Answers are tab-separated lines. */
	control(statement: string): Promise<string>;
};

/** `filters` say which rows of a table a shard has, of those that both would see. */
export async function clusterFor(
	t: { after(work: () => Promise<void>): void },
	{ filters = {} }: { filters?: Record<string, string> } = {},
): Promise<ClusterUnderTest> {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-cluster-'));
	const configFile = join(folder, 'config.xml');
	writeFileSync(configFile, configuration({ one: 1, two: 2 }));
	const chosen = Object.entries(filters).map(([table, test]) => `'${database}.${table}':'${test}'`);
	const settings = {
		...clusterSettings,
		// There is no net to reach oneself by.
		prefer_localhost_replica: 1,
		...(chosen.length > 0 && { additional_table_filters: `{${chosen.join(',')}}` }),
	};
	const passwords = { ingest: 'i', stats: 's', migrate: 'm', export: 'e' };
	const setup: NodeSetup = {
		...{ folder, passwords },
		engineArguments: [
			...engineArguments(700),
			`--config-file=${configFile}`,
			...Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
		],
	};
	const node = fork(fileURLToPath(new URL('./cluster-process.ts', import.meta.url)));
	const tell = async (message: NodeSetup | string): Promise<string> => {
		node.send(message);
		const [told]: { answer?: string; error?: string }[] = await once(node, 'message');
		if (told?.answer === undefined) throw new Error(told?.error ?? 'The node has no answer.');
		return told.answer;
	};
	await tell(setup);
	const socketPath = join(folder, 'engine.sock');
	const clickhouse = createClickHouse({ socketPath, passwords, database }, { log: createLog('silent') });
	t.after(async () => {
		await clickhouse.close();
		node.kill('SIGKILL');
		await once(node, 'exit');
		rmSync(folder, { recursive: true, force: true });
	});
	return { clickhouse, control: tell };
}
