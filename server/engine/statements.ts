import { literalOf } from './escape.ts';
import { Exception } from './exception.ts';
import { isPunctuation, isWord, nameOf, type Token, tokenize } from './lexer.ts';

/** A parsed statement, before the permission check. */
export type Statement = {
	/** The first keyword, in upper case. */
	verb: string;
	/** Without its FORMAT clause and without a semicolon at the end. */
	text: string;
	tokens: readonly Token[];
	format: string | undefined;
};

/** `INSERT INTO table (columns) FORMAT format`, with the rows in the body. */
export type InsertOfRows = { table: string; columns: readonly string[] | undefined };

export function readStatement(text: string): Statement {
	const tokens = tokenize(text);
	while (isPunctuation(tokens.at(-1), ';')) tokens.pop();
	if (tokens.some((token) => isPunctuation(token, ';')))
		throw new Exception('SYNTAX_ERROR', 'Multi-statements are not allowed.');
	// Even EXPLAIN AST would execute INTO OUTFILE, so these keywords never reach the engine.
	const file = tokens.find((token) => isWord(token, 'INFILE', 'OUTFILE'));
	if (file) throw new Exception('ACCESS_DENIED', `Not enough privileges: ${file.text} is not allowed.`);

	const format = isWord(tokens.at(-2), 'FORMAT') ? nameOf(tokens.at(-1)) : undefined;
	const kept = format === undefined ? tokens : tokens.slice(0, -2);
	const first = kept.find((token) => !isPunctuation(token, '('));
	const last = kept.at(-1);
	if (first === undefined || last === undefined) throw new Exception('SYNTAX_ERROR', 'Empty query.');
	return { verb: first.text.toUpperCase(), text: text.slice(0, last.end), tokens: kept, format };
}

/** The target of an INSERT with rows in the body; undefined for INSERT … SELECT and INSERT … VALUES. */
export function findInsertOfRows(statement: Statement): InsertOfRows | undefined {
	const { tokens } = statement;
	const { table, after } = readInsertTarget(tokens);
	let index = after;
	let columns: string[] | undefined;
	if (isPunctuation(tokens[index], '(') && !isWord(tokens[index + 1], 'SELECT', 'WITH')) {
		const end = tokens.findIndex((token, other) => other > index && isPunctuation(token, ')'));
		columns = tokens
			.slice(index + 1, end)
			.flatMap((token) => (isPunctuation(token, ',') ? [] : [getName(token)]));
		index = end + 1;
	}
	if (isWord(tokens[index], 'VALUES')) {
		refuseExpressions(tokens.slice(index + 1));
		return undefined;
	}
	if (tokens.slice(index).some((token) => isWord(token, 'SELECT'))) return undefined;
	if (index !== tokens.length || statement.format === undefined)
		throw new Exception(
			'ACCESS_DENIED',
			'An INSERT is followed by FORMAT with the rows in the body, or by a SELECT.',
		);
	return { table, columns };
}

/** The engine evaluates expressions after VALUES without showing them in the syntax tree, so only literals are allowed. */
function refuseExpressions(tokens: readonly Token[]): void {
	const isValue = (token: Token) =>
		['string', 'number', 'placeholder'].includes(token.kind) ||
		(token.kind === 'punctuation' && '(),-.[]'.includes(token.text));
	const other = tokens.find((token) => !isValue(token));
	if (other)
		throw new Exception(
			'ACCESS_DENIED',
			`Not enough privileges: VALUES may contain only literals, not ${other.text}.`,
		);
}

function readInsertTarget(tokens: readonly Token[]): { table: string; after: number } {
	let index = 1;
	if (!isWord(tokens[index], 'INTO')) throw new Exception('SYNTAX_ERROR', 'INTO is expected after INSERT.');
	index += isWord(tokens[index + 1], 'TABLE') ? 2 : 1;
	if (isWord(tokens[index], 'FUNCTION'))
		throw new Exception(
			'ACCESS_DENIED',
			'Not enough privileges: an INSERT goes into a table, not a function.',
		);
	const table = getName(tokens[index]);
	if (isPunctuation(tokens[index + 1], '.'))
		throw new Exception('ACCESS_DENIED', `Not enough privileges: ${table} is another database.`);
	return { table, after: index + 1 };
}

