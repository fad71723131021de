import type { Fault } from './faults.ts';

const forms = ['server/store/cluster-sql.test.ts'];
const exact = ['test/store/cluster.test.ts'];

/** Faults of what a ClickHouse cluster is told. */
export const clusterFaults: readonly Fault[] = [
	{
		name: 'each shard seals what it has by itself',
		file: 'server/store/cluster-sql.ts',
		line: "parallel_distributed_insert_select: '0'",
		instead: "parallel_distributed_insert_select: '2'",
		tests: exact,
	},
	{
		name: 'each shard answers a subquery by itself',
		file: 'server/store/cluster-sql.ts',
		line: "distributed_product_mode: 'global'",
		instead: "distributed_product_mode: 'local'",
		tests: exact,
	},
	{
		name: 'rows are deleted on the node that is asked',
		file: 'server/store/cluster-sql.ts',
		line: 'const local = `${verb} ${table}_local${on}`;',
		instead: 'const local = `${verb} ${table}_local `;',
		tests: forms,
	},
	{
		name: 'tokens are not kept',
		file: 'server/store/cluster-sql.ts',
		line: "'replicated_deduplication_window = $1, replicated_deduplication_window_seconds = 604800'",
		instead: "'replicated_deduplication_window = 0'",
		tests: [...forms, ...exact],
	},
	{
		name: 'a large website is spread from today on',
		file: 'server/jobs/spread-large-websites.ts',
		line: 'const from = addDays(today, 2);',
		instead: 'const from = today;',
		tests: ['test/jobs/spread-large-websites.test.ts'],
	},
];
