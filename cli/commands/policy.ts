import { Command, InvalidArgumentError, Option } from 'commander';
import type { OperationInput, OperationResult } from '../../server/control/operations.ts';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, printError, printJson } from '../settings.ts';

type Folder = { data?: string; account?: string; json?: boolean };
type Changes = Folder & {
	signIn?: 'any' | 'second-factor' | 'provider';
	idle?: number | null;
	hours?: number | null;
	networks?: string[] | null;
};
type Policy = OperationResult<'policy.show'>;

export function policyCommand(): Command {
	const withAccount = (command: Command) =>
		command.option(
			'--account <account>',
			'the policy of one account: its id, or the email address of its primary owner (default: of all accounts)',
		);
	return new Command('policy')
		.description('Require how people sign in, limit sessions, and allow networks.')
		.addCommand(
			withAccount(folderCommand('show', 'Show a policy.')).option('--json', 'print JSON').action(show),
		)
		.addCommand(
			withAccount(folderCommand('set', 'Change a policy. Options that you omit stay unchanged.'))
				.addOption(
					new Option('--sign-in <how>', 'what people must sign in with').choices([
						'any',
						'second-factor',
						'provider',
					]),
				)
				.option('--idle <minutes>', 'end sessions that are unused for so long, or none', readNumber)
				.option('--hours <hours>', 'end sessions after so many hours, or none', readNumber)
				.option(
					'--networks <networks>',
					'allow the dashboard and API keys only from these addresses and networks, separated by commas, or none',
					readNetworks,
				)
				.action(set),
		)
		.addCommand(
			withAccount(folderCommand('clear', 'Remove a policy, for people who are locked out.'))
				.option('--networks', 'remove only the networks')
				.action(clear),
		);
}

function readNumber(text: string): number | null {
	if (text === 'none') return null;
	if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, or none.');
	return Number(text);
}

const readNetworks = (text: string): string[] | null =>
	text === 'none'
		? null
		: text
				.split(',')
				.map((network) => network.trim())
				.filter((network) => network !== '');

const nameOf = (account: string | undefined) =>
	account === undefined ? 'all accounts' : `the account ${account}`;

async function show(options: Folder) {
	const policy = await runOperation(configOf(options), 'policy.show', { account: options.account ?? null });
	if (options.json) return printJson(toJson(policy));
	print(describe(policy));
}

async function set(options: Changes) {
	const { account, signIn, idle, hours, networks } = options;
	const changes: Omit<OperationInput<'policy.set'>, 'account'> = {
		...(signIn !== undefined && { signIn: signIn === 'second-factor' ? 'second_factor' : signIn }),
		...(idle !== undefined && { idleMinutes: idle }),
		...(hours !== undefined && { sessionHours: hours }),
		...(networks !== undefined && { networks }),
	};
	if (Object.keys(changes).length === 0) throw new Error('Pass --sign-in, --idle, --hours or --networks.');
	const { hasProviders, ...policy } = await runOperation(configOf(options), 'policy.set', {
		account: account ?? null,
		...changes,
	});
	print(`Changed the policy of ${nameOf(account)}.\n${describe(policy)}`);
	if (policy.networks)
		printError(
			'People and API keys outside of these networks are refused. Check that yours is in the list; `tidemark policy clear --networks` removes it.',
		);
	if (policy.signIn === 'provider' && !hasProviders)
		printError(
			'There is no provider to sign in with, so nobody can meet this policy. Add one with `tidemark oidc add`.',
		);
}

async function clear({ account, networks, ...folder }: Folder & { networks?: true }) {
	await runOperation(configOf(folder), 'policy.clear', {
		account: account ?? null,
		onlyNetworks: networks === true,
	});
	print(
		networks
			? `Removed the networks from the policy of ${nameOf(account)}.`
			: `Removed the policy of ${nameOf(account)}.`,
	);
}

const signInTexts = {
	any: 'with a password, a passkey or a provider',
	second_factor: 'with a second factor',
	provider: 'with an identity provider',
};

const describe = ({ signIn, idleMinutes, sessionHours, networks }: Policy) =>
	[
		`People sign in ${signInTexts[signIn]}.`,
		`Sessions end after ${idleMinutes === null ? '7 days' : `${idleMinutes} minutes`} without use, and after ${sessionHours === null ? '30 days' : `${sessionHours} hours`}.`,
		`Allowed networks: ${networks?.join(', ') ?? 'all'}.`,
	].join('\n');

const toJson = ({ signIn, idleMinutes, sessionHours, networks }: Policy) => ({
	sign_in: signIn,
	session_idle_minutes: idleMinutes,
	session_hours: sessionHours,
	networks,
});
