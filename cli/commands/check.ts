import type { Command } from 'commander';
import { operate } from '../operate.ts';
import { configOf, folderCommand, print, printJson, readDate, readWebsiteId } from '../settings.ts';
import { formatTable } from '../table.ts';

export function checkCommand(): Command {
	return folderCommand(
		'check',
		'Compare stored visits and totals with the events that they were derived from; exit with 1 if they differ.',
	)
		.option('--website <id>', 'of this website only', readWebsiteId)
		.option('--from <date>', 'first date, such as 2026-11-01 (default: the first)', readDate)
		.option('--to <date>', 'last date (default: the last)', readDate)
		.option('--json', 'as JSON')
		.action(check);
}

const inWords = (days: number): string => (days === 1 ? '1 day was' : `${days} days were`);

async function check(options: {
	data?: string;
	website?: number;
	from?: string;
	to?: string;
	json?: boolean;
}) {
	const { website: websiteId, from, to } = options;
	const { days, differences } = await operate(configOf(options), 'check', { websiteId, from, to });
	if (differences.length > 0) process.exitCode = 1;
	if (options.json)
		printJson({
			days,
			differences: differences.map(({ websiteId: website_id, ...row }) => ({ website_id, ...row })),
		});
	else if (differences.length === 0) print(`${inWords(days)} compared. All agree.`);
	else {
		print(
			formatTable(
				['website', 'date', 'count', 'totals', 'visits', 'events'],
				differences.map((row) => [row.websiteId, row.date, row.count, row.totals, row.visits, row.events]),
			),
		);
		print(
			`\n${inWords(days)} compared, ${new Set(differences.map((row) => `${row.websiteId} ${row.date}`)).size} differ. Derive them anew with: tidemark rebuild --website ID --from DATE --to DATE`,
		);
	}
}
