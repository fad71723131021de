/** Files that `TEST_CLICKHOUSE=strict` leaves out, and why: they are about the embedded engine. docs/settings.md has the same list. */
export const embeddedOnly: readonly { files: string; reason: string }[] = [
	{ files: 'test/engine', reason: 'endpoint, users, limits, start and stop of the embedded engine' },
	{
		files: 'test/store/cluster.test.ts',
		reason: 'Distributed tables inside one engine, which the stand-in does not have',
	},
	{
		files: 'test/store/embedded-postgres.slow.test.ts',
		reason: 'processes, ports and files of the embedded databases of one data folder',
	},
	{
		files: 'test/store/same-clickhouse.slow.test.ts',
		reason: 'data folders that are moved with the embedded engine in them',
	},
];
