import type { Fault } from './faults.ts';

const exporting = ['test/export/export.test.ts'];

/** Faults of what goes out. */
export const exportFaults: readonly Fault[] = [
	{
		name: 'a formula stays a formula in an exported file',
		file: 'server/export/export.ts',
		line: "if (kind !== 'text' || raw) return column;",
		instead: 'return column;',
		tests: exporting,
	},
	{
		name: 'an account has as many exports at once as it likes',
		file: 'server/export/running.ts',
		line: 'if (running.has(accountId))',
		instead: 'if (accountId < 0)',
		tests: exporting,
	},
	{
		name: 'what was reset goes out until it is off the disk',
		file: 'server/export/export.ts',
		line: 'resetAt?.getTime() ?? 0',
		instead: 'resetAt ? 0 : 0',
		tests: exporting,
	},
	{
		name: 'a file that breaks off looks whole',
		file: 'server/engine/door.ts',
		line: 'response.write(block, () => response.socket?.destroySoon());',
		instead: 'response.end();',
		tests: ['test/engine/streams.test.ts'],
	},
];
