import { Exception } from './exception.ts';

// The endpoint must know that a text is a single statement, and where its placeholders and its FORMAT clause are. This
// lexer splits the text like ClickHouse's own, because strings and comments would defeat regular expressions. Syntax that
// it does not know (heredocs, typographic quotes, non-ASCII letters outside of quotes) is rejected, never skipped.

export type Token = {
	kind: 'word' | 'number' | 'string' | 'quoted' | 'punctuation' | 'placeholder';
	/** The source text, or the name of a placeholder. */
	text: string;
	/** The type of a placeholder. */
	type: string;
	start: number;
	end: number;
};

type Rule = { kind: Token['kind'] | 'space'; pattern: RegExp };

const rules: readonly Rule[] = [
	{ kind: 'space', pattern: /[ \t\r\n\f\v]+|--[^\n]*|#[ !][^\n]*|\/\*[\s\S]*?\*\//y },
	{ kind: 'string', pattern: /'(?:[^'\\]|\\[\s\S]|'')*'/y },
	{ kind: 'quoted', pattern: /`(?:[^`\\]|\\[\s\S]|``)*`|"(?:[^"\\]|\\[\s\S]|"")*"/y },
	{ kind: 'placeholder', pattern: /\{\s*([A-Za-z_]\w*)\s*:\s*([A-Za-z][A-Za-z0-9_(), '/=+.-]*)\}/y },
	{ kind: 'number', pattern: /\d\w*(?:\.\w*)?/y },
	{ kind: 'word', pattern: /[A-Za-z_]\w*/y },
	{ kind: 'punctuation', pattern: /[()[\]{},;.:=<>!+\-*/%|?^@&~]/y },
];

export function tokenize(text: string): Token[] {
	const tokens: Token[] = [];
	let position = 0;
	while (position < text.length) {
		const token = findToken(text, position);
		if (token === undefined)
			throw new Exception(
				'SYNTAX_ERROR',
				`Unsupported syntax ${JSON.stringify(text.slice(position, position + 20))} at position ${position}.`,
			);
		const { rule, match } = token;
		const end = position + match[0].length;
		if (rule.kind !== 'space')
			tokens.push({
				kind: rule.kind,
				text: match[1] ?? match[0],
				type: match[2] ?? '',
				start: position,
				end,
			});
		position = end;
	}
	return tokens;
}

function findToken(text: string, position: number): { rule: Rule; match: RegExpExecArray } | undefined {
	for (const rule of rules) {
		rule.pattern.lastIndex = position;
		const match = rule.pattern.exec(text);
		if (match) return { rule, match };
	}
	return undefined;
}

/** Keywords are case-insensitive; a quoted name is never a keyword. */
export function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
	return token?.kind === 'word' && words.includes(token.text.toUpperCase());
}

export function isPunctuation(token: Token | undefined, text: string): boolean {
	return token?.kind === 'punctuation' && token.text === text;
}

/** The identifier in a bare or quoted token; undefined for other tokens and for names with escapes. */
export function nameOf(token: Token | undefined): string | undefined {
	if (token?.kind === 'word') return token.text;
	if (token?.kind !== 'quoted') return undefined;
	const inner = token.text.slice(1, -1);
	return /^\w+$/.test(inner) ? inner : undefined;
}
