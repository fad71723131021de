import type { Command } from 'commander';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, printJson, readDate, readWebsiteId } from '../settings.ts';
import { formatTable } from '../table.ts';

export function checkCommand(): Command {
	return folderCommand(
		'check',
		'Compare visits and totals with the events they were derived from. Exits with 1 if they differ.',
	)
		.option('--website <id>', 'only this website', readWebsiteId)
		.option('--from <date>', 'first date, such as 2026-11-01 (default: first day)', readDate)
		.option('--to <date>', 'last date (default: last day)', readDate)
		.option('--despite-damage', 'compare the remaining data even if some is damaged')
		.option('--json', 'print JSON')
		.action(check);
}

const inWords = (days: number): string => `Compared ${days} ${days === 1 ? 'day' : 'days'}`;

async function check(options: {
	data?: string;
	website?: number;
	from?: string;
	to?: string;
	despiteDamage?: boolean;
	json?: boolean;
}) {
	const { website: websiteId, from, to, despiteDamage } = options;
	const { days, differences, hasLoss } = await runOperation(configOf(options), 'check', {
		websiteId,
		from,
		to,
		despiteDamage,
	});
	// No compared day must not count as success.
	if (differences.length > 0 || days === 0) process.exitCode = 1;
	if (options.json)
		printJson({
			days,
			differences: differences.map(({ websiteId: website_id, ...row }) => ({ website_id, ...row })),
		});
	else if (days === 0) print('No days compared: this range has no sealed day.');
	else if (differences.length === 0) print(`${inWords(days)}. No differences.`);
	else {
		// With --despite-damage they are listed, but rebuilding them would lose counts.
		const advice = hasLoss
			? 'Some days have fewer events than their totals. Do not rebuild them; restore their events with: tidemark repair FILE'
			: 'Rebuild them with: tidemark rebuild --website ID --from DATE --to DATE';
		print(
			formatTable(
				['website', 'date', 'count', 'totals', 'visits', 'events'],
				differences.map((row) => [row.websiteId, row.date, row.count, row.totals, row.visits, row.events]),
			),
		);
		print(
			`\n${inWords(days)}, ${new Set(differences.map((row) => `${row.websiteId} ${row.date}`)).size} differ. ${advice}`,
		);
	}
}
