import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import type { OperationInput, OperationResult } from '../../server/control/operations.ts';
import { confirm } from '../confirm.ts';
import { dashboardUrl } from '../password-url.ts';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, printError, printJson, readWebsiteId } from '../settings.ts';
import { formatTable } from '../table.ts';

type Folder = { data?: string; json?: boolean };
type ProviderOptions = Folder & {
	issuer?: string;
	clientId?: string;
	label?: string;
	domains?: string;
	groupsClaim?: string;
	admit?: OperationInput<'oidc.add'>['admits'];
	secondFactor?: 'provider' | 'tidemark';
	public?: true;
	secretFile?: string;
	secret?: true;
};

export function oidcCommand(): Command {
	return new Command('oidc')
		.description('Manage sign-in with OpenID Connect.')
		.addCommand(
			withProviderOptions(
				folderCommand('add', 'Add a provider. Reads the client secret from stdin.').argument(
					'<name>',
					'name in URLs and commands, such as company',
				),
			).action(add),
		)
		.addCommand(
			withProviderOptions(
				folderCommand('update', 'Change a provider. Options that you omit stay unchanged.').argument(
					'<name>',
				),
			)
				.option('--secret', 'read a new client secret from stdin')
				.action(update),
		)
		.addCommand(
			folderCommand('list', 'List providers and the roles of their groups.')
				.option('--json', 'print JSON')
				.action(list),
		)
		.addCommand(
			folderCommand(
				'remove',
				'Remove a provider. People who signed in with it are signed out and lose the roles of its groups.',
			)
				.argument('<name>')
				.option('--yes', 'do not ask')
				.action(remove),
		)
		.addCommand(
			folderCommand('test', 'Check that the metadata and signing keys of a provider can be read.')
				.argument('<name>')
				.action(test),
		)
		.addCommand(
			folderCommand('map', 'Give the members of a group a role, at their next sign-in.')
				.argument('<name>')
				.argument('<group>')
				.addOption(roleOption())
				.option(
					'--account <account>',
					'on all websites of an account: its id or the email address of its primary owner',
				)
				.option('--website <id>', 'on one website', readWebsiteId)
				.action(map),
		)
		.addCommand(
			folderCommand('unmap', 'Remove all roles of a group. Its members lose them at their next sign-in.')
				.argument('<name>')
				.argument('<group>')
				.action(unmap),
		)
		.addCommand(
			folderCommand(
				'require',
				'Require people to sign in with a provider (on), or allow passwords and passkeys (off).',
			)
				.argument('<on|off>')
				.action(requireProvider),
		);
}

const roleOption = () =>
	new Option('--role <role>', 'role of the members')
		.choices(['viewer', 'editor', 'admin', 'owner'])
		.makeOptionMandatory();

const withProviderOptions = (command: Command): Command =>
	command
		.option('--issuer <url>', 'issuer URL of the provider')
		.option('--client-id <id>', 'client id that the provider gave to Tidemark')
		.option('--label <text>', 'text of the button (default: the name)')
		.option('--domains <domains>', 'accept only email addresses of these domains, separated by commas')
		.option('--groups-claim <claim>', 'claim with the groups of a person (default: groups)')
		.addOption(
			new Option(
				'--admit <who>',
				'who may sign in without an account: people who were invited by email address, also members of a mapped group, or everyone (default: invited)',
			).choices(['invited', 'groups', 'everyone']),
		)
		.addOption(
			new Option(
				'--second-factor <who>',
				'who asks for the second factor of people who have one in Tidemark (default: tidemark)',
			).choices(['provider', 'tidemark']),
		)
		.option('--public', 'the provider gave Tidemark no client secret')
		.option('--secret-file <file>', 'read the client secret from a file');

async function add(name: string, options: ProviderOptions) {
	const config = configOf(options);
	const { issuer, clientId, ...fields } = fieldsOf(options);
	if (issuer === undefined || clientId === undefined) throw new Error('Pass --issuer and --client-id.');
	const added = await runOperation(config, 'oidc.add', {
		name,
		issuer,
		clientId,
		secret: await readClientSecret(options),
		allowedDomains: fields.allowedDomains ?? [],
		groupsClaim: fields.groupsClaim ?? 'groups',
		admits: fields.admits ?? 'invited',
		hasSecondFactor: fields.hasSecondFactor ?? false,
		...(fields.label !== undefined && { label: fields.label }),
	});
	printError(`Added ${name}. Register this redirect URI at the provider:`);
	print(`${dashboardUrl(config, added.publicAddress)}/app/api/session/oidc/callback/${name}`);
	printError(`Then run \`tidemark oidc test ${name}\`.`);
}

async function update(name: string, options: ProviderOptions) {
	const isNewSecret = options.public || options.secret || options.secretFile !== undefined;
	await runOperation(configOf(options), 'oidc.update', {
		name,
		...fieldsOf(options),
		...(isNewSecret && { secret: await readClientSecret(options) }),
	});
	print(`Updated ${name}.`);
}

