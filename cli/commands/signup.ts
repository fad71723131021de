import type { Command } from 'commander';
import type { OperationInput, OperationResult } from '../../server/control/operations.ts';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';

type Limit = number | 'none';
type Options = { data?: string; json?: boolean; websites?: Limit; pageviews?: Limit };
type Mode = NonNullable<OperationInput<'signup.set'>['mode']>;

export function signupCommand(): Command {
	return folderCommand(
		'signup',
		'Show who can create an account without an invitation, or change it: closed (nobody), domains (people with an email address of the domains that follow) or open (everyone).',
	)
		.argument('[mode]', 'closed, domains or open')
		.argument('[domains...]', 'with the mode domains: domains such as example.com')
		.option('--websites <number>', 'number of websites of new accounts, or none', readLimit)
		.option('--pageviews <number>', 'page views per month of new accounts, or none', readLimit)
		.option('--json', 'print JSON')
		.action(signup);
}

async function signup(mode: string | undefined, domains: string[], options: Options) {
	const config = configOf(options);
	const { websites, pageviews } = options;
	const isChange = mode !== undefined || websites !== undefined || pageviews !== undefined;
	const policy = isChange
		? await runOperation(config, 'signup.set', {
				mode: mode === undefined ? undefined : readMode(mode),
				domains: domains.length > 0 ? domains : undefined,
				websiteLimit: numberOf(websites),
				pageviewLimit: numberOf(pageviews),
			})
		: await runOperation(config, 'signup.get', {});
	if (options.json) return printJson(policy);
	print(describe(policy));
}

function describe({ mode, domains, websiteLimit, pageviewLimit }: OperationResult<'signup.get'>): string {
	if (mode === 'closed') return 'Sign-up is closed.';
	const who = mode === 'open' ? 'everyone' : `email addresses of ${domains.join(', ')}`;
	return `Sign-up is open to ${who}. New accounts: websites ${websiteLimit ?? 'none'}, page views per month ${pageviewLimit ?? 'none'} (limits).`;
}

function readMode(text: string): Mode {
	if (text === 'closed' || text === 'domains' || text === 'open') return text;
	throw new Error(`"${text}" is not a mode. The modes are closed, domains and open.`);
}

// Commander turns null into an empty string, so `none` is converted only here.
const numberOf = (limit: Limit | undefined) => (limit === 'none' ? null : limit);

function readLimit(text: string): Limit {
	if (text === 'none') return text;
	if (!/^\d{1,9}$/.test(text)) throw new Error(`"${text}" is not a limit. Use a whole number or none.`);
	return Number(text);
}
