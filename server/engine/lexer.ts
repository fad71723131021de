import { Exception } from './exception.ts';

// The door must know three things about a statement that the engine does not tell before running it: that it is one
// statement, where its placeholders are, and where its FORMAT clause is. Regular expressions over the whole text would
// be fooled by strings and comments; this cuts the text the way ClickHouse's lexer does. Whatever ClickHouse might read
// and we do not (heredocs, typographic quotes, letters beyond ASCII outside of quotes) is refused, never skipped.

export type Token = {
	kind: 'word' | 'number' | 'string' | 'quoted' | 'punctuation' | 'placeholder';
	/** The text as it stands; of a placeholder its name. */
	text: string;
	/** The type a placeholder asks for. */
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
	let at = 0;
	while (at < text.length) {
		const found = findToken(text, at);
		if (found === undefined)
			throw new Exception(
				'SYNTAX_ERROR',
				`The door does not read ${JSON.stringify(text.slice(at, at + 20))} at position ${at}.`,
			);
		const { rule, match } = found;
		const end = at + match[0].length;
		if (rule.kind !== 'space')
			tokens.push({ kind: rule.kind, text: match[1] ?? match[0], type: match[2] ?? '', start: at, end });
		at = end;
	}
	return tokens;
}

function findToken(text: string, at: number): { rule: Rule; match: RegExpExecArray } | undefined {
	for (const rule of rules) {
		rule.pattern.lastIndex = at;
		const match = rule.pattern.exec(text);
		if (match) return { rule, match };
	}
	return undefined;
}

/** Keywords are written in any case; a quoted name is never a keyword. */
export function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
	return token?.kind === 'word' && words.includes(token.text.toUpperCase());
}

export function isPunctuation(token: Token | undefined, text: string): boolean {
	return token?.kind === 'punctuation' && token.text === text;
}

/** The name that a bare or quoted token stands for; undefined when it is no name or one with escapes in it. */
export function nameOf(token: Token | undefined): string | undefined {
	if (token?.kind === 'word') return token.text;
	if (token?.kind !== 'quoted') return undefined;
	const inner = token.text.slice(1, -1);
	return /^\w+$/.test(inner) ? inner : undefined;
}
