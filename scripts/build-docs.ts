/**
 * The documentation as a static site in dist/docs: every page that can be reached from docs/README.md. No script, and nothing asked
 * of another host; a page opens from a folder as well as from a server. The navigation is what docs/README.md links to.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';

const root = join(import.meta.dirname, '..');
const entrance = 'docs/README.md';

/** `file` is a path in the repository, `address` one in the site. */
export type Page = { file: string; address: string; title: string; tokens: Token[] };

const plain = new Marked();

/** The anchor of a heading, as code hosts make it: a link holds there and here. */
export function anchorsOf(tokens: readonly Token[]): string[] {
	const seen = new Map<string, number>();
	return headingsOf(tokens).map((heading) => {
		const name = textOf(heading.tokens)
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\s_-]/gu, '')
			.trim()
			.replace(/\s/g, '-');
		const times = seen.get(name) ?? 0;
		seen.set(name, times + 1);
		return times === 0 ? name : `${name}-${times}`;
	});
}

const headingsOf = (tokens: readonly Token[]): Tokens.Heading[] =>
	tokens.filter((token): token is Tokens.Heading => token.type === 'heading');

const textOf = (tokens: readonly Token[]): string =>
	tokens
		.map((token) =>
			'tokens' in token && token.tokens ? textOf(token.tokens) : 'text' in token ? token.text : '',
		)
		.join('');

/** Where a link of a page leads: a path in the repository, and what follows `#`. */
export function targetOf(file: string, href: string): { file: string; anchor: string } {
	const [path = '', anchor = ''] = href.split('#');
	return { file: path === '' ? file : posix.join(posix.dirname(file), path), anchor };
}

export const isOutside = (href: string): boolean => /^[a-z]+:/i.test(href);

export function linksOf(tokens: readonly Token[]): string[] {
	const found: string[] = [];
	void plain.walkTokens([...tokens], (token) => {
		if (token.type === 'link' || token.type === 'image') found.push(token.href);
	});
	return found;
}

/** docs/contract/README.md becomes contract/index.html, ARCHITECTURE.md becomes architecture.html. */
function addressOf(file: string): string {
	const below = file.startsWith('docs/') ? file.slice('docs/'.length) : file.toLowerCase();
	return below.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');
}

export function readPage(file: string): Page {
	const tokens = plain.lexer(readFileSync(join(root, file), 'utf8'));
	const [first] = headingsOf(tokens);
	return { file, address: addressOf(file), title: first ? textOf(first.tokens) : file, tokens };
}

/** Every page that links lead to from the entrance, in the order in which they are met. */
export function reachablePages(): Page[] {
	const pages: Page[] = [];
	const waiting = [entrance];
	const met = new Set(waiting);
	for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
		const page = readPage(file);
		pages.push(page);
		for (const href of linksOf(page.tokens)) {
			const target = targetOf(file, href).file;
			if (isOutside(href) || !target.endsWith('.md') || met.has(target)) continue;
			if (!existsSync(join(root, target))) continue;
			met.add(target);
			waiting.push(target);
		}
	}
	return pages;
}

type Group = { title: string; items: { file: string; label: string }[] };

/** The headings of the entrance, with the pages that are linked below each, as they are called there. */
function navigationOf(page: Page): Group[] {
	const groups: Group[] = [];
	for (const token of page.tokens) {
		if (token.type === 'heading' && token.depth === 2)
			groups.push({ title: textOf(token.tokens ?? []), items: [] });
		void plain.walkTokens([token], (inner) => {
			if (inner.type !== 'link' || isOutside(inner.href)) return;
			const { file } = targetOf(page.file, inner.href);
			const label = textOf(inner.tokens ?? []).replace(/^./, (first) => first.toUpperCase());
			if (existsSync(join(root, file))) groups.at(-1)?.items.push({ file, label });
		});
	}
	return groups.filter(({ items }) => items.length > 0);
}

