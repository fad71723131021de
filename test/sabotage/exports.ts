import type { Fault } from './faults.ts';

const exporting = ['test/export/export.test.ts'];
const merging = ['test/export/merge.slow.test.ts'];

/** Faults of what goes out, and of what comes in from another installation. */
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
		file: 'server/engine/http-endpoint.ts',
		line: 'response.write(block, () => response.socket?.destroySoon());',
		instead: 'response.end();',
		tests: ['test/engine/streams.solo.test.ts'],
	},
	{
		name: 'a file whose making fails ends as if it were whole',
		file: 'server/http/api/send-response.ts',
		line: '() => raw.destroy(),\n\t);',
		instead: '() => raw.end(),\n\t);',
		tests: exporting,
	},
	{
		name: 'the next piece of a file is read over one that is not written yet',
		file: 'server/http/api/send-response.ts',
		line: 'await write(raw, piece);',
		instead: 'write(raw, piece).catch(() => undefined);',
		tests: exporting,
	},
	{
		name: 'events of a website that was emptied come along in a merge',
		file: 'server/backup/merge-rows.ts',
		line: "if (from !== undefined && time >= 0 && (cells[time] ?? '') < from) continue;",
		instead: '',
		// An archive may be made before or after the events of a reset website are deleted.
		tests: ['server/backup/merge-rows.test.ts'],
	},
	{
		name: 'what a killed merge has written stays, and is written once more',
		file: 'server/backup/merge.ts',
		line: 'if (Number(left?.rows) > 0)',
		instead: 'if (Number(left?.rows) < 0)',
		tests: merging,
	},
	{
		name: 'a role on all websites of somebody is one on those that they had here',
		file: 'server/backup/merge-records.ts',
		line: 'JOIN map_accounts o ON o.old = i.owner_id AND o.is_new',
		instead: 'JOIN map_accounts o ON o.old = i.owner_id',
		tests: merging,
	},
	{
		name: 'a website is merged each time',
		file: 'server/backup/merge-plan.ts',
		line: 'const websites = planned.filter(({ isDone }) => !isDone);',
		instead: 'const websites = planned;',
		tests: merging,
	},
];
