import { Command } from 'commander';
import { describeSettings, readConfig } from '../../server/config.ts';
import { print, printJson } from '../settings.ts';
import { formatTable } from '../table.ts';

export function configCommand(): Command {
	return new Command('config')
		.description('Show all settings and their values.')
		.option('--json', 'print JSON')
		.option('--markdown', 'print a Markdown table with the defaults')
		.action((options: { json?: boolean; markdown?: boolean }) => {
			if (options.markdown) return print(settingsMarkdown());
			const rows = describeSettings(readConfig(process.env));
			if (options.json) return printJson(rows);
			return print(
				formatTable(
					['setting', 'value', 'source', 'description'],
					rows.map(({ variable, value, origin, about }) => [variable, value, origin, about]),
				),
			);
		});
}

/** The table in docs/settings.md; a test compares the two. */
export function settingsMarkdown(): string {
	const rows = describeSettings().map(
		({ variable, value, about }) => `| \`${variable}\` | ${value === '' ? '' : `\`${value}\``} | ${about} |`,
	);
	return ['| Setting | Default | Description |', '|---|---|---|', ...rows].join('\n');
}
