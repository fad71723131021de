import { resolve } from 'node:path';
import { Command } from 'commander';
import { controlPath, isServed } from '../../server/control/call.ts';
import { createLog } from '../../server/lib/log.ts';
import { showProgress, size } from '../progress.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';
import { formatTable } from '../table.ts';
import { backup, passphraseNote } from './backup.ts';

export function archiveCommand(): Command {
	return new Command('archive')
		.description('Archive a whole installation, or merge an archive into this one.')
		.addCommand(
			folderCommand('create', 'Write all data to one file; the same as `tidemark backup`.')
				.argument('<file>', 'file to create; it must not exist yet')
				.option('--json', 'print JSON')
				.addHelpText('after', `\n${passphraseNote}`)
				.action(backup),
		)
		.addCommand(
			folderCommand('merge', 'Add the accounts and websites of another installation to this one.')
				.argument('<file>', 'an archive or backup of the other installation')
				.option('--account <email>', 'assign all websites to this account instead of creating accounts')
				.option('--dry-run', 'print what would be done without changing anything')
				.option('--json', 'print JSON')
				.addHelpText('after', `\n${passphraseNote}`)
				.action(merge),
		);
}

type Options = { data?: string; json?: boolean; account?: string; dryRun?: boolean };

async function merge(path: string, options: Options) {
	const config = configOf(options);
	if (await isServed(controlPath(config)))
		throw new Error(
			`Tidemark is running on ${config.dataFolder}. Stop it first; existing data stays unchanged.`,
		);
	const progress = showProgress(size);
	// Loaded only here, because it imports the whole service: --help must not wait for it.
	const { mergeInto } = await import('../../server/main.ts');
	const merged = await mergeInto(config, {
		path: resolve(path),
		account: options.account,
		isDryRun: options.dryRun === true,
		log: createLog(config.logLevel === 'info' ? 'warn' : config.logLevel),
		report: progress.report,
	}).finally(progress.end);
	const { websites, known, newAccounts, withoutPassword, alertsLeft, events } = merged;
	if (options.json)
		return printJson({
			websites: websites.map(({ domain, oldId, id, account }) => ({ domain, old_id: oldId, id, account })),
			known,
			new_accounts: newAccounts,
			without_password: withoutPassword,
			alerts_left: alertsLeft,
			events,
			dry_run: options.dryRun === true,
		});
	if (websites.length > 0)
		print(
			formatTable(
				['website', 'old id', 'new id', 'account'],
				websites.map(({ domain, oldId, id, account }) => [domain, oldId, id ?? '', account]),
			),
		);
	const before = known === 0 ? '' : ` Skipped ${count(known, 'website')} merged earlier.`;
	if (options.dryRun) print(`\nDry run: ${count(websites.length, 'website')} would be merged.${before}`);
	else print(`\nMerged ${count(websites.length, 'website')} with ${events} events.${before}`);
	if (newAccounts.length > 0)
		print(`${options.dryRun ? 'Would create' : 'Created'} ${count(newAccounts.length, 'account')}.`);
	for (const email of withoutPassword)
		print(`${email} has no password. Create a link to set one: tidemark account reset ${email}`);
	if (alertsLeft > 0) print(`${count(alertsLeft, 'webhook alert')} could not be merged. Set them up again.`);
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