function getName(token: Token | undefined): string {
	const name = nameOf(token);
	if (name === undefined)
		throw new Exception(
			'SYNTAX_ERROR',
			`A plain name is expected instead of ${JSON.stringify(token?.text ?? 'the end')}.`,
		);
	return name;
}

/** The text with some tokens replaced. */
function replaceTokens(
	statement: Statement,
	replace: (token: Token, index: number) => { by: string; tokens: number } | undefined,
): string {
	let text = '';
	let copied = 0;
	statement.tokens.forEach((token, index) => {
		const replacement = replace(token, index);
		if (replacement === undefined) return;
		text += `${statement.text.slice(copied, token.start)}${replacement.by}`;
		copied = statement.tokens[index + replacement.tokens - 1]?.end ?? token.end;
	});
	return text + statement.text.slice(copied);
}

/** The statement with its parameters as literals, and the list of running statements instead of system.processes. */
export function fillStatement(
	statement: Statement,
	parameters: ReadonlyMap<string, string>,
	processes: string,
): string {
	return replaceTokens(statement, (token, index) => {
		if (token.kind === 'placeholder') {
			const value = parameters.get(token.text);
			if (value === undefined)
				throw new Exception('UNKNOWN_QUERY_PARAMETER', `Substitution \`${token.text}\` is not set.`);
			return { by: literalOf(token.type, value), tokens: 1 };
		}
		return namesProcesses(statement.tokens, index) ? { by: processes, tokens: 3 } : undefined;
	});
}

/** The statement without parameter values, for EXPLAIN AST and as the key of the permission cache. */
export function outlineStatement(statement: Statement): string {
	return replaceTokens(statement, (token, index) => {
		if (token.kind === 'placeholder' && token.type.includes('Identifier')) {
			throw new Exception('BAD_QUERY_PARAMETER', 'A parameter cannot be an identifier here.');
		}
		if (token.kind === 'placeholder') return { by: "''", tokens: 1 };
		return namesProcesses(statement.tokens, index) ? { by: "values('a UInt8', 1)", tokens: 3 } : undefined;
	});
}

function namesProcesses(tokens: readonly Token[], index: number): boolean {
	const [database, dot, table] = tokens.slice(index, index + 3);
	return (
		nameOf(database) === 'system' &&
		isPunctuation(dot, '.') &&
		nameOf(table) === 'processes' &&
		!isPunctuation(tokens[index - 1], '.')
	);
}

/** Parses `KILL QUERY WHERE query_id = …`, the only supported form. */
export function readKill(
	statement: Statement,
	parameters: ReadonlyMap<string, string>,
	decode: (text: string) => string,
): { queryId: string; waits: boolean } {
	const [, query, where, column, equals, id, mode, ...rest] = statement.tokens;
	const isKnown =
		isWord(query, 'QUERY') &&
		isWord(where, 'WHERE') &&
		nameOf(column) === 'query_id' &&
		isPunctuation(equals, '=') &&
		rest.length === 0 &&
		(mode === undefined || isWord(mode, 'SYNC', 'ASYNC'));
	if (!isKnown || id === undefined)
		throw new Exception('ACCESS_DENIED', "Only KILL QUERY WHERE query_id = '…' [SYNC] is supported.");
	const text =
		id.kind === 'placeholder'
			? parameters.get(id.text)
			: id.kind === 'string'
				? id.text.slice(1, -1)
				: undefined;
	if (text === undefined) throw new Exception('BAD_ARGUMENTS', 'KILL QUERY needs the query_id as a string.');
	return { queryId: decode(text), waits: isWord(mode, 'SYNC') };
}

/** Splits an INSERT after its table and columns, where its settings go. */
export function splitInsert(text: string): { head: string; tail: string } {
	const tokens = tokenize(text);
	let { after } = readInsertTarget(tokens);
	if (isPunctuation(tokens[after], '(') && !isWord(tokens[after + 1], 'SELECT', 'WITH'))
		after = tokens.findIndex((token, index) => index > after && isPunctuation(token, ')')) + 1;
	const start = tokens[after]?.start ?? text.length;
	return { head: text.slice(0, start), tail: text.slice(start) };
}
