import { Exception } from './exception.ts';
import { type Token, tokenize } from './lexer.ts';

// Parameters arrive as ClickHouse's escaped text ('a<TAB>b' as 'a\tb'). chDB can bind parameters, but sets them for the
// whole process while a statement starts, so concurrent statements would get each other's values. The endpoint therefore
// writes the literal itself: one quoted string in a CAST or, for Map, text that was checked to contain only literals.

const escapes: Record<string, string> = {
	b: '\b',
	f: '\f',
	n: '\n',
	r: '\r',
	t: '\t',
	'0': '\0',
	a: '\x07',
	v: '\v',
	e: '\x1b',
};

/** Unescapes ClickHouse's escaped text. An unknown escape stands for the character itself. */
export function unescapeText(text: string): string {
	return text.replace(/\\(x[0-9A-Fa-f]{2}|[\s\S])/g, (_, code: string) =>
		code.length === 3 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (escapes[code] ?? code),
	);
}

/** A string literal of ClickHouse SQL. */
export function quote(text: string): string {
	const escaped = text.replace(/[\\'\0]/g, (character) => (character === '\0' ? '\\0' : `\\${character}`));
	return `'${escaped}'`;
}

/** The SQL that replaces a placeholder of this type. */
export function literalOf(type: string, text: string): string {
	const plain = innerType(type);
	if (text === '\\N') return `CAST(NULL, ${quote(type)})`;
	if (plain === 'String')
		return type === 'String'
			? quote(unescapeText(text))
			: `CAST(${quote(unescapeText(text))}, ${quote(type)})`;
	if (/\bMap\b/.test(plain)) return `CAST(${mapLiteral(text)}, ${quote(type)})`;
	// In arrays and tuples, the backslashes belong to the quoted strings inside.
	const value = /^(Array|Tuple|Nested)\b/.test(plain) ? text : unescapeText(text);
	return `CAST(${quote(value)}, ${quote(type)})`;
}

function innerType(type: string): string {
	const wrapped = /^\s*(?:Nullable|LowCardinality)\s*\((.*)\)\s*$/.exec(type);
	return wrapped?.[1] === undefined ? type.trim() : innerType(wrapped[1]);
}

/** A string cannot be cast to a Map, so `{'a':1}` becomes `map('a',1)`. Only literals are allowed in it. */
function mapLiteral(text: string): string {
	const isPlain = (token: Token) =>
		token.kind === 'string' ||
		token.kind === 'number' ||
		/^(null|true|false|nan|inf|[[\](),\-+.])$/i.test(token.text);
	const words: Record<string, string> = { '{': 'map(', '}': ')', ':': ',' };
	return tokenize(text)
		.map((token) => {
			const word = token.kind === 'punctuation' ? words[token.text] : undefined;
			if (word === undefined && !isPlain(token))
				throw new Exception('BAD_QUERY_PARAMETER', 'The value of a Map parameter may contain only literals.');
			return word ?? token.text;
		})
		.join('');
}
