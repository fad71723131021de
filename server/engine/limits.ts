import { availableParallelism } from 'node:os';
import { quote } from './escape.ts';
import { Exception } from './exception.ts';
import type { User } from './rights.ts';

export type Limits = {
	/** Connections, each with a thread of its own and one statement at a time. Separate, so that slow reads never hold up an insert. */
	lanes: number;
	/** Statements that may wait for a connection; one more is refused. */
	waiting: number;
	waitMs: number;
	maxSeconds: number;
	/** Of the engine's memory, the part that one statement may take. */
	memoryShare: number;
};

export const limits: Record<User, Limits> = {
	ingest: { lanes: 2, waiting: 64, waitMs: 30_000, maxSeconds: 300, memoryShare: 0.6 },
	stats: { lanes: 4, waiting: 64, waitMs: 20_000, maxSeconds: 60, memoryShare: 0.5 },
	// Apart from the questions: whoever reads a long answer slowly keeps its connection for as long.
	export: { lanes: 2, waiting: 2, waitMs: 20_000, maxSeconds: 3_600, memoryShare: 0.3 },
	migrate: { lanes: 1, waiting: 16, waitMs: 600_000, maxSeconds: 3_600, memoryShare: 0.8 },
};

/** Arguments of the engine's start. Its defaults would allow 0.9 of the machine's memory and 5 GiB for each cache. */
export function engineArguments(memoryMb: number): string[] {
	const mib = 1024 * 1024;
	const cache = (share: number, mostMb: number) => Math.floor(Math.min(mostMb, memoryMb * share)) * mib;
	return [
		`--max_server_memory_usage=${memoryMb * mib}`,
		`--mark_cache_size=${cache(0.25, 256)}`,
		`--primary_index_cache_size=${cache(0.125, 128)}`,
		`--index_mark_cache_size=${cache(0.03, 32)}`,
		`--query_condition_cache_size=${cache(0.03, 32)}`,
		'--uncompressed_cache_size=0',
		// Parameters are part of the text by the time the engine reads it, and the text is bounded by the door.
		`--max_query_size=${64 * mib}`,
	];
}

/** Settings of the HTTP interface that mean nothing here: the door has its own way with them. */
const httpSettings = new Set([
	'enable_http_compression',
	'wait_end_of_query',
	'send_progress_in_http_headers',
	'http_headers_progress_interval_ms',
	'cancel_http_readonly_queries_on_client_close',
	'log_queries',
]);

/** What anybody may set for a statement of theirs. Numbers with a bound can only be lowered; 0 would mean 'no bound'. */
const settings: Record<string, (user: User, memoryMb: number) => number | undefined> = {
	max_execution_time: (user) => limits[user].maxSeconds,
	max_memory_usage: (user, memoryMb) => memoryBound(user, memoryMb),
	max_threads: () => Math.max(2, availableParallelism()),
	...Object.fromEntries(
		[
			'max_result_rows max_result_bytes result_overflow_mode max_rows_to_read max_bytes_to_read read_overflow_mode max_rows_to_group_by group_by_overflow_mode timeout_overflow_mode max_block_size',
			'session_timezone join_use_nulls aggregate_functions_null_for_empty transform_null_in union_default_mode optimize_read_in_order use_query_condition_cache',
			'date_time_output_format date_time_input_format output_format_json_quote_64bit_integers output_format_json_quote_decimals output_format_json_quote_denormals output_format_json_named_tuples_as_objects output_format_decimal_trailing_zeros',
			'output_format_csv_crlf_end_of_line output_format_json_escape_forward_slashes output_format_parquet_row_group_size output_format_parquet_row_group_size_bytes',
			'input_format_parallel_parsing input_format_skip_unknown_fields input_format_null_as_default input_format_defaults_for_omitted_fields input_format_import_nested_json input_format_allow_errors_num',
			'insert_deduplicate insert_deduplication_token max_insert_block_size min_insert_block_size_rows min_insert_block_size_bytes max_partitions_per_insert_block insert_quorum distributed_foreground_insert',
			'mutations_sync alter_sync optimize_throw_if_noop',
		]
			.join(' ')
			.split(' ')
			.map((name) => [name, () => undefined]),
	),
};

function memoryBound(user: User, memoryMb: number): number {
	return Math.floor(limits[user].memoryShare * memoryMb) * 1024 * 1024;
}

type StatementSettings = { memoryMb: number; comment: string; isRead: boolean };

/** The settings of one statement: what was asked for, within the bounds, and the bounds where nothing was. */
export function boundSettings(
	user: User,
	asked: ReadonlyMap<string, string>,
	{ memoryMb, comment, isRead }: StatementSettings,
): Map<string, string> {
	const bounded = new Map<string, string>([
		['max_execution_time', String(limits[user].maxSeconds)],
		['max_memory_usage', String(memoryBound(user, memoryMb))],
	]);
	for (const [name, value] of asked) {
		if (name === 'log_comment' || httpSettings.has(name)) continue;
		bounded.set(name, checkSetting(user, name, value, memoryMb));
	}
	bounded.set('log_comment', comment);
	// The last one: after it the engine takes no further setting.
	if (isRead) bounded.set('readonly', '1');
	return bounded;
}

/** A clause of the statement and not a SET before it, because a SET stays on the connection and would reach the next statement. */
export function settingsClause(bounded: ReadonlyMap<string, string>): string {
	return `SETTINGS ${[...bounded].map(([name, value]) => `${name} = ${quote(value)}`).join(', ')}`;
}

function checkSetting(user: User, name: string, value: string, memoryMb: number): string {
	const bound = Object.hasOwn(settings, name) ? settings[name] : undefined;
	if (bound === undefined)
		throw new Exception('SETTING_CONSTRAINT_VIOLATION', `Setting ${name} should not be changed by ${user}.`);
	const most = bound(user, memoryMb);
	if (most !== undefined && !(Number(value) > 0 && Number(value) <= most)) {
		throw new Exception(
			'SETTING_CONSTRAINT_VIOLATION',
			`Setting ${name} should be between 1 and ${most} for ${user}, not ${value}.`,
		);
	}
	return value;
}
