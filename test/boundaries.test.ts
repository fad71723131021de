import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

/** Who may import whom, by folder. A file that is not in the table may import nothing of ours. */
const arrows: Record<string, readonly string[]> = {
	api: ['api'],
	'server/lib': ['server/lib', 'api'],
	'server/store': ['server/store', 'server/lib', 'server/engine'],
	'server/engine': ['server/engine', 'server/lib'],
	'server/branding': ['server/branding', 'server/store', 'server/lib', 'presentation'],
	'server/webhooks': ['server/webhooks', 'server/store', 'server/lib', 'api'],
	'server/accounts': ['server/accounts', 'server/webhooks', 'server/store', 'server/lib'],
	'server/websites': [
		'server/websites',
		'server/accounts',
		'server/webhooks',
		'server/store',
		'server/lib',
		'api',
	],
	'server/oidc': ['server/oidc', 'server/websites', 'server/accounts', 'server/store', 'server/lib', 'api'],
	'server/operator': ['server/operator', 'server/websites', 'server/accounts', 'server/store', 'server/lib'],
	'server/event-log': ['server/event-log', 'server/store', 'server/lib'],
	'server/geo': ['server/geo', 'server/lib'],
	'server/ingest': [
		'server/ingest',
		'server/geo',
		'server/event-log',
		'server/websites',
		'server/store',
		'server/lib',
	],
	'server/write': ['server/event-log', 'server/write', 'server/store', 'server/lib'],
	'server/derive': ['server/derive', 'server/websites', 'server/webhooks', 'server/store', 'server/lib'],
	'server/stats': [
		'server/stats',
		'server/derive',
		'server/websites',
		'server/accounts',
		'server/store',
		'server/lib',
	],
	'server/items': [
		'server/items',
		'server/stats',
		'server/derive',
		'server/websites',
		'server/accounts',
		'server/store',
		'server/lib',
		'api',
	],
	'server/import': [
		'server/import',
		'server/accounts',
		'server/geo',
		'server/ingest',
		'server/derive',
		'server/websites',
		'server/write',
		'server/store',
		'server/lib',
		'api',
	],
	'server/notify/outbox': ['server/store', 'server/lib'],
	'server/notify/mail': [
		'server/notify/mail',
		'server/notify/outbox',
		'server/accounts',
		'server/branding',
		'server/store',
		'server/lib',
	],
	'server/doctor': [
		'server/event-log',
		'server/doctor',
		'server/geo',
		'server/accounts',
		'server/derive',
		'server/notify/mail',
		'server/store',
		'server/lib',
		'server/config',
		'api',
	],
	'server/backup': [
		'server/event-log',
		'server/backup',
		'server/accounts',
		'server/derive',
		'server/websites',
		'server/write',
		'server/store',
		'server/lib',
	],
	'server/export': ['server/export', 'server/derive', 'server/store', 'server/lib'],
	'server/reports': [
		'server/branding',
		'server/event-log',
		'server/reports',
		'server/derive',
		'server/notify/mail',
		'server/stats',
		'server/websites',
		'server/accounts',
		'server/store',
		'server/lib',
		// Pages and reports format numbers with the same pure functions.
		'presentation',
	],
	'server/notify': [
		'server/branding',
		'server/event-log',
		'server/derive',
		'server/notify',
		'server/items',
		'server/notify/mail',
		'server/notify/outbox',
		'server/stats',
		'server/webhooks',
		'server/websites',
		'server/accounts',
		'server/store',
		'server/lib',
		'presentation',
		'api',
	],
	'server/jobs': [
		'server/event-log',
		'server/operator',
		'server/items',
		'server/jobs',
		'server/import',
		'server/notify',
		'server/backup',
		'server/derive',
		'server/notify/mail',
		'server/reports',
		'server/websites',
		'server/store',
		'server/lib',
	],
	'server/demo': [
		'server/demo',
		'server/items',
		'server/accounts',
		'server/ingest',
		'server/websites',
		'server/write',
		'server/store',
		'server/lib',
	],
	'server/control': [
		'server/control',
		'server/operator',
		'server/oidc',
		'server/items',
		'server/import',
		'server/backup',
		'server/doctor',
		'server/demo',
		'server/export',
		'server/derive',
		'server/notify/mail',
		'server/reports',
		'server/stats',
		'server/accounts',
		'server/ingest',
		'server/websites',
		'server/write',
		'server/store',
		'server/lib',
		'api',
	],
	'server/mcp': ['server/mcp', 'api'],
	'server/http': [
		'server/branding',
		'server/http',
		'server/operator',
		'server/oidc',
		'server/mcp',
		'server/import',
		'server/accounts',
		'server/notify',
		'server/ingest',
		'server/doctor',
		'server/export',
		'server/items',
		'server/notify/mail',
		'server/notify/outbox',
		'server/reports',
		'server/stats',
		'server/webhooks',
		'server/websites',
		'server/store',
		'server/lib',
		'server/config',
		'presentation',
		'api',
	],
	'server/config': ['server/lib'],
	'server/stores': [
		'server/accounts',
		'server/backup',
		'server/config',
		'server/engine',
		'server/lib',
		'server/store',
	],
	'server/maintenance': ['server/accounts', 'server/backup', 'server/config', 'server/lib', 'server/stores'],
	// Processes that take requests: how they are started, and what is said between them and the service.
	'server/workers': [
		'server/workers',
		'server/ingest',
		'server/config',
		'server/http',
		'server/lib',
		'server/store',
	],
	// What service.ts constructs, in a file a role.
	'server/roles': [
		'server/backup',
		'server/event-log',
		'server/roles',
		'server/stores',
		'server/workers',
		'server/accounts',
		'server/ingest',
		'server/config',
		'server/derive',
		'server/doctor',
		'server/export',
		'server/http',
		'server/import',
		'server/jobs',
		'server/lib',
		'server/notify/mail',
		'server/oidc',
		'server/stats',
		'server/store',
		'server/websites',
		'server/write',
	],
	'server/service': [
		'server/event-log',
		'server/stores',
		'server/roles',
		'server/accounts',
		'server/config',
		'server/control',
		'server/http',
		'server/lib',
		'server/store',
		'server/write',
	],
	'server/main': [
		'server/service',
		'server/maintenance',
		'server/stores',
		'server/roles',
		'server/config',
		'server/http',
		'server/lib',
		'server/store',
	],
	'server/worker': [
		'server/stores',
		'server/roles',
		'server/workers',
		'server/ingest',
		'server/http',
		'server/lib',
		'server/store',
	],
	// Types alone: the check below says so.
	dashboard: ['dashboard', 'dashboard/ui', 'dashboard/api-client', 'presentation', 'api'],
	'dashboard/ui': ['dashboard/ui', 'dashboard/api-client', 'presentation'],
	presentation: ['presentation', 'api'],
	'dashboard/api-client': ['api'],
	cli: [
		'cli',
		'server/items',
		'server/main',
		'server/worker',
		'server/backup',
		'server/config',
		'server/control',
		'server/demo',
		'server/doctor',
		'server/geo',
		'server/import',
		'server/lib',
		'server/mcp',
		'server/store',
		'server/engine',
		'api',
	],
};

