import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** A fresh clone after `npm ci`: the sources and node_modules, nothing built. It is removed after the tests. */
export function cloneSources(t: { after(work: () => void): void }): string {
	const clone = mkdtempSync(join(tmpdir(), 'tidemark-clone-'));
	t.after(() => rmSync(clone, { recursive: true, force: true, maxRetries: 5 }));
	const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
		cwd: root,
		encoding: 'utf8',
	});
	for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name))))
		cpSync(join(root, file), join(clone, file));
	symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
	return clone;
}

/** Nothing of the settings of whoever runs the tests. */
export function cleanEnvironment(): Record<string, string> {
	const { PATH = '', HOME = '/' } = process.env;
	return { PATH, HOME };
}
