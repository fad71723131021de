import { ClickHouseError } from '@clickhouse/client';
import { unreachableCodes } from './connection-errors.ts';

type Refusal = 'time' | 'memory' | 'size' | 'busy' | 'away';

/** ClickHouse error names for exceeded limits. */
const refusals: Readonly<Record<string, Refusal>> = {
	TIMEOUT_EXCEEDED: 'time',
	TOO_SLOW: 'time',
	MEMORY_LIMIT_EXCEEDED: 'memory',
	TOO_MANY_ROWS_OR_BYTES: 'memory',
	TOO_BIG_AST: 'size',
	TOO_DEEP_AST: 'size',
	TOO_DEEP_RECURSION: 'size',
	TOO_MANY_SIMULTANEOUS_QUERIES: 'busy',
};

/** A server accepts form fields of 128 KiB (`http_max_field_value_size`), and long parameters are sent in a form. */
export const maxFieldBytes = 131_072;

export class StatementTooLong extends Error {}

/** The limit that a statement exceeded, or `away` if ClickHouse is unreachable; undefined for all other errors. */
export function refusalOf(error: unknown): Refusal | undefined {
	if (error instanceof ClickHouseError) return error.type === undefined ? undefined : refusals[error.type];
	if (error instanceof StatementTooLong) return 'size';
	const code = error instanceof Error && 'code' in error ? String(error.code) : '';
	return unreachableCodes.has(code) ? 'away' : undefined;
}

/** ClickHouse error names for damaged files of a part. */
const damageErrors: ReadonlySet<string> = new Set([
	'CHECKSUM_DOESNT_MATCH',
	'CORRUPTED_DATA',
	'CANNOT_READ_ALL_DATA',
	'CANNOT_DECOMPRESS',
	'ATTEMPT_TO_READ_AFTER_EOF',
	'NO_FILE_IN_DATA_PART',
	'BAD_SIZE_OF_FILE_IN_DATA_PART',
	'SIZES_OF_MARKS_FILES_ARE_INCONSISTENT',
]);

/** A part of a table, by the uuid of the table and the name of the part. */
export type UnreadablePart = { uuid: string; part: string };

export function unreadablePartOf(error: unknown): UnreadablePart | undefined {
	if (!(error instanceof ClickHouseError) || !damageErrors.has(error.type ?? '')) return undefined;
	const [, uuid, part] = /\/store\/[0-9a-f]{3}\/([0-9a-f-]{36})\/(\w+)\//.exec(error.message) ?? [];
	return uuid === undefined || part === undefined ? undefined : { uuid, part };
}
