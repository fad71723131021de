import { Command } from 'commander';
import { operate } from '../operate.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';
import { formatTable } from '../table.ts';

export function keyCommand(): Command {
	return new Command('key')
		.description('Create, list, rotate and revoke API keys.')
		.addCommand(
			folderCommand('create', 'Create a key; it is shown this once.')
				.requiredOption('--account <email>', 'account that the key speaks for')
				.requiredOption('--name <name>', 'what it is for')
				.option('--read', 'may only read')
				.option('--website <id...>', 'for these websites only')
				.option('--json', 'as JSON')
				.action(create),
		)
		.addCommand(
			folderCommand('list', 'List keys. The keys themselves are not stored and cannot be shown.')
				.option('--account <email>', 'of this account only')
				.option('--json', 'as JSON')
				.action(list),
		)
		.addCommand(
			folderCommand('rotate', 'Give a key a new secret; the old one stops working at once.')
				.argument('<id>')
				.option('--json', 'as JSON')
				.action(rotate),
		)
		.addCommand(
			folderCommand('revoke', 'End a key; it stops working at once.').argument('<id>').action(revoke),
		);
}

type Folder = { data?: string };

async function create(
	options: Folder & { account: string; name: string; read?: boolean; website?: string[]; json?: boolean },
) {
	const { apiKey, secret } = await operate(configOf(options), 'key.create', {
		email: options.account,
		name: options.name,
		access: options.read ? 'read' : 'full',
		websiteIds: options.website?.map(readId) ?? null,
	});
	if (options.json) return printJson({ key_id: apiKey.id, key: secret });
	print(`Key ${apiKey.id}, shown this once: ${secret}`);
}

async function list(options: Folder & { account?: string; json?: boolean }) {
	const keys = await operate(configOf(options), 'key.list', { email: options.account });
	if (options.json) return printJson(keys);
	print(
		formatTable(
			['id', 'account', 'name', 'ends in', 'rights', 'websites', 'made', 'last used'],
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
	const { apiKey, secret } = await operate(configOf(options), 'key.rotate', { id: readId(id) });
	if (options.json) return printJson({ key_id: apiKey.id, key: secret });
	print(`Key ${apiKey.id} has a new secret, shown this once: ${secret}`);
}

async function revoke(id: string, options: Folder) {
	await operate(configOf(options), 'key.revoke', { id: readId(id) });
	print(`Key ${id} is revoked.`);
}

function readId(text: string): number {
	if (!/^[1-9]\d{0,14}$/.test(text)) throw new Error(`"${text}" is not an id; the list commands show ids.`);
	return Number(text);
}
