import type { Command } from 'commander';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, printJson, readDate, readWebsiteId } from '../settings.ts';

export function rebuildCommand(): Command {
	return folderCommand('rebuild', 'Rebuild the visits and totals of a website from its events.')
		.requiredOption('--website <id>', 'id of the website', readWebsiteId)
		.option('--from <date>', 'first date, such as 2026-11-01 (default: first day)', readDate)
		.option('--to <date>', 'last date (default: last day)', readDate)
		.option(
			'--accept-loss',
			'also rebuild days with fewer events than their totals; those counts are lost permanently',
		)
		.option('--json', 'print JSON')
		.action(rebuild);
}

async function rebuild(options: {
	data?: string;
	website: number;
	from?: string;
	to?: string;
	acceptLoss?: boolean;
	json?: boolean;
}) {
	const { website: websiteId, from, to, acceptLoss } = options;
	const rebuilt = await runOperation(configOf(options), 'rebuild', { websiteId, from, to, acceptLoss });
	if (options.json) printJson({ website_id: websiteId, ...rebuilt });
	else if (rebuilt.days === 0) print(`Website ${websiteId} has no days in this range.`);
	else if (rebuilt.days === 1) print(`Rebuilt 1 day: ${rebuilt.from}.`);
	else print(`Rebuilt ${rebuilt.days} days from ${rebuilt.from} to ${rebuilt.to}.`);
}
