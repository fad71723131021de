import { Exception } from './exception.ts';
import { isPunctuation, isWord, nameOf, type Token } from './lexer.ts';
import type { Statement } from './statements.ts';

// chDB has no users, so the endpoint checks permissions. It lets the engine parse the statement (EXPLAIN AST runs nothing)
// and compares every node with allowlists of statements, tables, functions and table engines. Reads also run with
// readonly=1, so that the engine itself rejects most of the same statements again.

export type User = 'ingest' | 'stats' | 'export' | 'migrate';

/** Not chDB's `default`, whose database engine exposes files of the working directory as tables. */
export const database = 'tidemark';

/** Users that may run a statement, by the root node of its syntax tree. */
const kinds: Record<string, readonly User[]> = {
	SelectWithUnionQuery: ['ingest', 'stats', 'export', 'migrate'],
	InsertQuery: ['ingest', 'migrate'],
	CreateQuery: ['migrate'],
	AlterQuery: ['migrate'],
	DropQuery: ['migrate'],
	TruncateQuery: ['migrate'],
	Rename: ['migrate'],
	OptimizeQuery: ['migrate'],
	CheckQuery: ['migrate'],
	DescribeQuery: ['migrate'],
	ExistsTableQuery: ['migrate'],
	ShowTables: ['migrate'],
	ShowCreateTableQuery: ['migrate'],
};

/** Keywords of statements that change something. */
export const changes: ReadonlySet<string> = new Set(
	'INSERT CREATE ALTER DROP TRUNCATE RENAME EXCHANGE OPTIMIZE'.split(' '),
);

/** Allowed first keywords. EXPLAIN AST would read settings in front of a statement, so nothing else may follow it. */
const verbs = new Set([...changes, ...'SELECT WITH CHECK DESCRIBE DESC EXISTS SHOW'.split(' ')]);

/** Table functions that only generate rows. All others access files, servers, tables or programs. */
const harmlessTableFunctions = new Set([
	'numbers',
	'numbers_mt',
	'zeros',
	'zeros_mt',
	'values',
	'sqlstandardvalues',
	'generateseries',
	'generate_series',
	'null',
	'format',
]);

/** Functions that access files, servers, models or the machine. `catalogQuery` excludes whole categories. */
const refusedFunctions = new Set(
	'file catboostevaluate evalmlmethod fuzzquery joinget joingetornull getserversetting getmacro getmergetreesetting getoskernelversion serveruuid hostname fullhostname fqdn tcpport getserverport zookeepersessionuptime showcertificate logtrace filesystemavailable filesystemcapacity filesystemunreserved'.split(
		' ',
	),
);

const readableSystemTables = new Set([
	'one',
	'numbers',
	'tables',
	'columns',
	'parts',
	'detached_parts',
	'mutations',
]);

const tableEngines =
	/^(?:(?:Replacing|Summing|Aggregating|Collapsing|VersionedCollapsing)?MergeTree|Memory|Null)$/;

/** Table settings that migrations may use. Others, such as `disk`, could access other places. */
const tableSettings = new Set(
	'index_granularity non_replicated_deduplication_window fsync_after_insert fsync_part_directory min_rows_to_fsync_after_merge min_bytes_for_wide_part min_rows_for_wide_part ttl_only_drop_parts merge_with_ttl_timeout max_bytes_to_merge_at_max_space_in_pool parts_to_delay_insert parts_to_throw_insert old_parts_lifetime min_compress_block_size max_compress_block_size'.split(
		' ',
	),
);

export type Catalog = {
	functions: ReadonlySet<string>;
	tableFunctions: ReadonlySet<string>;
	combinators: readonly string[];
};

/** The functions of this engine version. */
export const catalogQuery = `
	SELECT 'function', lower(f.name) FROM system.functions AS f
	WHERE if(f.alias_to = '', f.name, f.alias_to) NOT IN (
		SELECT name FROM system.functions WHERE match(categories, 'Dictionary|AI|Introspection')
	)
	UNION ALL SELECT 'table function', lower(name) FROM system.table_functions
	UNION ALL SELECT 'combinator', lower(name) FROM system.aggregate_function_combinators`;

export function readCatalog(rows: readonly { kind: string; name: string }[]): Catalog {
	const named = (kind: string) => rows.filter((row) => row.kind === kind).map((row) => row.name);
	return {
		// Harmless parts of the grammar that the engine does not list.
		functions: new Set([...named('function'), 'lambda', 'grouping']),
		tableFunctions: new Set(named('table function')),
		combinators: named('combinator'),
	};
}

export function refuseVerb(user: User, statement: Statement): void {
	if (!verbs.has(statement.verb)) refuse(user, `run ${statement.verb} statements`);
}

