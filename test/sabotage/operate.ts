import type { Fault } from './faults.ts';

const onePoint = ['test/backup/one-point.slow.test.ts'];

/** Faults of backups and of what comes back of them. */
export const operateFaults: readonly Fault[] = [
	{
		name: 'a backup is taken while the writer writes',
		file: 'server/backup/take.ts',
		line: 'await holdStill(postgres, async () => {',
		instead: 'await ((_: unknown, work: () => Promise<any>) => work())(postgres, async () => {',
		tests: onePoint,
	},
	{
		name: 'a tombstone is not carried out again after a restore',
		file: 'server/backup/restore.ts',
		line: 'await tx.run(sql`UPDATE tombstones SET erased_at = NULL`);',
		instead: '',
		tests: onePoint,
	},
	{
		name: 'numbers are given out once more after a restore',
		file: 'server/backup/restore.ts',
		line: 'if (last !== null)',
		instead: 'if (last === null)',
		tests: onePoint,
	},
	{
		name: 'a service starts on half a restore',
		file: 'server/backup/restore.ts',
		line: 'if (existsSync(join(folder, markerName))) throw unfinished();',
		instead: '',
		tests: ['test/backup/backup.slow.test.ts'],
	},
	{
		name: 'the seal of a frame is not compared',
		file: 'server/backup/file.ts',
		line: 'return before.equals(seal) ? content : undefined;',
		instead: 'return content;',
		tests: ['test/backup/backup.slow.test.ts'],
	},
	{
		name: 'sessions are in a backup',
		file: 'server/backup/contents.ts',
		line: "sessions: 'People sign in again.',",
		instead: '',
		tests: ['test/backup/backup.slow.test.ts'],
	},
	{
		name: 'a new version changes a folder without a backup',
		file: 'server/stores.ts',
		line: "if (isDue && clickhouse && config.upgradeBackup === 'on') {",
		instead: 'if (isDue && !clickhouse) {',
		tests: ['test/backup/upgrade.slow.test.ts'],
	},
];
