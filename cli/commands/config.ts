import { Command } from 'commander';
import { describeSettings, readConfig } from '../../server/config.ts';
import { print, printJson } from '../settings.ts';
import { formatTable } from '../table.ts';

export function configCommand(): Command {
	return new Command('config')
		.description('Show all settings: what can be set, and what is.')
		.option('--json', 'as JSON')
		.option('--markdown', 'the table of the documentation, with defaults')
		.action((options: { json?: boolean; markdown?: boolean }) => {
			if (options.markdown) return print(settingsMarkdown());
			const rows = describeSettings(readConfig(process.env));
			if (options.json) return printJson(rows);
			return print(
				formatTable(
					['setting', 'value', 'from', 'what it is'],
					rows.map(({ variable, value, origin, about }) => [variable, value, origin, about]),
				),
			);
		});
}

/** The operator's table in the documentation; a test holds the two equal. */
export function settingsMarkdown(): string {
	const rows = describeSettings().map(
		({ variable, value, about }) => `| \`${variable}\` | ${value === '' ? '' : `\`${value}\``} | ${about} |`,
	);
	return ['| Setting | Default | What it is |', '|---|---|---|', ...rows].join('\n');
}