/** Clients of engines and frameworks, and the only folders that know them. */
const clients: Record<string, readonly string[]> = {
	pg: ['server/store'],
	'@clickhouse/client': ['server/store'],
	'@nats-io/transport-node': ['server/event-log'],
	'@nats-io/jetstream': ['server/event-log'],
	chdb: ['server/engine'],
	fastify: ['server/http'],
	nodemailer: ['server/notify/mail'],
	'openid-client': ['server/oidc'],
	'@modelcontextprotocol/server': ['server/mcp', 'server/http', 'cli'],
	commander: ['cli'],
	isbot: ['server/ingest'],
	yauzl: ['server/import'],
	maxmind: ['server/geo'],
	'ua-parser-js': ['server/ingest'],
	pino: ['server/lib'],
};

const files = globSync('{api,cli,dashboard,presentation,server}/**/*.{ts,tsx}').filter(
	(file) => !file.endsWith('.test.ts'),
);
const placeOf = (file: string) =>
	Object.keys(arrows)
		.filter((place) => file === `${place}.ts` || file === `${place}.tsx` || file.startsWith(`${place}/`))
		.sort((a, b) => b.length - a.length)[0];
const importsOf = (file: string) =>
	[...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
		([, target = '']) => target,
	);

test('imports follow the arrows', () => {
	const offending = files.flatMap((file) =>
		importsOf(file)
			.filter((target) => target.startsWith('.'))
			.map((target) => join(dirname(file), target))
			.filter((target) => !arrows[placeOf(file) ?? '']?.includes(placeOf(target) ?? ''))
			.map((target) => `${file} → ${target}`),
	);
	assert.deepEqual(offending, []);
	assert.ok(files.length > 40, 'the test found no files to look at');
});

