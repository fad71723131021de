import { Command } from 'commander';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';
import { formatTable } from '../table.ts';

export function keyCommand(): Command {
	return new Command('key')
		.description('Create, list, rotate and revoke API keys.')
		.addCommand(
			folderCommand('create', 'Create an API key. It is shown only once.')
				.requiredOption('--account <email>', 'account of the key')
				.requiredOption('--name <name>', 'name of the key')
				.option('--read', 'read-only access')
				.option('--website <id...>', 'only these websites')
				.option('--json', 'print JSON')
				.action(create),
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

async function create(
	options: Folder & { account: string; name: string; read?: boolean; website?: string[]; json?: boolean },
) {
	const { apiKey, secret } = await runOperation(configOf(options), 'key.create', {
		email: options.account,
		name: options.name,
		access: options.read ? 'read' : 'full',
		websiteIds: options.website?.map(readId) ?? null,
	});
	if (options.json) return printJson({ key_id: apiKey.id, key: secret });
	print(`Key ${apiKey.id} (shown only once): ${secret}`);
}

async function list(options: Folder & { account?: string; json?: boolean }) {
	const keys = await runOperation(configOf(options), 'key.list', { email: options.account });
	if (options.json) return printJson(keys);
	print(
		formatTable(
			['id', 'account', 'name', 'ends in', 'access', 'websites', 'created', 'last used'],
			keys.map((key) => [
				key.id,
				key.accountId,
				key.name,
				key.ending,
				key.access,
				key.websiteIds === null ? 'all' : key.websiteIds.join(' '),
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

function readId(text: string): number {
	if (!/^[1-9]\d{0,14}$/.test(text)) throw new Error(`"${text}" is not an id. The list commands show ids.`);
	return Number(text);
}
