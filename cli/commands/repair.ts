import { resolve } from 'node:path';
import type { Command } from 'commander';
import { controlPath, isServed } from '../../server/control/call.ts';
import { createLog } from '../../server/lib/log.ts';
import { showProgress, size } from '../progress.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';
import { formatTable } from '../table.ts';
import { passphraseNote } from './backup.ts';

export function repairCommand(): Command {
	return folderCommand(
		'repair',
		'Restore the data of damaged ClickHouse parts from a backup and keep everything else.',
	)
		.argument('[file]', 'the newest backup of this installation that contains the missing days')
		.option('--accept-loss', 'without a backup: delete the damaged parts and keep the totals')
		.option('--json', 'print JSON')
		.addHelpText('after', `\n${passphraseNote}`)
		.action(repair);
}

async function repair(
	path: string | undefined,
	options: { data?: string; json?: boolean; acceptLoss?: boolean },
) {
	if ((path === undefined) !== (options.acceptLoss === true))
		throw new Error(
			'Pass a backup, or accept the loss: tidemark repair FILE, or tidemark repair --accept-loss.',
		);
	const config = configOf(options);
	if (await isServed(controlPath(config)))
		throw new Error(`Tidemark is running on ${config.dataFolder}. Stop it first.`);
	const progress = showProgress(size);
	// Loaded only here, because it imports the whole service: --help must not wait for it.
	const { repairFrom } = await import('../../server/main.ts');
	const { parts, restored, days, lost } = await repairFrom(config, {
		path: path === undefined ? undefined : resolve(path),
		log: createLog(config.logLevel === 'info' ? 'warn' : config.logLevel),
		report: progress.report,
	}).finally(progress.end);
	if (options.json)
		return printJson({
			damaged_parts: parts,
			restored,
			days,
			lost: lost.map(({ websiteId: website_id, ...day }) => ({ website_id, ...day })),
		});
	const rows = Object.entries(restored).filter(([, count]) => count > 0);
	if (rows.length > 0) print(`${formatTable(['table', 'restored rows'], rows)}\n`);
	print(
		parts.length === 0 && rows.length === 0
			? 'No data is damaged or missing.'
			: `Deleted ${parts.length} damaged ${parts.length === 1 ? 'part' : 'parts'} and restored ${days} ${days === 1 ? 'day' : 'days'}.`,
	);
	if (lost.length > 0) {
		print(
			`\n${formatTable(
				['website', 'date', 'missing page views', 'missing events'],
				lost.map(({ websiteId, date, views, events }) => [websiteId, date, views, events]),
			)}`,
		);
		print('\nThe backup does not contain these events. The totals of these days are kept.');
	}
}
