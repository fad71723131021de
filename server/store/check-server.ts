/**
 * Whether a ClickHouse server is one that the product can be run on. Each of these, overlooked, would show itself as an insert that
 * is refused for ever, or as an event that counts twice, and not as what it is.
 */
import { ClickHouseError } from '@clickhouse/client';
import type { Log } from '../lib/log.ts';
import { type ClickHouse, insertSettings } from './clickhouse.ts';
import { clusterSettings } from './cluster-sql.ts';
import { param, sql } from './sql.ts';

/** The oldest version whose documentation has every setting and statement that we send. */
export const oldestVersion = '25.8';

type ServerSetting = { name: string; value: string; readonly: number };

export type ServerFacts = {
	/** Undefined where the user may not even ask for it. */
	version: string | undefined;
	/** As the user of CLICKHOUSE_URL sees them. */
	settings: readonly ServerSetting[];
	/** As CLICKHOUSE_READ_USER sees them, where there is one. */
	reader: readonly ServerSetting[] | undefined;
};

/** What one request of ours may need at most, by the server's own name of the limit. 0 is no limit. */
const needed = { max_query_size: 262_144, http_max_field_value_size: 131_072, http_max_fields: 1_000 };

/** Throws with all that is wrong, each with how to mend it. */
export async function checkClickHouseServer(clickhouse: ClickHouse, log: Log): Promise<void> {
	if (!clickhouse.isServer) return;
	const faults = judgeServer(await readFacts(clickhouse));
	if (faults.length > 0) throw new Error(faults.join('\n'));
	if (!clickhouse.hasReader)
		log.warn(
			{},
			'statistics run with all rights of the user of CLICKHOUSE_URL; set CLICKHOUSE_READ_USER to a user with readonly = 2',
		);
}

export function judgeServer({ version, settings, reader }: ServerFacts): string[] {
	const findValue = (list: readonly ServerSetting[], name: string) =>
		list.find((row) => row.name === name)?.value;
	const faults: string[] = [];
	const add = (isFault: boolean, sentence: string) => isFault && faults.push(sentence);
	add(
		version !== undefined && isOlder(version, oldestVersion),
		`The ClickHouse server is version ${version}; Tidemark needs ${oldestVersion} or later. Upgrade the server.`,
	);
	add(
		findValue(settings, 'readonly') !== '0',
		'The user of CLICKHOUSE_URL is read-only. Set readonly = 0 in its profile, or name another user.',
	);
	const fixed = settings.filter(
		({ name, readonly }) => readonly !== 0 && name !== 'readonly' && !Object.hasOwn(needed, name),
	);
	add(
		fixed.length > 0,
		`The user of CLICKHOUSE_URL may not change ${fixed.map(({ name }) => name).join(', ')}. ` +
			'Remove the constraints from its profile: events are counted once only with the values that Tidemark sends.',
	);
	add(
		findValue(settings, 'deduplicate_insert') === 'disable',
		'deduplicate_insert is disabled for the user of CLICKHOUSE_URL. Remove it from its profile: an insert that is repeated would count twice.',
	);
	for (const [name, least] of Object.entries(needed)) {
		const value = Number(findValue(settings, name) ?? 0);
		add(
			value > 0 && value < least,
			`${name} is ${value} on the ClickHouse server. Set it to ${least} or more in the profiles of its users.`,
		);
	}
	add(
		reader !== undefined && findValue(reader, 'readonly') !== '2',
		`CLICKHOUSE_READ_USER has readonly = ${reader && findValue(reader, 'readonly')}. Set readonly = 2 in its profile: ` +
			'with 0 it may change data, with 1 it may not send the limits of a question.',
	);
	return faults;
}

/** By year and month: `25.8` is older than `25.10`. */
export function isOlder(version: string, than: string): boolean {
	const [year = 0, month = 0] = version.split('.').map(Number);
	const [thanYear = 0, thanMonth = 0] = than.split('.').map(Number);
	return year < thanYear || (year === thanYear && month < thanMonth);
}

async function readFacts(clickhouse: ClickHouse): Promise<ServerFacts> {
	const about = { as: 'migrate', name: 'check server' } as const;
	const names = [
		...Object.keys(insertSettings),
		...(clickhouse.cluster === undefined ? [] : Object.keys(clusterSettings)),
		...['readonly', 'deduplicate_insert', ...Object.keys(needed)],
	];
	const query = sql`SELECT name, value, readonly FROM system.settings WHERE name IN ${param('Array(String)', names)}`;
	const settings = await clickhouse.rows<ServerSetting>(query, about).catch(asReadonly);
	const reader = clickhouse.hasReader
		? await clickhouse.rows<ServerSetting>(query, { ...about, as: 'stats' }).catch(asReadonly)
		: undefined;
	// A user that may send no settings cannot run the other checks.
	if (settings.some(({ name, value }) => name === 'readonly' && value === '1'))
		return { version: undefined, settings, reader };
	const [row] = await clickhouse.rows<{ version: string }>(sql`SELECT version() AS version`, about);
	return { version: row?.version ?? '', settings, reader };
}

/** A user with `readonly = 1` may send no setting, not even the name of a statement. */
function asReadonly(error: unknown): ServerSetting[] {
	if (error instanceof ClickHouseError && error.type === 'READONLY')
		return [{ name: 'readonly', value: '1', readonly: 1 }];
	throw error;
}
