import type { Fault } from './faults.ts';

/** Faults of an installation in several processes. */
export const roleFaults: readonly Fault[] = [
	{
		name: 'a line that is cut without a word is believed for ever',
		file: 'server/store/postgres.ts',
		line: 'return keepAsking(fresh, () => fresh !== client);',
		instead: 'return new Promise<void>(() => undefined);',
		tests: ['test/roles/reach.solo.test.ts'],
	},
	{
		name: 'what changed while a process was deaf is not asked for again',
		file: 'server/ingest/lookups/tracked-websites.ts',
		line: 'connectedSince !== undefined && loadedAt > connectedSince ? maxAgeMs : maxAgeWhileDisconnectedMs',
		instead: 'maxAgeMs',
		tests: ['test/roles/reach.solo.test.ts'],
	},
	{
		name: 'a process with another secret is let in',
		file: 'server/stores.ts',
		line: 'if (config.databaseUrl !== undefined) await checkSecret(postgres, secret);',
		instead: '',
		tests: ['test/roles/roles.test.ts'],
	},
	{
		name: 'a process that does not collect takes hits',
		file: 'server/roles/http-server.ts',
		line: "collect && config.roles.includes('collect')",
		instead: 'collect',
		tests: ['test/roles/roles.test.ts'],
	},
	{
		name: 'a start gives up when PostgreSQL is away',
		file: 'server/main.ts',
		line: 'config.databaseUrl !== undefined && (isUnreachable(error) || isExhausted(error))',
		instead: 'isExhausted(error)',
		tests: ['test/roles/away.slow.test.ts'],
	},
	{
		name: 'a start gives up when NATS is away',
		file: 'server/service.ts',
		line: 'isUnreachable: (error) => nats?.isNatsUnreachable(error) ?? false,',
		instead: 'isUnreachable: () => false,',
		tests: ['test/roles/away.slow.test.ts'],
	},
	{
		name: 'a NATS that promises too little is waited for',
		file: 'server/event-log/jetstream-log.ts',
		line: ' || error instanceof UnusableNats) return false;',
		instead: ') return false;',
		tests: ['test/roles/away.slow.test.ts'],
	},
	{
		name: 'the lock of a folder is taken again while it is released',
		file: 'server/store/folder-lock.ts',
		line: 'if (released) await taken.end();',
		instead: 'if (released) void taken;',
		tests: ['test/roles/away.slow.test.ts'],
	},
	{
		name: 'a log that cannot be written ends the service',
		file: 'server/lib/log.ts',
		line: "destination.on('error', () => undefined);",
		instead: '',
		tests: ['test/roles/away.slow.test.ts'],
	},
	{
		name: 'a certificate is taken for what it says',
		file: 'server/store/postgres.ts',
		line: 'ssl: { ca, host }',
		instead: 'ssl: { ca, host, rejectUnauthorized: false }',
		tests: ['test/roles/tls.test.ts'],
	},
];
