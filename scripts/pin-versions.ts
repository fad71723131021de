/**
 * The packed manifest names every package that is shipped, with exactly the version of package-lock.json, so that an installation does
 * not take whatever the ranges of our dependencies allow that day. Why not npm-shrinkwrap.json: docs/decisions/0013-pinned-manifest.md.
 *
 * Run by `npm pack`: before, to pin; afterwards, with `--restore`, to put the manifest of the repository back.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

type Entry = { version: string; dev?: boolean; optional?: boolean };
type Manifest = { dependencies: Record<string, string>; optionalDependencies: Record<string, string> };

const kept = 'build/package.json.unpinned';

if (process.argv.includes('--restore')) {
	if (existsSync(kept)) renameSync(kept, 'package.json');
} else {
	mkdirSync('build', { recursive: true });
	copyFileSync('package.json', kept);
	const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));
	const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
	for (const [place, { version, dev, optional }] of Object.entries(lock.packages)) {
		const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place) ?? [];
		if (name === undefined || dev) continue;
		(optional ? manifest.optionalDependencies : manifest.dependencies)[name] = version;
	}
	writeFileSync('package.json', `${JSON.stringify(manifest, null, '\t')}\n`);
}
