import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Stack traces of the bundle name lines of the sources. Node's own support (process.setSourceMapsEnabled) parses all source maps
 * at start and keeps them; this reads a map when a trace through its file is formatted.
 */
export function nameSourceLines(): void {
	if (import.meta.url.endsWith('.ts')) return;
	Error.prepareStackTrace = (error, callSites) =>
		[String(error), ...callSites.map((callSite) => `    at ${toSource(String(callSite))}`)].join('\n');
}

const bundle = new URL('.', import.meta.url).href;
const maps = new Map<string, SourceMap | undefined>();

/** Replaces the position in a line of a trace, such as `open (file:///opt/tidemark/dist/program/main.js:3:120)`. */
function toSource(callSite: string): string {
	return callSite.replace(/(file:[^()]+\.js):(\d+):(\d+)/, (position, url: string, line, column) => {
		if (!url.startsWith(bundle)) return position;
		const origin = findMap(url)?.findOrigin(Number(line), Number(column));
		if (origin === undefined || !('fileName' in origin)) return position;
		return `${fileURLToPath(new URL(origin.fileName, url))}:${origin.lineNumber}:${origin.columnNumber}`;
	});
}

function findMap(url: string): SourceMap | undefined {
	if (!maps.has(url)) maps.set(url, readMap(url));
	return maps.get(url);
}

function readMap(url: string): SourceMap | undefined {
	try {
		return new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')));
	} catch {
		// A trace with positions in the bundle is better than none.
		return undefined;
	}
}
