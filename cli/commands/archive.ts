import { resolve } from 'node:path';
import { Command } from 'commander';
import { controlPath, isServed } from '../../server/control/call.ts';
import { createLog } from '../../server/lib/log.ts';
import { mergeInto } from '../../server/main.ts';
import { showProgress, size } from '../progress.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';
import { formatTable } from '../table.ts';
import { backup, passphraseNote } from './backup.ts';

export function archiveCommand(): Command {
	return new Command('archive')
		.description('A whole installation as one file, and the websites of another one made part of this one.')
		.addCommand(
			folderCommand('create', 'Write everything into one file: the same as `tidemark backup`.')
				.argument('<file>', 'file to make; it must not be there yet')
				.option('--json', 'as JSON')
				.addHelpText('after', `\n${passphraseNote}`)
				.action(backup),
		)
		.addCommand(
			folderCommand('merge', 'Take over the accounts and websites of another installation.')
				.argument('<file>', 'an archive or a backup of it')
				.option('--account <email>', 'give all websites to this account, and make no others')
				.option('--dry-run', 'say what would be done, and do nothing')
				.option('--json', 'as JSON')
				.addHelpText('after', `\n${passphraseNote}`)
				.action(merge),
		);
}

type Options = { data?: string; json?: boolean; account?: string; dryRun?: boolean };

async function merge(path: string, options: Options) {
	const config = configOf(options);
	if (await isServed(controlPath(config)))
		throw new Error(
			`Tidemark is running on ${config.dataFolder}. Stop it first; what is here stays as it is.`,
		);
	const progress = showProgress(size);
	const merged = await mergeInto(config, {
		...{ path: resolve(path), account: options.account, isDryRun: options.dryRun === true },
		log: createLog(config.logLevel === 'info' ? 'warn' : config.logLevel),
		report: progress.report,
	}).finally(progress.end);
	const { websites, known, newAccounts, withoutPassword, alertsLeft, events } = merged;
	if (options.json)
		return printJson({
			websites: websites.map(({ domain, oldId, id, account }) => ({ domain, old_id: oldId, id, account })),
			...{ known, new_accounts: newAccounts, without_password: withoutPassword },
			...{ alerts_left: alertsLeft, events, dry_run: options.dryRun === true },
		});
	if (websites.length > 0)
		print(
			formatTable(
				['website', 'id there', 'id here', 'account'],
				websites.map(({ domain, oldId, id, account }) => [domain, oldId, id ?? '', account]),
			),
		);
	const before =
		known === 0
			? ''
			: known === 1
				? ' One was merged before and stays as it is.'
				: ` ${known} were merged before and stay as they are.`;
	if (options.dryRun)
		print(`\nNothing was done. ${count(websites.length, 'website')} would be merged.${before}`);
	else print(`\nMerged ${count(websites.length, 'website')} with ${events} events.${before}`);
	if (newAccounts.length > 0)
		print(`${options.dryRun ? 'Would make' : 'Made'} ${count(newAccounts.length, 'account')}.`);
	for (const email of withoutPassword)
		print(`${email} needs a new password: tidemark account reset --email ${email}`);
	if (alertsLeft > 0)
		print(`${count(alertsLeft, 'alert')} to addresses on the net did not come along: set them up again.`);
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
