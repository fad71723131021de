import type { Command } from 'commander';
import { controlPath, isServed } from '../../server/control/call.ts';
import { createLog } from '../../server/lib/log.ts';
import { version } from '../../server/lib/package.ts';
import type { Upgrade } from '../../server/main.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';
import { formatTable } from '../table.ts';

export function upgradeCommand(): Command {
	return folderCommand(
		'upgrade',
		'Back up the databases and migrate them to this version, as a start of the service does.',
	)
		.option('--dry-run', 'print what would be done without changing anything')
		.option('--json', 'print JSON')
		.action(upgrade);
}

async function upgrade(options: { data?: string; dryRun?: boolean; json?: boolean }) {
	const config = configOf(options);
	if (await isServed(controlPath(config)))
		throw new Error(`Tidemark is running on ${config.dataFolder}. Stop it first.`);
	const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel);
	// Loaded only here, because it imports the whole service: --help must not wait for it.
	const { openStores, planUpgrade } = await import('../../server/main.ts');
	const plan = await planUpgrade(config, log);
	const hasBackup = config.upgradeBackup === 'on' && config.databaseUrl === undefined;
	const estimate = estimateOf(plan, hasBackup);
	if (!options.dryRun) await (await openStores(config, { log, statistics: true })).close();
	if (options.json) {
		const { postgres, clickhouse, sizes } = plan;
		printJson({ version, postgres, clickhouse, ...estimate, free_bytes: sizes.freeBytes });
		return;
	}
	const steps = [
		...plan.postgres.map((step) => ['PostgreSQL', step.number, step.name] as const),
		...plan.clickhouse.map((step) => ['ClickHouse', step.number, step.name] as const),
	];
	if (steps.length === 0) return print(`The databases are up to date with Tidemark ${version}.`);
	print(formatTable(['database', 'migration', 'name'], steps));
	const backup = plan.isNew
		? ''
		: hasBackup
			? `A backup of about ${mb(estimate.backup_bytes)} is written first; ${mb(plan.sizes.freeBytes)} are free. `
			: 'No backup is written first. ';
	print(
		options.dryRun
			? `\n${steps.length} migrations to Tidemark ${version}. ${backup}Estimated time: ${estimate.seconds} s.`
			: `\nApplied ${steps.length} migrations. The databases are up to date with Tidemark ${version}.`,
	);
}

/** Measured on a two-core machine: backups at 20 MB/s, and up to a second per migration plus the time to read all of PostgreSQL. */
function estimateOf({ postgres, clickhouse, isNew, sizes }: Upgrade, hasBackup: boolean) {
	const steps = postgres.length + clickhouse.length;
	const backupBytes = hasBackup && !isNew && steps > 0 ? sizes.backupBytes : 0;
	const perMigration = isNew ? 0.1 : 0.5 + sizes.postgresBytes / 200_000_000;
	return {
		backup_bytes: backupBytes,
		seconds: Math.ceil(backupBytes / 20_000_000 + steps * perMigration),
	};
}

const mb = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`;
