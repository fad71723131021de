import { Exception } from './exception.ts';
import { type Token, tokenize } from './lexer.ts';

// A parameter arrives as ClickHouse's escaped text ('a<TAB>b' as 'a\tb'). A server reads it with the type's own text
// reader and puts a literal into the syntax tree. chDB can bind parameters too, but sets them for the whole process
// while a statement starts, so two at once take each other's values. The door therefore writes the literal itself:
// always one quoted string inside a CAST, or, where no such cast exists (Map), text that was checked to be literals only.

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

/** Undoes the backslashes of the escaped text form; an unknown one stands for the character itself. */
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

/** The SQL that stands where a placeholder of this type stood. */
export function literalOf(type: string, text: string): string {
	const plain = innerType(type);
	if (text === '\\N') return `CAST(NULL, ${quote(type)})`;
	if (plain === 'String')
		return type === 'String'
			? quote(unescapeText(text))
			: `CAST(${quote(unescapeText(text))}, ${quote(type)})`;
	if (/\bMap\b/.test(plain)) return `CAST(${mapLiteral(text)}, ${quote(type)})`;
	// Arrays and tuples keep the backslashes: theirs belong to the quoted strings inside.
	const value = /^(Array|Tuple|Nested)\b/.test(plain) ? text : unescapeText(text);
	return `CAST(${quote(value)}, ${quote(type)})`;
}

function innerType(type: string): string {
	const wrapped = /^\s*(?:Nullable|LowCardinality)\s*\((.*)\)\s*$/.exec(type);
	return wrapped?.[1] === undefined ? type.trim() : innerType(wrapped[1]);
}

/** Maps are the one type a string cannot be cast to: `{'a':1}` becomes `map('a',1)`, and nothing but literals may be in it. */
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
				throw new Exception('BAD_QUERY_PARAMETER', 'The value of a Map parameter holds more than literals.');
			return word ?? token.text;
		})
		.join('');
}
