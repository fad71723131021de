import { literalOf } from './escape.ts';
import { Exception } from './exception.ts';
import { isPunctuation, isWord, nameOf, type Token, tokenize } from './lexer.ts';

/** One statement, cut but not yet judged. */
export type Statement = {
	/** Its first keyword, in capitals. */
	verb: string;
	/** Without its FORMAT clause and without a semicolon at the end. */
	text: string;
	tokens: readonly Token[];
	/** What its FORMAT clause says. */
	format: string | undefined;
};

/** `INSERT INTO table (columns) FORMAT format`, with the rows in the body. */
export type InsertOfRows = { table: string; columns: readonly string[] | undefined };

export function readStatement(text: string): Statement {
	const tokens = tokenize(text);
	while (isPunctuation(tokens.at(-1), ';')) tokens.pop();
	if (tokens.some((token) => isPunctuation(token, ';')))
		throw new Exception('SYNTAX_ERROR', 'Multi-statements are not allowed.');
	// EXPLAIN AST would obey INTO OUTFILE itself, so these words never reach the engine, not even to be explained.
	const file = tokens.find((token) => isWord(token, 'INFILE', 'OUTFILE'));
	if (file)
		throw new Exception('ACCESS_DENIED', `Not enough privileges: ${file.text} reaches out of the engine.`);

	const format = isWord(tokens.at(-2), 'FORMAT') ? nameOf(tokens.at(-1)) : undefined;
	const kept = format === undefined ? tokens : tokens.slice(0, -2);
	const first = kept.find((token) => !isPunctuation(token, '('));
	const last = kept.at(-1);
	if (first === undefined || last === undefined) throw new Exception('SYNTAX_ERROR', 'Empty query.');
	return { verb: first.text.toUpperCase(), text: text.slice(0, last.end), tokens: kept, format };
}

/** The statement if its rows come in the body; undefined for INSERT … SELECT and INSERT … VALUES. */
export function findInsertOfRows(statement: Statement): InsertOfRows | undefined {
	const { tokens } = statement;
	const { table, after } = readInsertTarget(tokens);
	let at = after;
	let columns: string[] | undefined;
	if (isPunctuation(tokens[at], '(') && !isWord(tokens[at + 1], 'SELECT', 'WITH')) {
		const end = tokens.findIndex((token, index) => index > at && isPunctuation(token, ')'));
		columns = tokens
			.slice(at + 1, end)
			.flatMap((token) => (isPunctuation(token, ',') ? [] : [getName(token)]));
		at = end + 1;
	}
	if (isWord(tokens[at], 'VALUES')) {
		refuseExpressions(tokens.slice(at + 1));
		return undefined;
	}
	if (tokens.slice(at).some((token) => isWord(token, 'SELECT'))) return undefined;
	if (at !== tokens.length || statement.format === undefined)
		throw new Exception(
			'ACCESS_DENIED',
			'An INSERT is followed by FORMAT with the rows in the body, or by a SELECT.',
		);
	return { table, columns };
}

/** The engine computes what stands behind VALUES without showing it in the syntax tree, so nothing but values may. */
function refuseExpressions(tokens: readonly Token[]): void {
	const isValue = (token: Token) =>
		['string', 'number', 'placeholder'].includes(token.kind) ||
		(token.kind === 'punctuation' && '(),-.[]'.includes(token.text));
	const other = tokens.find((token) => !isValue(token));
	if (other)
		throw new Exception('ACCESS_DENIED', `Not enough privileges: VALUES holds values, not ${other.text}.`);
}

function readInsertTarget(tokens: readonly Token[]): { table: string; after: number } {
	let at = 1;
	if (!isWord(tokens[at], 'INTO')) throw new Exception('SYNTAX_ERROR', 'An INSERT goes INTO a table.');
	at += isWord(tokens[at + 1], 'TABLE') ? 2 : 1;
	if (isWord(tokens[at], 'FUNCTION'))
		throw new Exception(
			'ACCESS_DENIED',
			'Not enough privileges: an INSERT goes into a table, not a function.',
		);
	const table = getName(tokens[at]);
	if (isPunctuation(tokens[at + 1], '.'))
		throw new Exception('ACCESS_DENIED', `Not enough privileges: ${table} is another database.`);
	return { table, after: at + 1 };
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

/** The text with something else in the place of some tokens. */
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

/** The statement with its parameters as literals, and with the list of running statements where it names system.processes. */
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

/** The same shape with nothing of anybody's values in it, for EXPLAIN AST: its judgement can be kept for the next time. */
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

/** `KILL QUERY WHERE query_id = …`, the one form of it that the door knows. */
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
		throw new Exception('ACCESS_DENIED', "The door knows KILL QUERY WHERE query_id = '…' [SYNC].");
	const text =
		id.kind === 'placeholder'
			? parameters.get(id.text)
			: id.kind === 'string'
				? id.text.slice(1, -1)
				: undefined;
	if (text === undefined) throw new Exception('BAD_ARGUMENTS', 'KILL QUERY needs the query_id as a string.');
	return { queryId: decode(text), waits: isWord(mode, 'SYNC') };
}

/** Where the settings of an INSERT go: behind its table and columns. */
export function splitInsert(text: string): { head: string; tail: string } {
	const tokens = tokenize(text);
	let { after } = readInsertTarget(tokens);
	if (isPunctuation(tokens[after], '(') && !isWord(tokens[after + 1], 'SELECT', 'WITH'))
		after = tokens.findIndex((token, index) => index > after && isPunctuation(token, ')')) + 1;
	const start = tokens[after]?.start ?? text.length;
	return { head: text.slice(0, start), tail: text.slice(start) };
}
