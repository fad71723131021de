import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { Command } from 'commander';
import { readDomainList } from '../../server/items/domain-list.ts';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, printError, printJson, readWebsiteId } from '../settings.ts';

export function rulesCommand(): Command {
	return new Command('rules')
		.description('Import traffic rules.')
		.addCommand(
			folderCommand(
				'import',
				'Exclude new hits from the referrers in a list, such as referrer spam. Importing again replaces the list.',
			)
				.argument('<file>', 'one domain per line; # begins a comment')
				.requiredOption('--website <id>', 'id of the website', readWebsiteId)
				.option('--name <name>', 'name of the rule (default: the name of the file)')
				.option('--json', 'print JSON')
				.action(importList),
		);
}

const maxBytes = 1_048_576;

async function importList(
	file: string,
	options: { data?: string; website: number; name?: string; json?: boolean },
) {
	const stats = await stat(file).catch(() => undefined);
	if (!stats?.isFile()) throw new Error(`${file} does not exist or is not a file.`);
	if (stats.size > maxBytes) throw new Error(`${file} is larger than 1 MB.`);
	const domains = readDomainList(await readFile(file, 'utf8'));
	const name = options.name ?? basename(file, extname(file));
	const rule = await runOperation(configOf(options), 'rules.import', {
		websiteId: options.website,
		name,
		domains,
	});
	if (options.json) return printJson({ ...rule, name, domains: domains.length });
	print(String(rule.id));
	printError(
		rule.isNew
			? `Created the rule "${name}" with ${domains.length} ${domains.length === 1 ? 'domain' : 'domains'}. It applies to new traffic.`
			: `Updated the rule "${name}": ${rule.added} added, ${rule.removed} removed, ${domains.length} in total.`,
	);
}
