import { readdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { checkServer, type Postgres } from '../store/postgres.ts';
import { sql } from '../store/sql.ts';
import { bytesInWords, type Look, notice, ok, problem, reasonOf } from './finding.ts';

type EngineServices = { config: Config; postgres: Postgres; clickhouse: ClickHouse; version: string };

export async function examineEngines({ config, postgres, clickhouse }: EngineServices): Promise<Look[]> {
	return [
		await answers(
			config.databaseUrl === undefined ? 'The embedded PostgreSQL' : 'The PostgreSQL server',
			() => checkServer(postgres),
			'Look into postgres.log in the data folder, or at the server that DATABASE_URL names.',
		),
		await answers(
			config.clickhouseUrl === undefined ? 'The embedded ClickHouse engine' : 'The ClickHouse server',
			async () => {
				if (!(await clickhouse.ping())) throw new Error('it does not answer');
			},
			'It is started again by itself where it is embedded; the log says why it ended. Events wait on disk until then.',
		),
		...(config.clickhouseUrl === undefined ? [examineMemory(config.engineMemoryMb)] : []),
	];
}

async function answers(name: string, ask: () => Promise<void>, advice: string): Promise<Look> {
	try {
		await ask();
		return ok(`${name} answers.`);
	} catch (error) {
		return problem(`${name} cannot be used: ${reasonOf(error)}`, advice);
	}
}

export function examineMemory(engineMemoryMb: number, memory = memoryOfMachine()): Look {
	const bound = engineMemoryMb * 1024 * 1024;
	const what = `The engine may use ${bytesInWords(bound)} of the ${bytesInWords(memory)} of memory that there are.`;
	// PostgreSQL, the service and the system's cache of files need the rest.
	return bound > memory * 0.6
		? notice(what, 'Lower TIDEMARK_ENGINE_MEMORY_MB to half of the memory, or add some.')
		: ok(what);
}

/** Of a container, what it is given. */
function memoryOfMachine(): number {
	const given = process.constrainedMemory();
	return given > 0 ? Math.min(given, totalmem()) : totalmem();
}

export async function examineVersions({ postgres, clickhouse, version }: EngineServices): Promise<Look[]> {
	const [database] = await postgres.rows<{ version: string; schema: number }>(
		sql`SELECT current_setting('server_version') AS version, (SELECT max(number) FROM migrations) AS schema`,
	);
	const [engine] = await clickhouse.rows<{ version: string; schema: number }>(
		sql`SELECT version() AS version, (SELECT max(number) FROM migrations) AS schema`,
		{ name: 'doctor' },
	);
	const what =
		`Tidemark ${version}, Node ${process.versions.node}, PostgreSQL ${database?.version} (schema ${database?.schema}), ` +
		`ClickHouse ${engine?.version} (schema ${engine?.schema}).`;
	return [
		Number(process.versions.node.split('.')[0]) < 24
			? problem(what, 'Start Tidemark with Node 24, which comes with its package.')
			: ok(what),
	];
}

/** What an engine put aside because it was broken or of no use, and what could not be written: nobody reads it again. */
export async function examineLeftovers({ config, postgres, clickhouse }: EngineServices): Promise<Look[]> {
	const found: Look[] = [];
	const parts =
		config.clickhouseUrl === undefined
			? detachedIn(join(config.dataFolder, 'clickhouse'))
			: (
					await clickhouse.rows<{ name: string }>(
						sql`SELECT name FROM system.detached_parts WHERE database = currentDatabase()`,
						{ name: 'doctor' },
					)
				).map(({ name }) => name);
	if (parts.length > 0)
		found.push(
			notice(
				`ClickHouse has put ${parts.length} ${parts.length === 1 ? 'part' : 'parts'} of tables aside, such as ${parts[0]}.`,
				'They are not counted, and deletions do not reach them: run `tidemark check`, and delete the detached folders once it finds no difference.',
			),
		);
	const [dead] = await postgres.rows<{ count: number }>(sql`SELECT count(*) AS count FROM dead_letters`);
	if (dead && dead.count > 0)
		found.push(
			notice(
				`${dead.count} ${dead.count === 1 ? 'event' : 'events'} could not be written and ${dead.count === 1 ? 'was' : 'were'} put aside.`,
				'Run: tidemark dead-letters list; it shows the reasons. Report them as a fault of Tidemark, and write them again with an upgrade that mends it: tidemark dead-letters retry --all.',
			),
		);
	return found.length > 0 ? found : [ok('No part of a table and no event was put aside.')];
}

/** Names below every `detached` of the tables in an engine's folder. */
function detachedIn(folder: string): string[] {
	return namesIn(join(folder, 'store')).flatMap((first) =>
		namesIn(join(folder, 'store', first)).flatMap((table) =>
			namesIn(join(folder, 'store', first, table, 'detached')),
		),
	);
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
