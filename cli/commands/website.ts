import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { parse } from 'csv-parse/sync';
import { createWebsiteBody } from '../../api/websites.ts';
import { operate } from '../operate.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';

export function websiteCommand(): Command {
	return new Command('website')
		.description('Create websites, and move them to another account.')
		.addCommand(
			folderCommand(
				'create',
				'Create websites, from the command line or a CSV file; prints an id a line. Safe to repeat.',
			)
				.requiredOption('--account <email>', 'account that will own them')
				.argument('[domain...]', 'domains')
				.option(
					'--file <csv>',
					'a domain a line, or columns named as the fields of the API (domain, privacy, timezone …)',
				)
				.option('--json', 'as JSON, with the domains')
				.action(create),
		)
		.addCommand(
			folderCommand(
				'move',
				'Give a website to another account, at once. Its id, statistics and goals stay; members and keys lose it.',
			)
				.argument('<id>', 'id of the website')
				.requiredOption('--to <email>', 'account that will own it')
				.option('--json', 'as JSON')
				.action(move),
		);
}

async function move(id: string, options: { data?: string; to: string; json?: boolean }) {
	if (!/^[1-9]\d{0,14}$/.test(id)) throw new Error(`"${id}" is not the id of a website.`);
	const moved = await operate(configOf(options), 'website.move', { id: Number(id), email: options.to });
	const { domain, from, to } = moved;
	if (options.json) return printJson({ id: moved.id, domain, from: from.email, to });
	print(`${domain} (${moved.id}) belongs to ${to} now. It was ${from.email}'s.`);
}

async function create(
	domains: string[],
	options: { data?: string; account: string; file?: string; json?: boolean },
) {
	const rows = [
		...domains.map((domain) => ({ domain })),
		...(options.file === undefined ? [] : readRows(options.file)),
	];
	if (rows.length === 0) throw new Error('Name at least one domain, or a file with --file domains.csv.');
	const websites = await operate(configOf(options), 'website.create', { email: options.account, rows });
	if (options.json) return printJson(websites);
	for (const { id } of websites) print(String(id));
	const made = websites.filter(({ created }) => created).length;
	process.stderr.write(`${made} created, ${websites.length - made} were there already.\n`);
}

/** With a heading row when the first line holds the word domain, else one domain a line in the first column. */
function readRows(file: string): Record<string, string>[] {
	const lines: string[][] = parse(readFileSync(file), {
		bom: true,
		trim: true,
		skip_empty_lines: true,
		relax_column_count: true,
		comment: '#',
	});
	const [first = []] = lines;
	const headings = first.map((name) => name.toLowerCase());
	if (!headings.includes('domain')) return lines.map(([domain = '']) => ({ domain }));
	const unknown = headings.filter((name) => !(name in createWebsiteBody.shape));
	if (unknown.length > 0) {
		throw new Error(
			`${file} has columns that are no fields: ${unknown.join(', ')}. There are: ${Object.keys(createWebsiteBody.shape).join(', ')}.`,
		);
	}
	return lines
		.slice(1)
		.map((line) => Object.fromEntries(headings.map((name, column) => [name, line[column] ?? ''])));
}
