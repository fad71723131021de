import { type Command, Option } from 'commander';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, printJson, readDate, readWebsiteId } from '../settings.ts';

export function reportCommand(): Command {
	return folderCommand('report', 'Print the weekly or monthly report of a website.')
		.requiredOption('--website <id>', 'id of the website', readWebsiteId)
		.addOption(new Option('--kind <kind>', 'period of the report').choices(['week', 'month']).default('week'))
		.option('--from <date>', 'a date in the week or month (default: the last complete one)', readDate)
		.option('--json', 'print JSON')
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
	const { report: json, text } = await runOperation(configOf(options), 'report', {
		websiteId,
		kind,
		day,
		width: columns,
		isColored: isTTY === true && process.env.NO_COLOR === undefined,
	});
	if (options.json) printJson(json);
	else print(text);
}
