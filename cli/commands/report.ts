import { type Command, Option } from 'commander';
import { operate } from '../operate.ts';
import { configOf, folderCommand, print, printJson, readDate, readWebsiteId } from '../settings.ts';

export function reportCommand(): Command {
	return folderCommand('report', 'Print the report of a website: the one that was mailed, or would be.')
		.requiredOption('--website <id>', 'of this website', readWebsiteId)
		.addOption(
			new Option('--kind <kind>', 'of a week or of a month').choices(['week', 'month']).default('week'),
		)
		.option('--from <date>', 'the one that this date lies in (default: the last that is over)', readDate)
		.option('--json', 'as JSON')
		.action(report);
}

async function report(options: {
	data?: string;
	website: number;
	kind: 'week' | 'month';
	from?: string;
	json?: boolean;
}) {
	const { website: websiteId, kind, from: day } = options;
	const { columns = 80, isTTY } = process.stdout;
	const made = await operate(configOf(options), 'report', {
		...{ websiteId, kind, day, width: columns },
		isColored: isTTY === true && process.env.NO_COLOR === undefined,
	});
	if (options.json) printJson(made.report);
	else print(made.text);
}
