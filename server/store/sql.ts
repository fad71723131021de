// SQL is written as SQL. Text and values are kept apart by construction: a template's text is a constant of our source,
// whatever is substituted is either another statement part or a parameter, and a plain string is neither.

/** `type` is what ClickHouse needs to know of a value; PostgreSQL finds it out by itself. */
export type Param = { readonly type: string; readonly value: unknown };
export type Sql = { readonly strings: readonly string[]; readonly values: readonly (Sql | Param)[] };

export const sql = (strings: TemplateStringsArray, ...values: readonly (Sql | Param)[]): Sql => ({
	strings,
	values,
});

/** A value for ClickHouse: `param('UInt64', website.id)`. */
export const param = (type: string, value: unknown): Param => ({ type, value });

/** A value for PostgreSQL. */
export const value = (input: unknown): Param => ({ type: '', value: input });

/** Our own column, table or alias, from a table of ours and never from a request. */
export function identifier(name: string): Sql {
	if (!/^[a-z_][a-z0-9_]*$/.test(name))
		throw new Error(`${JSON.stringify(name)} is not a plain lower-case name.`);
	return { strings: [name], values: [] };
}

export function join(parts: readonly Sql[], separator: string): Sql {
	if (!/^[\sA-Z,()+|]*$/.test(separator))
		throw new Error(`${JSON.stringify(separator)} does not separate parts of a statement.`);
	const between = parts.slice(1).map(() => separator);
	return parts.length === 0
		? { strings: [''], values: [] }
		: { strings: ['', ...between, ''], values: parts };
}

/**
 * For ClickHouse: `{p0:UInt64}` and its values by name. A server refuses a field of more than 128 KiB
 * (`http_max_field_value_size`), so a long list is sent as several parameters.
 */
export function render(query: Sql): { query: string; query_params: Record<string, unknown> } {
	const params: Param[] = [];
	const place = (parameter: Param) => `{p${params.push(parameter) - 1}:${parameter.type}}`;
	const text = write(query, (parameter) => {
		if (!/^[A-Z]/.test(parameter.type))
			throw new Error(`A parameter of ClickHouse needs a type, not ${JSON.stringify(parameter.type)}.`);
		const pieces = Array.isArray(parameter.value) ? listPieces(parameter.value) : [];
		if (pieces.length <= 1) return place(parameter);
		return `arrayConcat(${pieces.map((value) => place({ type: parameter.type, value })).join(', ')})`;
	});
	return {
		query: text,
		query_params: Object.fromEntries(params.map((parameter, index) => [`p${index}`, parameter.value])),
	};
}

/** Elements of a list in one parameter or statement. */
export const listPiece = 2_000;
const listPieceBytes = 64 * 1024;

function listPieces(list: readonly unknown[]): unknown[][] {
	const pieces: unknown[][] = [];
	let bytes = 0;
	for (const item of list) {
		// Escaping at most doubles a text; the longest number has 20 digits.
		const size = typeof item === 'string' ? 2 * Buffer.byteLength(item) + 3 : 24;
		const piece = pieces.at(-1);
		if (piece && piece.length < listPiece && bytes + size <= listPieceBytes) {
			piece.push(item);
			bytes += size;
		} else {
			pieces.push([item]);
			bytes = size;
		}
	}
	return pieces;
}

/** For PostgreSQL: `$1` and its values in order. */
export function renderPostgres(query: Sql): { text: string; values: unknown[] } {
	const values: unknown[] = [];
	const text = write(query, (parameter) => `$${values.push(parameter.value)}`);
	return { text, values };
}

function write(query: Sql, place: (param: Param) => string): string {
	return query.strings.reduce((text, string, index) => {
		const before = query.values[index - 1];
		if (before === undefined) return text + string;
		return `${text}${'strings' in before ? write(before, place) : place(before)}${string}`;
	}, '');
}
