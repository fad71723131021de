import { Command } from 'commander';
import { confirm } from '../confirm.ts';
import { passwordUrl } from '../password-url.ts';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';
import { formatTable } from '../table.ts';

/** Someone can be the primary owner of several accounts. */
const accountArgument = 'email address of the primary owner, or id';

export function accountCommand(): Command {
	return new Command('account')
		.description('Manage accounts.')
		.addCommand(
			folderCommand(
				'create',
				'Create an account. Prints its first API key, which is shown only once, and a link to set a password.',
			)
				.requiredOption('--email <address>', 'email address')
				.requiredOption('--name <name>', 'name')
				.option('--locale <language>', 'language (default: en)')
				.option('--timezone <zone>', 'time zone for new websites (default: UTC)')
				.option('--json', 'print JSON')
				.action(create),
		)
		.addCommand(folderCommand('list', 'List accounts.').option('--json', 'print JSON').action(list))
		.addCommand(
			folderCommand('reset', 'Print a link to set a new password. It works once, within 30 minutes.')
				.argument('<email>')
				.option(
					'--two-factor',
					'also remove the authenticator app, the recovery codes and the passkeys of the person, and end their sessions',
				)
				.option('--json', 'print JSON')
				.action(reset),
		)
		.addCommand(
			folderCommand('confirm', 'Mark the email address of an account as confirmed.')
				.argument('<email>')
				.action(confirmAddress),
		)
		.addCommand(
			folderCommand(
				'address',
				'Change the email address that a person signs in with, and mark it as confirmed.',
			)
				.argument('<email>')
				.argument('<new-email>')
				.action(setAddress),
		)
		.addCommand(
			folderCommand(
				'operator',
				'Make an account an operator, who sees the state of the service in the dashboard.',
			)
				.argument('<email>')
				.option('--undo', 'remove the operator role')
				.action(setOperator),
		)
		.addCommand(
			folderCommand(
				'owner',
				'Make a person the primary owner of an account, for example when the current one has left.',
			)
				.argument('<account>', accountArgument)
				.argument('<email>', 'email address of the person')
				.action(setOwner),
		)
		.addCommand(
			folderCommand('disable', 'Disable an account. Its API keys stop working.')
				.argument('<account>', accountArgument)
				.option('--undo', 'enable the account again')
				.action(disable),
		)
		.addCommand(
			folderCommand('delete', 'Delete an account with its websites and their statistics.')
				.argument('<account>', accountArgument)
				.option('--yes', 'do not ask for confirmation')
				.action(remove),
		)
		.addCommand(
			folderCommand('limit', 'Set the limits of an account. `none` removes a limit.')
				.argument('<account>', accountArgument)
				.option('--websites <number>', 'number of websites', readLimit)
				.option('--pageviews <number>', 'page views per month', readLimit)
				.option(
					'--hits <number>',
					'hits per second and website (none: TIDEMARK_WEBSITE_HIT_LIMIT)',
					readLimit,
				)
				.option('--json', 'print JSON')
				.action(limit),
		);
}

type Folder = { data?: string };

async function create(
	options: Folder & { email: string; name: string; locale?: string; timezone?: string; json?: boolean },
) {
	const { email, name, locale, timezone } = options;
	const config = configOf(options);
	const { account, secret, link } = await runOperation(config, 'account.create', {
		email,
		name,
		locale,
		timezone,
	});
	const url = passwordUrl(config, link);
	if (options.json) return printJson({ account_id: account.id, key: secret, link: url });
	print(`Created account ${account.id} for ${account.email}.`);
	print(`API key (shown only once): ${secret}`);
	print(`To sign in, set a password within 7 days: ${url}`);
}

async function reset(email: string, options: Folder & { json?: boolean; twoFactor?: boolean }) {
	const config = configOf(options);
	const removesSecondFactors = options.twoFactor ?? false;
	const url = passwordUrl(
		config,
		await runOperation(config, 'account.reset', { email, removesSecondFactors }),
	);
	if (options.json) return printJson({ link: url });
	if (removesSecondFactors) print(`Removed the second factors and passkeys of ${email}.`);
	print(`Link to set the password of ${email} (works once, within 30 minutes): ${url}`);
}

