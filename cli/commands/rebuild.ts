import type { Command } from 'commander';
import { operate } from '../operate.ts';
import { configOf, folderCommand, print, printJson, readDate, readWebsiteId } from '../settings.ts';

export function rebuildCommand(): Command {
	return folderCommand('rebuild', 'Derive the visits and totals of a website anew from its events.')
		.requiredOption('--website <id>', 'id of the website', readWebsiteId)
		.option('--from <date>', 'first date, such as 2026-11-01 (default: the first)', readDate)
		.option('--to <date>', 'last date (default: the last)', readDate)
		.option('--json', 'as JSON')
		.action(rebuild);
}

async function rebuild(options: {
	data?: string;
	website: number;
	from?: string;
	to?: string;
	json?: boolean;
}) {
	const { website: websiteId, from, to } = options;
	const rebuilt = await operate(configOf(options), 'rebuild', { websiteId, from, to });
	if (options.json) printJson({ website_id: websiteId, ...rebuilt });
	else if (rebuilt.days === 0) print(`Website ${websiteId} has no days there.`);
	else if (rebuilt.days === 1) print(`1 day, ${rebuilt.from}, was derived anew.`);
	else print(`${rebuilt.days} days from ${rebuilt.from} to ${rebuilt.to} were derived anew.`);
}