/** What is loaded with a file: what it imports as more than a type, and not only when it is needed. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
	if (loaded.has(file)) return loaded;
	loaded.add(file);
	for (const target of loadedDirectly(file)) loadedWith(target, loaded);
	return loaded;
}

function loadedDirectly(file: string): string[] {
	const imported = readFileSync(file, 'utf8').matchAll(
		/^(?:import|export)\s+(?!type\b)(?:[^';]*?\sfrom\s+)?'(\.[^']+)'/gm,
	);
	return [...imported].map(([, target = '']) => join(dirname(file), target));
}

test('a command that a running service answers loads nothing of the service', () => {
	for (const file of ['cli/main.ts', 'cli/program.ts', 'cli/commands/key.ts', 'cli/commands/account.ts']) {
		const ofService = [...loadedWith(file)].filter(
			(loaded) =>
				loaded.startsWith('server/') && !/^server\/(lib\/|config\.ts$|control\/call\.ts$)/.test(loaded),
		);
		assert.deepEqual(ofService, [], file);
	}
	assert.ok(loadedWith('cli/run-locally.ts').has('server/main.ts'), 'the test finds what is loaded');
});

test('no file imports itself, directly or through others', () => {
	const graph = new Map(files.map((file) => [file, loadedDirectly(file)]));
	const done = new Set<string>();
	const cycles: string[] = [];
	function visit(file: string, path: readonly string[]) {
		if (path.includes(file)) {
			cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
			return;
		}
		if (done.has(file)) return;
		for (const target of graph.get(file) ?? []) visit(target, [...path, file]);
		done.add(file);
	}
	for (const file of files) visit(file, []);
	assert.deepEqual(cycles, []);
	assert.ok([...graph.values()].flat().length > 1_000, 'the test found no imports to follow');
});

test('only its own folder knows the client of an engine', () => {
	const offending = files.flatMap((file) =>
		importsOf(file)
			.map((target) => Object.keys(clients).find((name) => target === name || target.startsWith(`${name}/`)))
			.filter((name) => name !== undefined)
			.filter((name) => !clients[name]?.some((place) => file.startsWith(`${place}/`)))
			.map((name) => `${file} → ${name}`),
	);
	assert.deepEqual(offending, []);
});

test('only config.ts and the entry of a command read the environment', () => {
	const readers = files.filter((file) => /process\.env/.test(readFileSync(file, 'utf8')));
	assert.deepEqual(
		readers.filter((file) => !file.startsWith('cli/')),
		[],
	);
});

test('domain code reads no clock', () => {
	const readers = files.filter(
		(file) =>
			/^server\/(accounts|ingest|items|websites)\//.test(file) &&
			/Date\.now|new Date\(\)/.test(readFileSync(file, 'utf8')),
	);
	assert.deepEqual(readers, []);
});

test('the pages take nothing but types from the contract, so that its schemas stay out of them', () => {
	const offending = files
		.filter((file) => file.startsWith('dashboard/'))
		.filter((file) =>
			/^import (?!type)[^;]*from '[./]+\/api\/[^']+'|from 'zod'/m.test(
				readFileSync(file, 'utf8').replace(/^import type .*$/gm, ''),
			),
		);
	assert.deepEqual(offending, []);
});
