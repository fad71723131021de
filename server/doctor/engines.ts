import { totalmem } from 'node:os';
import type { Config } from '../config.ts';
import { describeDamage, findDamage } from '../derive/damage.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { checkServer, type Postgres } from '../store/postgres.ts';
import { sql } from '../store/sql.ts';
import { bytesInWords, type CheckResult, notice, ok, problem, reasonOf } from './finding.ts';

type EngineServices = {
	config: Config;
	postgres: Postgres;
	clickhouse?: ClickHouse | undefined;
	version: string;
	pending?: (() => Promise<number>) | undefined;
};

export async function examineEngines({
	config,
	postgres,
	clickhouse,
}: EngineServices): Promise<CheckResult[]> {
	return [
		await checkResponds(
			config.databaseUrl === undefined ? 'The embedded PostgreSQL' : 'The PostgreSQL server',
			() => checkServer(postgres),
			'See postgres.log in the data folder, or check the server in DATABASE_URL.',
		),
		...(clickhouse ? await examineClickHouse(config, clickhouse) : []),
	];
}

const examineClickHouse = async (config: Config, clickhouse: ClickHouse): Promise<CheckResult[]> => [
	await checkResponds(
		config.clickhouseUrl === undefined ? 'The embedded ClickHouse engine' : 'The ClickHouse server',
		async () => {
			if (!(await clickhouse.ping())) throw new Error('no response');
		},
		'An embedded engine restarts by itself; the log has the cause. Check the server in CLICKHOUSE_URL otherwise. Events are kept on disk until then.',
	),
	...(config.clickhouseUrl === undefined ? [examineMemory(config.engineMemoryMb)] : []),
];

async function checkResponds(name: string, ping: () => Promise<void>, advice: string): Promise<CheckResult> {
	try {
		await ping();
		return ok(`${name} responds.`);
	} catch (error) {
		return problem(`${name} cannot be used: ${reasonOf(error)}`, advice);
	}
}

export function examineMemory(engineMemoryMb: number, memory = availableMemory()): CheckResult {
	const limit = engineMemoryMb * 1024 * 1024;
	const what = `The engine may use ${bytesInWords(limit)} of ${bytesInWords(memory)} of memory.`;
	// PostgreSQL, the service and the page cache need the rest.
	return limit > memory * 0.6
		? notice(what, 'Lower TIDEMARK_ENGINE_MEMORY_MB to half of the memory, or add memory.')
		: ok(what);
}

/** Respects the memory limit of a container. */
function availableMemory(): number {
	const constrained = process.constrainedMemory();
	return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

export async function examineVersions(services: EngineServices): Promise<CheckResult[]> {
	const { postgres, clickhouse, version } = services;
	const [database] = await postgres.rows<{ version: string; schema: number }>(
		sql`SELECT current_setting('server_version') AS version, (SELECT max(number) FROM migrations) AS schema`,
	);
	const [engine] =
		(await clickhouse?.rows<{ version: string; schema: number }>(
			sql`SELECT version() AS version, (SELECT max(number) FROM migrations) AS schema`,
			{ name: 'doctor' },
		)) ?? [];
	const what =
		`Tidemark ${version}, Node ${process.versions.node}, PostgreSQL ${database?.version} (schema ${database?.schema})` +
		`${engine ? `, ClickHouse ${engine.version} (schema ${engine.schema})` : ''}.`;
	const pending = (await services.pending?.()) ?? 0;
	if (pending > 0)
		return [
			notice(
				`${what} ${pending} ${pending === 1 ? 'migration is' : 'migrations are'} pending.`,
				'Run `tidemark upgrade` or start the service, which migrates too.',
			),
		];
	return [
		Number(process.versions.node.split('.')[0]) < 24
			? problem(what, 'Start Tidemark with Node 24, which is part of its package.')
			: ok(what),
	];
}

/** Damaged ClickHouse parts and dead letters. */
export async function examineLeftovers({
	postgres,
	clickhouse,
}: Pick<EngineServices, 'postgres' | 'clickhouse'>): Promise<CheckResult[]> {
	const found: CheckResult[] = [];
	const damaged = clickhouse ? await findDamage({ postgres, clickhouse }) : [];
	if (damaged.length > 0)
		found.push(
			problem(
				describeDamage(damaged),
				'Do not rebuild. Check the disk, stop Tidemark and restore the missing data from the newest backup that contains it: tidemark repair FILE. The totals are kept until then.',
			),
		);
	const [dead] = await postgres.rows<{ count: number }>(sql`SELECT count(*) AS count FROM dead_letters`);
	if (dead && dead.count > 0)
		found.push(
			notice(
				`${dead.count} ${dead.count === 1 ? 'event' : 'events'} could not be written and ${dead.count === 1 ? 'is' : 'are'} in the dead letters.`,
				'`tidemark dead-letters list` shows the errors. Report them as a bug, and after the upgrade that fixes it run: tidemark dead-letters retry --all',
			),
		);
	return found.length > 0 ? found : [ok('No ClickHouse part is damaged, and there are no dead letters.')];
}