/** Throws unless the user may run the statement with this syntax tree. */
export function authorize(user: User, statement: Statement, tree: readonly string[], catalog: Catalog): void {
	const kind = /^\w+/.exec(tree[0] ?? '')?.[0] ?? '';
	if (!kinds[kind]?.includes(user)) refuse(user, `run ${kind || 'unknown'} statements`);
	if (user === 'migrate') refuseForeignShapes(user, statement);
	refuseSettings(user, statement, tree);
	tree.forEach((line, index) => {
		const node = readNode(user, line);
		if (node.kind === 'TableIdentifier') refuseTable(user, node.name);
		if (node.kind === 'Identifier' && /^(system|information_schema|default)\./i.test(node.name))
			refuse(user, `read ${node.name}`);
		if (node.kind === 'FunctionWithKeyValueArguments') refuse(user, 'use dictionaries');
		if (node.kind !== 'Function') return;
		if (tree[index - 1]?.trimStart().startsWith('Storage definition')) {
			if (!tableEngines.test(node.name)) refuse(user, `use the table engine ${node.name}`);
		} else {
			refuseFunction(user, node.name, catalog);
		}
	});
}

type Node = { kind: string; name: string };

/** Tables and functions are checked by name, so their names must be plain: others could imitate the rest of the line. */
function readNode(user: User, line: string): Node {
	const kind = /^ *(\w*)/.exec(line)?.[1] ?? '';
	if (kind !== 'TableIdentifier' && kind !== 'Function')
		return { kind, name: line.trimStart().slice(kind.length + 1) };
	const name = /^ *\w+ ([\w.]+)(?: \(alias [^()]*\))?(?: \(children \d+\))?$/.exec(line)?.[1];
	if (name === undefined) return refuse(user, `use the name ${JSON.stringify(line.trim())}`);
	return { kind, name };
}

function refuseTable(user: User, name: string): void {
	const [first = '', second, ...rest] = name.split('.');
	const isOurs = second === undefined || (first === database && rest.length === 0);
	if (!isOurs && !(first === 'system' && rest.length === 0 && readableSystemTables.has(second)))
		refuse(user, `read ${name}`);
}

function refuseFunction(
	user: User,
	written: string,
	{ functions, tableFunctions, combinators }: Catalog,
): void {
	const name = written.toLowerCase();
	if (harmlessTableFunctions.has(name)) return;
	if (tableFunctions.has(name) || refusedFunctions.has(name)) refuse(user, `use the function ${written}`);
	// Table definitions use codecs and index types as functions, which access nothing.
	if (user === 'migrate' && !/^(dict|ai)/.test(name)) return;
	if (!isKnown(name, functions, combinators)) refuse(user, `use the function ${written}`);
}

/** Aggregate functions with any number of combinators, such as countIf or uniqExactMergeState. */
function isKnown(name: string, functions: ReadonlySet<string>, combinators: readonly string[]): boolean {
	if (functions.has(name)) return true;
	return combinators.some(
		(suffix) =>
			name.endsWith(suffix) &&
			name.length > suffix.length &&
			isKnown(name.slice(0, -suffix.length), functions, combinators),
	);
}

/** SETTINGS of a subquery would override those of the statement, so reads may not contain any. */
function refuseSettings(user: User, { tokens }: Statement, tree: readonly string[]): void {
	const nodes = tree.filter((line) => /^ *Set\b/.test(line)).length;
	const clauses = tokens.flatMap((token, index) =>
		isWord(token, 'SETTINGS', 'SETTING') ? [readSettingNames(tokens, index + 1)] : [],
	);
	if (nodes === 0) return;
	if (user !== 'migrate' || clauses.length !== nodes) refuse(user, 'write settings into a statement');
	for (const name of clauses.flat()) if (!tableSettings.has(name)) refuse(user, `use the setting ${name}`);
}

function readSettingNames(tokens: readonly Token[], start: number): string[] {
	const names: string[] = [];
	for (let index = start; isPunctuation(tokens[index + 1], '='); index += 4) {
		names.push(nameOf(tokens[index]) ?? '');
		const isPlain = tokens[index + 2]?.kind === 'number' || tokens[index + 2]?.kind === 'string';
		if (!isPlain || isPunctuation(tokens[index + 3], '(')) names.push('with an expression');
		if (!isPunctuation(tokens[index + 3], ',')) break;
	}
	return names.length === 0 ? ['without a name'] : names;
}

/** Checks keywords, because the syntax tree does not distinguish tables from databases or kinds of ALTER. */
function refuseForeignShapes(user: User, { verb, tokens }: Statement): void {
	const words = tokens.filter((token) => token.kind === 'word').map((token) => token.text.toUpperCase());
	const object = words
		.slice(1)
		.find((word) => !['OR', 'REPLACE', 'IF', 'NOT', 'EXISTS', 'MATERIALIZED'].includes(word));
	if (
		['CREATE', 'DROP', 'TRUNCATE', 'RENAME', 'ALTER'].includes(verb) &&
		object !== 'TABLE' &&
		object !== 'VIEW'
	)
		refuse(user, `${verb} ${object ?? ''}`);
	const forbidden = [
		'FETCH',
		'FREEZE',
		'UNFREEZE',
		'ATTACH',
		'DISK',
		'VOLUME',
		'EXPORT',
		'CLUSTER',
		'SECURITY',
		'REFRESH',
	].find((word) => words.includes(word));
	if (forbidden && verb !== 'SELECT' && verb !== 'WITH') refuse(user, `use ${forbidden}`);
}

export function refuse(user: User, what: string): never {
	throw new Exception('ACCESS_DENIED', `${user}: Not enough privileges to ${what}.`);
}
