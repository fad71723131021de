import { availableParallelism } from 'node:os';
import { quote } from './escape.ts';
import { Exception } from './exception.ts';
import type { User } from './rights.ts';

export type Limits = {
	/** Engine workers, each with its own thread and one statement at a time. Separate per user, so that reads never block inserts. */
	workers: number;
	/** Statements that may wait for a worker; further ones are rejected. */
	waiting: number;
	waitMs: number;
	maxSeconds: number;
	/** Share of the engine's memory that one statement may use. */
	memoryShare: number;
};

export const limits: Record<User, Limits> = {
	ingest: { workers: 2, waiting: 64, waitMs: 30_000, maxSeconds: 300, memoryShare: 0.6 },
	stats: { workers: 4, waiting: 64, waitMs: 20_000, maxSeconds: 60, memoryShare: 0.5 },
	// Separate from stats, because a slow download occupies its worker for a long time.
	export: { workers: 2, waiting: 2, waitMs: 20_000, maxSeconds: 3_600, memoryShare: 0.3 },
	migrate: { workers: 1, waiting: 16, waitMs: 600_000, maxSeconds: 3_600, memoryShare: 0.8 },
};

/** Startup arguments of the engine. Its defaults would allow 90 % of the machine's memory and 5 GiB per cache. */
export function engineArguments(memoryMb: number): string[] {
	const mib = 1024 * 1024;
	const cache = (share: number, maxMb: number) => Math.floor(Math.min(maxMb, memoryMb * share)) * mib;
	return [
		`--max_server_memory_usage=${memoryMb * mib}`,
		`--mark_cache_size=${cache(0.25, 256)}`,
		`--primary_index_cache_size=${cache(0.125, 128)}`,
		`--index_mark_cache_size=${cache(0.03, 32)}`,
		`--query_condition_cache_size=${cache(0.03, 32)}`,
		'--uncompressed_cache_size=0',
		// Every idle thread keeps a stack and an allocator cache. With the default of 1,000, memory would grow for hours.
		'--max_thread_pool_free_size=16',
		// The text contains the parameter values; the endpoint limits its size.
		`--max_query_size=${64 * mib}`,
	];
}

/** Settings of the HTTP interface that the endpoint ignores. */
const httpSettings = new Set([
	'enable_http_compression',
	'wait_end_of_query',
	'send_progress_in_http_headers',
	'http_headers_progress_interval_ms',
	'cancel_http_readonly_queries_on_client_close',
	'log_queries',
]);

/** Settings that a statement may have. Numbers with a limit can only be lowered, and 0 would mean no limit. */
const settings: Record<string, (user: User, memoryMb: number) => number | undefined> = {
	max_execution_time: (user) => limits[user].maxSeconds,
	max_memory_usage: (user, memoryMb) => memoryBound(user, memoryMb),
	max_threads: () => Math.max(2, availableParallelism()),
	...Object.fromEntries(
		[
			'max_result_rows max_result_bytes result_overflow_mode max_rows_to_read max_bytes_to_read read_overflow_mode max_rows_to_group_by group_by_overflow_mode timeout_overflow_mode max_block_size',
			'session_timezone join_use_nulls aggregate_functions_null_for_empty transform_null_in union_default_mode optimize_read_in_order optimize_aggregation_in_order use_query_condition_cache',
			'date_time_output_format date_time_input_format output_format_json_quote_64bit_integers output_format_json_quote_decimals output_format_json_quote_denormals output_format_json_named_tuples_as_objects output_format_decimal_trailing_zeros',
			'output_format_csv_crlf_end_of_line output_format_json_escape_forward_slashes output_format_parquet_row_group_size output_format_parquet_row_group_size_bytes',
			'input_format_parallel_parsing input_format_skip_unknown_fields input_format_null_as_default input_format_defaults_for_omitted_fields input_format_import_nested_json input_format_allow_errors_num input_format_allow_errors_ratio',
			'wait_for_async_insert insert_deduplicate insert_deduplication_token max_insert_block_size min_insert_block_size_rows min_insert_block_size_bytes max_partitions_per_insert_block insert_quorum distributed_foreground_insert',
			'mutations_sync allow_nondeterministic_mutations alter_sync optimize_throw_if_noop allow_drop_detached',
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

/** The settings of a statement: the requested ones within the limits, and the limits as defaults. */
export function boundSettings(
	user: User,
	requested: ReadonlyMap<string, string>,
	{ memoryMb, comment, isRead }: StatementSettings,
): Map<string, string> {
	const bounded = new Map<string, string>([
		['max_execution_time', String(limits[user].maxSeconds)],
		['max_memory_usage', String(memoryBound(user, memoryMb))],
		// By default a statement gets a thread per GiB of free memory, which is one thread here. Its memory is limited above.
		['max_threads_min_free_memory_per_thread', '0'],
	]);
	for (const [name, value] of requested) {
		if (name === 'log_comment' || httpSettings.has(name)) continue;
		bounded.set(name, checkSetting(user, name, value, memoryMb));
	}
	bounded.set('log_comment', comment);
	if (isRead) moveGroupsToDisk(bounded);
	// Last, because the engine accepts no other setting after it.
	if (isRead) bounded.set('readonly', '1');
	return bounded;
}

/**
 * Groups go to disk when they take three quarters of the statement's memory. By default the engine compares with the memory of all statements,
 * so that a statement with many groups exceeds its own limit first.
 */
function moveGroupsToDisk(bounded: Map<string, string>): void {
	const memory = Number(bounded.get('max_memory_usage'));
	bounded.set('max_bytes_before_external_group_by', String(Math.floor((memory / 4) * 3)));
	bounded.set('max_temporary_data_on_disk_size_for_query', String(4 * memory));
}

/** A SETTINGS clause, because SET would also apply to the next statement on the connection. */
export function settingsClause(bounded: ReadonlyMap<string, string>): string {
	return `SETTINGS ${[...bounded].map(([name, value]) => `${name} = ${quote(value)}`).join(', ')}`;
}

function checkSetting(user: User, name: string, value: string, memoryMb: number): string {
	// Asynchronous inserts would not be deduplicated.
	if (name === 'async_insert' && value === '0') return value;
	const bound = Object.hasOwn(settings, name) ? settings[name] : undefined;
	if (bound === undefined)
		throw new Exception('SETTING_CONSTRAINT_VIOLATION', `Setting ${name} should not be changed by ${user}.`);
	const max = bound(user, memoryMb);
	if (max !== undefined && !(Number(value) > 0 && Number(value) <= max)) {
		throw new Exception(
			'SETTING_CONSTRAINT_VIOLATION',
			`Setting ${name} should be between 1 and ${max} for ${user}, not ${value}.`,
		);
	}
	return value;
}
