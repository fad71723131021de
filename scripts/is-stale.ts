import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Whether a built file is missing, or older than one of its sources. */
export function isStale(file: string, sources: string): boolean {
	const builtMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
	return globSync(sources, { cwd: root }).some((source) => statSync(join(root, source)).mtimeMs > builtMs);
}
