import { Command } from 'commander';
import { confirm } from '../confirm.ts';
import { operate } from '../operate.ts';
import { passwordUrl } from '../password-url.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';
import { formatTable } from '../table.ts';

export function accountCommand(): Command {
	return new Command('account')
		.description('Create, list, reset, disable, delete and limit accounts.')
		.addCommand(
			folderCommand(
				'create',
				'Create an account; prints its first API key, which is shown this once, and a link to set a password.',
			)
				.requiredOption('--email <address>', 'e-mail address')
				.requiredOption('--name <name>', 'name')
				.option('--locale <language>', 'language (default: en)')
				.option('--timezone <zone>', 'time zone for new websites (default: UTC)')
				.option('--json', 'as JSON')
				.action(create),
		)
		.addCommand(folderCommand('list', 'List accounts.').option('--json', 'as JSON').action(list))
		.addCommand(
			folderCommand('reset', 'Print a link that sets a new password, once and within half an hour.')
				.argument('<email>')
				.option('--json', 'as JSON')
				.action(reset),
		)
		.addCommand(
			folderCommand('disable', 'Shut an account: its keys stop working. --undo opens it again.')
				.argument('<email>')
				.option('--undo', 'open it again')
				.action(disable),
		)
		.addCommand(
			folderCommand('delete', 'Delete an account with its websites and their statistics.')
				.argument('<email>')
				.option('--yes', 'do not ask')
				.action(remove),
		)
		.addCommand(
			folderCommand('limit', 'Limit what an account may have; `none` takes a limit away.')
				.argument('<email>')
				.option('--websites <number>', 'websites', readLimit)
				.option('--pageviews <number>', 'page views a month', readLimit)
				.option('--hits <number>', 'hits a second of each website; none: as the service is set', readLimit)
				.option('--json', 'as JSON')
				.action(limit),
		);
}

type Folder = { data?: string };

async function create(
	options: Folder & { email: string; name: string; locale?: string; timezone?: string; json?: boolean },
) {
	const { email, name, locale, timezone } = options;
	const config = configOf(options);
	const { account, secret, link } = await operate(config, 'account.create', {
		email,
		name,
		locale,
		timezone,
	});
	const url = passwordUrl(config, link);
	if (options.json) return printJson({ account_id: account.id, key: secret, link: url });
	print(`Account ${account.id} was created for ${account.email}.`);
	print(`Its API key, shown this once: ${secret}`);
	print(`To sign in, set a password within 7 days: ${url}`);
}

async function reset(email: string, options: Folder & { json?: boolean }) {
	const config = configOf(options);
	const url = passwordUrl(config, await operate(config, 'account.reset', { email }));
	if (options.json) return printJson({ link: url });
	print(`Whoever opens this link sets the password of ${email}, once and within half an hour: ${url}`);
}

async function list(options: Folder & { json?: boolean }) {
	const accounts = await operate(configOf(options), 'account.list', {});
	if (options.json) return printJson(accounts);
	if (accounts.length === 0)
		return print('There is no account yet: tidemark account create --email E --name N');
	const number = (value: number | null) => (value === null ? 'none' : String(value));
	print(
		formatTable(
			['id', 'email', 'name', 'websites', 'limit', 'page views a month', 'state'],
			accounts.map((account) => [
				account.id,
				account.email,
				account.name,
				account.websiteCount,
				number(account.websiteLimit),
				number(account.pageviewLimit),
				account.disabledAt ? 'disabled' : 'open',
			]),
		),
	);
}

async function disable(email: string, options: Folder & { undo?: boolean }) {
	await operate(configOf(options), 'account.disable', { email, disabled: !options.undo });
	print(options.undo ? `${email} is open again.` : `${email} is disabled; its keys stopped working.`);
}

async function remove(email: string, options: Folder & { yes?: boolean }) {
	const config = configOf(options);
	const account = await operate(config, 'account.find', { email });
	const what = `the account ${account.email} with ${account.websiteCount} websites and all their statistics`;
	if (!options.yes && !(await confirm(`This deletes ${what}.`, account.email))) return;
	await operate(config, 'account.delete', { email });
	print(`Deleted ${what}.`);
}

async function limit(
	email: string,
	options: Folder & { websites?: Limit; pageviews?: Limit; hits?: Limit; json?: boolean },
) {
	if ([options.websites, options.pageviews, options.hits].every((limit) => limit === undefined)) {
		throw new Error('Say what to limit: --websites N, --pageviews N or --hits N; `none` takes a limit away.');
	}
	const account = await operate(configOf(options), 'account.limit', {
		email,
		websites: numberOf(options.websites),
		pageviews: numberOf(options.pageviews),
		hits: numberOf(options.hits),
	});
	if (options.json) return printJson(account);
	print(
		`${account.email}: websites ${account.websiteLimit ?? 'none'}, page views a month ${account.pageviewLimit ?? 'none'}, ` +
			`hits a second of a website ${account.hitLimit ?? 'as the service is set'}.`,
	);
}

type Limit = number | 'none';

// Commander turns a null of an option into an empty text, so `none` stays a word until here.
const numberOf = (limit: Limit | undefined) => (limit === 'none' ? null : limit);

function readLimit(text: string): Limit {
	if (text === 'none') return text;
	if (!/^\d{1,12}$/.test(text)) throw new Error(`"${text}" is not a limit: write a whole number, or none.`);
	return Number(text);
}
