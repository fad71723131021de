/**
 * A registry that lacks a package for another platform makes npm leave it out of the lock file, and `npm ci` then refuses
 * that lock file everywhere. This adds what is missing: version and platform, as the package that wants it says. Run it
 * (`npm run lock`) after every `npm install`; `npm run check` fails when it would change something.
 *
 * What was added that way has no integrity hash. It is asked of the registry each time; what stays without one must be in the list of
 * docs/dependencies.md. `--release` fails when a package that we ship has none.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

type Entry = {
	version?: string;
	integrity?: string;
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

const isCheck = process.argv.includes('--check');
if (missing.length > 0 && isCheck) throw new Error(`${file} lacks ${missing.join(', ')}: run npm run lock.`);

const unhashed = () => Object.entries(lock.packages).filter(([place, entry]) => place && !entry.integrity);
let found = 0;
if (!isCheck)
	for (const [place, entry] of unhashed()) {
		const name = `${place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${entry.version}`;
		const { stdout } = spawnSync('npm', ['view', name, 'dist.integrity'], { encoding: 'utf8' });
		if (!/^sha512-\S+$/.test(stdout.trim())) continue;
		entry.integrity = stdout.trim();
		found++;
	}

const left = unhashed().map(([place, { dev }]) => ({
	name: place.replace(/^node_modules\//, ''),
	isShipped: !dev,
}));
const listed = new Set(
	[...readFileSync('docs/dependencies.md', 'utf8').matchAll(/^\| `([^`]+)` \| no hash/gm)].map(
		([, name]) => name,
	),
);
const unlisted = left.filter(({ name }) => !listed.has(name)).map(({ name }) => name);
if (unlisted.length > 0)
	throw new Error(
		`${file} has no integrity hash, and docs/dependencies.md does not say why: ${unlisted.join(', ')}`,
	);
const hashed = [...listed].filter((name) => !left.some((entry) => entry.name === name));
if (hashed.length > 0)
	throw new Error(
		`These have an integrity hash now; take them off docs/dependencies.md: ${hashed.join(', ')}`,
	);
const unsafe = left.filter(({ isShipped }) => isShipped).map(({ name }) => name);
if (process.argv.includes('--release') && unsafe.length > 0)
	throw new Error(
		`These are shipped without an integrity hash: ${unsafe.join(', ')}. Run npm run lock where the registry has them.`,
	);

if (missing.length > 0 || found > 0) {
	const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
	writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, null, '\t')}\n`);
}