const escaped = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function bodyOf(page: Page, pages: ReadonlyMap<string, Page>): string {
	const anchors = anchorsOf(page.tokens);
	const goingTo = (href: string): string | undefined => {
		if (isOutside(href)) return href;
		const { file, anchor } = targetOf(page.file, href);
		const address = pages.get(file)?.address ?? (file.startsWith('docs/images/') ? file.slice(5) : undefined);
		if (address === undefined) return undefined;
		const path = file === page.file ? '' : posix.relative(posix.dirname(page.address), address);
		return path + (anchor === '' ? '' : `#${anchor}`);
	};
	const marked = new Marked({
		renderer: {
			heading({ tokens, depth }) {
				const anchor = escaped(anchors.shift() ?? '');
				const text = this.parser.parseInline(tokens);
				if (depth === 1) return `<h1 id="${anchor}">${text}</h1>\n`;
				return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${text}</a></h${depth}>\n`;
			},
			link({ href, tokens }) {
				const text = this.parser.parseInline(tokens);
				const to = goingTo(href);
				return to === undefined ? text : `<a href="${escaped(to)}">${text}</a>`;
			},
			image({ href, text }) {
				return `<img src="${escaped(goingTo(href) ?? href)}" alt="${escaped(text)}" loading="lazy">`;
			},
			code({ text, lang }) {
				const [language = ''] = (lang ?? '').split(' ');
				const label = language === '' ? '' : ` data-language="${escaped(language)}"`;
				return `<pre tabindex="0"${label}><code>${escaped(text)}</code></pre>\n`;
			},
			html: () => '',
		},
	});
	// A wide table scrolls within itself, so that the page does not on a phone.
	return marked
		.parser(page.tokens)
		.replaceAll('<table>', '<div class="table" tabindex="0"><table>')
		.replaceAll('</table>', '</table></div>');
}

function documentOf(page: Page, groups: readonly Group[], pages: ReadonlyMap<string, Page>): string {
	const to = (address: string) => posix.relative(posix.dirname(page.address), address);
	// A page that is not in the navigation stands below the entrance of its folder.
	const listed = groups.some(({ items }) => items.some(({ file }) => file === page.file));
	const current = listed ? page.file : posix.join(posix.dirname(page.file), 'README.md');
	const item = ({ file, label }: Group['items'][number]) => {
		const mark = file === current ? ' aria-current="page"' : '';
		return `<li><a href="${escaped(to(addressOf(file)))}"${mark}>${escaped(label)}</a></li>`;
	};
	const navigation = groups
		.map(({ title, items }) => `<h2>${escaped(title)}</h2>\n<ul>${items.map(item).join('')}</ul>`)
		.join('\n');
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(page.title)} · Tidemark</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('site.css')}">
</head>
<body>
<a class="skip" href="#content">To the text</a>
<header><a class="name" href="${to('index.html')}">Tidemark</a></header>
<details class="menu"><summary>All pages</summary><nav aria-label="All pages">${navigation}</nav></details>
<div class="columns">
<nav class="side" aria-label="Documentation">${navigation}</nav>
<main id="content">
${bodyOf(page, pages)}</main>
</div>
</body>
</html>
`;
}

/** The colours of the dashboard; the reader's system chooses between light and dark, because no script is here to do it. */
function stylesheet(): string {
	const tokens = readFileSync(join(root, 'dashboard/styles/tokens.css'), 'utf8')
		.replace(/\[data-theme="dark"\] (\{[^}]*\})/, '@media (prefers-color-scheme: dark) {\n:root $1\n}')
		.replaceAll('[data-theme]', ':root');
	return `${tokens}\n${readFileSync(join(root, 'docs/site.css'), 'utf8')}`;
}

export function buildDocs(folder: string): string[] {
	const found = reachablePages();
	const pages = new Map(found.map((page) => [page.file, page]));
	const groups = navigationOf(readPage(entrance));
	rmSync(folder, { recursive: true, force: true });
	for (const page of found) {
		const file = join(folder, page.address);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, documentOf(page, groups, pages));
	}
	writeFileSync(join(folder, 'site.css'), stylesheet());
	cpSync(join(root, 'docs/images'), join(folder, 'images'), { recursive: true });
	return found.map((page) => page.address);
}

if (process.argv[1] === import.meta.filename) {
	const addresses = buildDocs(join(root, 'dist/docs'));
	console.log(`${addresses.length} pages in dist/docs`);
}
