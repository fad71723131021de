import { Command } from 'commander';
import { scopeNames } from '../../api/keys.ts';
import { readExpiry, readId } from '../read-options.ts';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';
import { formatTable } from '../table.ts';

export function keyCommand(): Command {
	return new Command('key')
		.description('Create, list, update, rotate and revoke API keys.')
		.addCommand(
			folderCommand('create', 'Create an API key. It is shown only once.')
				.requiredOption('--account <email>', 'account of the key')
				.requiredOption('--name <name>', 'name of the key')
				.option('--read', 'read-only access')
				.option('--scope <scope...>', `only these permissions: ${scopeNames.join(', ')}`)
				.option('--website <id...>', 'only these websites')
				.option('--expires <when>', 'a date, a time, or a number of days such as 90d')
				.option('--network <network...>', 'only from these IP addresses and networks')
				.option('--json', 'print JSON')
				.action(create),
		)
		.addCommand(
			folderCommand('update', 'Rename a key or change its limits.')
				.argument('<id>')
				.option('--name <name>', 'name of the key')
				.option('--full', 'full access')
				.option('--read', 'read-only access')
				.option('--scope <scope...>', `only these permissions: ${scopeNames.join(', ')}`)
				.option('--website <id...>', 'only these websites, or "all"')
				.option('--expires <when>', 'a date, a time, a number of days such as 90d, or "never"')
				.option('--network <network...>', 'only from these IP addresses and networks, or "any"')
				.option('--json', 'print JSON')
				.action(update),
		)
		.addCommand(
			folderCommand('list', 'List API keys. Their secrets are not stored and cannot be shown.')
				.option('--account <email>', 'only this account')
				.option('--json', 'print JSON')
				.action(list),
		)
		.addCommand(
			folderCommand('rotate', 'Replace the secret of a key. The old one stops working immediately.')
				.argument('<id>')
				.option('--json', 'print JSON')
				.action(rotate),
		)
		.addCommand(
			folderCommand('revoke', 'Revoke a key. It stops working immediately.').argument('<id>').action(revoke),
		);
}

type Folder = { data?: string };

type Limits = {
	full?: boolean;
	read?: boolean;
	scope?: string[];
	website?: string[];
	expires?: string;
	network?: string[];
};

async function create(options: Folder & Limits & { account: string; name: string; json?: boolean }) {
	const { apiKey, secret } = await runOperation(configOf(options), 'key.create', {
		email: options.account,
		name: options.name,
		...readLimits(options),
	});
	if (options.json) return printJson({ key_id: apiKey.id, key: secret });
	print(`Key ${apiKey.id} (shown only once): ${secret}`);
}

async function update(id: string, options: Folder & Limits & { name?: string; json?: boolean }) {
	const apiKey = await runOperation(configOf(options), 'key.update', {
		id: readId(id),
		name: options.name,
		...readLimits(options),
	});
	if (options.json) return printJson(apiKey);
	print(`Updated key ${apiKey.id}.`);
}

/** What is not given is left out. */
function readLimits({ full, read, scope, website, expires, network }: Limits) {
	if ([full, read, scope].filter(Boolean).length > 1)
		throw new Error('Choose one of --full, --read and --scope.');
	return {
		...(full && { access: 'full' as const }),
		...(read && { access: 'read' as const }),
		...(scope && { scopes: scope.map(readScope) }),
		...(website && { websiteIds: isWord(website, 'all') ? null : website.map(readId) }),
		...(expires !== undefined && { expiresAt: readExpiry(expires, new Date()) }),
		...(network && { networks: isWord(network, 'any') ? null : network }),
	};
}

const isWord = (values: readonly string[], word: string) => values.length === 1 && values[0] === word;

function readScope(text: string): (typeof scopeNames)[number] {
	const scope = scopeNames.find((name) => name === text);
	if (!scope) throw new Error(`"${text}" is not a scope. The scopes are ${scopeNames.join(', ')}.`);
	return scope;
}

async function list(options: Folder & { account?: string; json?: boolean }) {
	const keys = await runOperation(configOf(options), 'key.list', { email: options.account });
	if (options.json) return printJson(keys);
	print(
		formatTable(
			[
				'id',
				'account',
				'name',
				'ends in',
				'access',
				'websites',
				'networks',
				'expires',
				'created',
				'last used',
			],
			keys.map((key) => [
				key.id,
				key.accountId,
				key.name,
				key.ending,
				key.scopes?.join(' ') ?? key.access,
				key.websiteIds === null ? 'all' : key.websiteIds.join(' '),
				key.networks?.join(' ') ?? 'any',
				key.expiresAt?.toISOString().slice(0, 16).replace('T', ' ') ?? 'never',
				key.createdAt.toISOString().slice(0, 10),
				key.lastUsedAt?.toISOString().slice(0, 16).replace('T', ' ') ?? 'never',
			]),
		),
	);
}

async function rotate(id: string, options: Folder & { json?: boolean }) {
	const { apiKey, secret } = await runOperation(configOf(options), 'key.rotate', { id: readId(id) });
	if (options.json) return printJson({ key_id: apiKey.id, key: secret });
	print(`New secret of key ${apiKey.id} (shown only once): ${secret}`);
}

async function revoke(id: string, options: Folder) {
	await runOperation(configOf(options), 'key.revoke', { id: readId(id) });
	print(`Revoked key ${id}.`);
}