async function list(options: Folder & { json?: boolean }) {
	const accounts = await runOperation(configOf(options), 'account.list', {});
	if (options.json) return printJson(accounts);
	if (accounts.length === 0)
		return print('There are no accounts. Create one with: tidemark account create --email EMAIL --name NAME');
	const number = (value: number | null) => (value === null ? 'none' : String(value));
	print(
		formatTable(
			['id', 'email', 'name', 'owners', 'websites', 'limit', 'page views per month', 'state'],
			accounts.map((account) => [
				account.id,
				account.email,
				account.name,
				account.owners,
				account.websiteCount,
				number(account.websiteLimit),
				number(account.pageviewLimit),
				[
					account.disabledAt ? 'disabled' : 'active',
					...(account.isOperator ? ['operator'] : []),
					...(account.confirmedAt ? [] : ['unconfirmed']),
				].join(', '),
			]),
		),
	);
}

async function confirmAddress(email: string, options: Folder) {
	const { wasUnconfirmed } = await runOperation(configOf(options), 'account.confirm', { email });
	print(wasUnconfirmed ? `Confirmed ${email}.` : `${email} was already confirmed.`);
}

async function setAddress(email: string, newEmail: string, options: Folder) {
	await runOperation(configOf(options), 'account.address', { email, newEmail });
	print(`${email} now signs in as ${newEmail}.`);
}

async function setOperator(email: string, options: Folder & { undo?: boolean }) {
	await runOperation(configOf(options), 'account.operator', { email, isOperator: !options.undo });
	print(options.undo ? `${email} is no longer an operator.` : `${email} is now an operator.`);
}

async function setOwner(account: string, email: string, options: Folder) {
	const changed = await runOperation(configOf(options), 'account.owner', { account, email });
	print(`${changed.email} is now the primary owner of account ${changed.id} (${changed.name}).`);
}

async function disable(email: string, options: Folder & { undo?: boolean }) {
	await runOperation(configOf(options), 'account.disable', { email, disabled: !options.undo });
	print(options.undo ? `Enabled ${email}.` : `Disabled ${email}. Its API keys no longer work.`);
}

async function remove(email: string, options: Folder & { yes?: boolean }) {
	const config = configOf(options);
	const account = await runOperation(config, 'account.find', { email });
	const subject = `the account ${account.email} with ${account.websiteCount} websites and all their statistics`;
	if (!options.yes && !(await confirm(`This deletes ${subject}.`, account.email))) return;
	await runOperation(config, 'account.delete', { email });
	print(`Deleted ${subject}.`);
}

async function limit(
	email: string,
	options: Folder & { websites?: Limit; pageviews?: Limit; hits?: Limit; json?: boolean },
) {
	if ([options.websites, options.pageviews, options.hits].every((limit) => limit === undefined)) {
		throw new Error(
			'Pass --websites, --pageviews or --hits with a number, or with `none` to remove the limit.',
		);
	}
	const account = await runOperation(configOf(options), 'account.limit', {
		email,
		websites: numberOf(options.websites),
		pageviews: numberOf(options.pageviews),
		hits: numberOf(options.hits),
	});
	if (options.json) return printJson(account);
	print(
		`${account.email}: websites ${account.websiteLimit ?? 'none'}, page views per month ${account.pageviewLimit ?? 'none'}, ` +
			`hits per second and website ${account.hitLimit ?? 'as in TIDEMARK_WEBSITE_HIT_LIMIT'}.`,
	);
}

type Limit = number | 'none';

// Commander turns null into an empty string, so `none` is converted only here.
const numberOf = (limit: Limit | undefined) => (limit === 'none' ? null : limit);

function readLimit(text: string): Limit {
	if (text === 'none') return text;
	if (!/^\d{1,12}$/.test(text)) throw new Error(`"${text}" is not a limit. Use a whole number or none.`);
	return Number(text);
}
