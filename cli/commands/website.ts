import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { parse } from 'csv-parse/sync';
import { createWebsiteBody } from '../../api/websites.ts';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';

export function websiteCommand(): Command {
	return new Command('website')
		.description('Create websites and transfer them to another account.')
		.addCommand(
			folderCommand(
				'create',
				'Create websites from arguments or a CSV file and print one id per line. Existing websites are kept.',
			)
				.requiredOption('--account <email>', 'account that owns the websites')
				.argument('[domain...]', 'domains of the new websites')
				.option(
					'--file <csv>',
					'one domain per line, or columns named like the API fields (domain, privacy, timezone …)',
				)
				.option('--json', 'print JSON with the domains')
				.action(create),
		)
		.addCommand(
			folderCommand(
				'move',
				'Transfer a website to another account immediately. It keeps its id, statistics and goals; members and API keys lose access.',
			)
				.argument('<id>', 'id of the website')
				.requiredOption('--to <email>', 'new owner')
				.option('--json', 'print JSON')
				.action(move),
		);
}

async function move(id: string, options: { data?: string; to: string; json?: boolean }) {
	if (!/^[1-9]\d{0,14}$/.test(id)) throw new Error(`"${id}" is not a website id.`);
	const moved = await runOperation(configOf(options), 'website.move', { id: Number(id), email: options.to });
	const { domain, from, to } = moved;
	if (options.json) return printJson({ id: moved.id, domain, from: from.email, to });
	print(`Transferred ${domain} (${moved.id}) from ${from.email} to ${to}.`);
}

async function create(
	domains: string[],
	options: { data?: string; account: string; file?: string; json?: boolean },
) {
	const rows = [
		...domains.map((domain) => ({ domain })),
		...(options.file === undefined ? [] : readRows(options.file)),
	];
	if (rows.length === 0) throw new Error('Pass at least one domain, or a file with --file domains.csv.');
	const websites = await runOperation(configOf(options), 'website.create', { email: options.account, rows });
	if (options.json) return printJson(websites);
	for (const { id } of websites) print(String(id));
	const createdCount = websites.filter(({ created }) => created).length;
	process.stderr.write(`${createdCount} created, ${websites.length - createdCount} already existed.\n`);
}

/** The first line is a header if it contains `domain`. Otherwise the first column holds the domains. */
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
			`${file} has unknown columns: ${unknown.join(', ')}. Allowed: ${Object.keys(createWebsiteBody.shape).join(', ')}.`,
		);
	}
	return lines
		.slice(1)
		.map((line) => Object.fromEntries(headings.map((name, column) => [name, line[column] ?? ''])));
}
