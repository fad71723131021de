/**
 * A registry that lacks a package for another platform makes npm leave it out of the lock file, and `npm ci` then refuses
 * that lock file everywhere. This adds what is missing: version and platform, as the package that wants it says. Run it
 * (`npm run lock`) after every `npm install`; `npm run check` fails when it would change something.
 */
import { readFileSync, writeFileSync } from 'node:fs';

type Entry = {
	version?: string;
	dev?: boolean;
	optional?: boolean;
	os?: string[];
	cpu?: string[];
	libc?: string[];
	optionalDependencies?: Record<string, string>;
};

const file = 'package-lock.json';
const text = readFileSync(file, 'utf8');
const lock: { packages: Record<string, Entry> } = JSON.parse(text);
const missing: string[] = [];

for (const entry of Object.values(lock.packages)) {
	for (const [name, wanted] of Object.entries(entry.optionalDependencies ?? {})) {
		const place = `node_modules/${name}`;
		if (lock.packages[place]) continue;
		missing.push(name);
		lock.packages[place] = {
			version: wanted.replace(/^[\^~]/, ''),
			...platformOf(name),
			...(entry.dev && { dev: true }),
			optional: true,
		};
	}
}

/** `@biomejs/cli-linux-x64-musl`, `@chdb/lib-darwin-arm64`: the names say where they run. */
function platformOf(name: string): Entry {
	const os =
		/android|darwin|freebsd|linux|openharmony|openbsd|netbsd|sunos|aix|win32|wasm/.exec(name)?.[0] ?? 'none';
	const cpu = /arm64|x64|ia32|riscv64|ppc64|s390x|loong64|mips64el|arm|wasm32/.exec(name)?.[0] ?? 'none';
	const libc = name.includes('musl') ? { libc: ['musl'] } : name.includes('gnu') ? { libc: ['glibc'] } : {};
	return { os: [os], cpu: [cpu], ...(os === 'linux' ? libc : {}) };
}

// It must install from whatever registry a machine is set up with.
const hosts = text.match(/"resolved": "https?:[^"]*"/g) ?? [];
if (hosts.length > 0) throw new Error(`${file} names download addresses: ${hosts.slice(0, 3).join(' ')} …`);

if (missing.length > 0 && process.argv.includes('--check')) {
	throw new Error(`${file} lacks ${missing.join(', ')}: run npm run lock.`);
}
if (missing.length > 0) {
	const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
	writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, null, '\t')}\n`);
}