function fieldsOf({ issuer, clientId, label, domains, groupsClaim, admit, secondFactor }: ProviderOptions) {
	const fields: Omit<OperationInput<'oidc.update'>, 'name' | 'secret'> = {
		issuer,
		clientId,
		label,
		allowedDomains: domains
			?.toLowerCase()
			.split(',')
			.map((domain) => domain.trim())
			.filter((domain) => domain !== ''),
		groupsClaim,
		admits: admit,
		hasSecondFactor: secondFactor === undefined ? undefined : secondFactor === 'provider',
	};
	return fields;
}

/** Never an argument, which other users of the machine can see. */
async function readClientSecret(options: ProviderOptions): Promise<string | null> {
	if (options.public) return null;
	if (options.secretFile === undefined && process.stdin.isTTY)
		throw new Error(
			'Pipe the client secret into stdin, or use --secret-file. If the provider gave you none, use --public.',
		);
	const secret = readFileSync(options.secretFile ?? 0, 'utf8').trim();
	if (secret === '')
		throw new Error('The client secret is empty. If the provider gave you none, use --public.');
	return secret;
}

type Listed = OperationResult<'oidc.list'>['providers'][number];

async function list(options: Folder) {
	const { providers, required } = await runOperation(configOf(options), 'oidc.list', {});
	if (options.json) return printJson({ required, providers: providers.map(toJson) });
	if (providers.length === 0) return print('There are no providers. Add one with `tidemark oidc add`.');
	print(
		formatTable(
			['name', 'label', 'issuer', 'client id', 'domains', 'admits', 'second factor'],
			providers.map((provider) => [
				provider.name,
				provider.label,
				provider.issuer,
				provider.clientId,
				provider.allowedDomains.join(',') || 'any',
				provider.admits,
				provider.hasSecondFactor ? 'provider' : 'tidemark',
			]),
		),
	);
	const mappings = providers.flatMap(({ name, mappings: own }) =>
		own.map((mapping) => ({ ...mapping, name })),
	);
	if (mappings.length > 0)
		print(
			`\n${formatTable(
				['name', 'group', 'role', 'on'],
				mappings.map(({ name, group, role, accountId, websiteId }) => [
					name,
					group,
					role,
					websiteId === null ? `account ${accountId}` : `website ${websiteId}`,
				]),
			)}`,
		);
	print(
		required
			? '\nPeople can only sign in with a provider.'
			: '\nPeople can also sign in with a password or a passkey.',
	);
}

const toJson = (provider: Listed) => ({
	name: provider.name,
	label: provider.label,
	issuer: provider.issuer,
	client_id: provider.clientId,
	public: provider.isPublic,
	domains: provider.allowedDomains,
	groups_claim: provider.groupsClaim,
	admits: provider.admits,
	second_factor: provider.hasSecondFactor ? 'provider' : 'tidemark',
	groups: provider.mappings.map(({ group, role, accountId, websiteId }) => ({
		group,
		role,
		account_id: accountId,
		website_id: websiteId,
	})),
});

async function remove(name: string, options: { data?: string; yes?: boolean }) {
	const warning = `This removes ${name}. People who signed in with it are signed out and lose the roles of its groups.`;
	if (!options.yes && !(await confirm(warning, name))) return;
	await runOperation(configOf(options), 'oidc.remove', { name });
	print(`Removed ${name}.`);
}

async function test(name: string, options: Folder) {
	const { issuer, keys, authorizationEndpoint } = await runOperation(configOf(options), 'oidc.test', {
		name,
	});
	print(
		`${issuer} answers and has ${keys} ${keys === 1 ? 'key' : 'keys'}. People sign in at ${authorizationEndpoint}.`,
	);
}

async function map(
	name: string,
	group: string,
	options: Folder & { role: OperationInput<'oidc.map'>['role']; account?: string; website?: number },
) {
	// `role` is also an option of `serve`, with the roles of a process.
	const { role, account, website, ...folder } = options;
	if ((account === undefined) === (website === undefined))
		throw new Error('Pass either --account or --website.');
	await runOperation(configOf(folder), 'oidc.map', {
		name,
		group,
		role,
		account: account ?? null,
		websiteId: website ?? null,
	});
	print(`Members of ${group} become ${role} at their next sign-in with ${name}.`);
}

async function unmap(name: string, group: string, options: Folder) {
	const { removed } = await runOperation(configOf(options), 'oidc.unmap', { name, group });
	print(`Removed ${removed} ${removed === 1 ? 'role' : 'roles'} of ${group}.`);
}

async function requireProvider(state: string, options: Folder) {
	if (state !== 'on' && state !== 'off') throw new Error('Pass on or off.');
	await runOperation(configOf(options), 'oidc.require', { required: state === 'on' });
	print(
		state === 'on'
			? 'People can only sign in with a provider. People who are signed in stay signed in.'
			: 'People can sign in with a password or a passkey again.',
	);
}
