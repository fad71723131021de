import { Command } from 'commander';
import type { OperationResult } from '../../server/control/operations.ts';
import { readExpiry, readId } from '../read-options.ts';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';
import { formatTable } from '../table.ts';

type Folder = { data?: string; json?: boolean };

export function operatorCommand(): Command {
	return new Command('operator')
		.description('Manage operator keys, and show what operators did.')
		.addCommand(
			folderCommand('log', 'Show what operators did in the dashboard, with operator keys and with commands.')
				.option(
					'--account <account>',
					'only about this account: its id or the email address of its primary owner',
				)
				.option('--count <number>', 'number of entries, newest first (default: 50)', readCount)
				.option('--json', 'print JSON')
				.action(showLog),
		)
		.addCommand(
			new Command('key')
				.description('Create, list and revoke operator keys, with which programs use the operator API.')
				.addCommand(
					folderCommand('create', 'Create an operator key. It is shown only once.')
						.argument('<name>', 'name of the key')
						.option('--read', 'read-only access')
						.option('--expires <when>', 'a date, a time, or a number of days such as 90d')
						.option('--network <network...>', 'only from these IP addresses and networks')
						.option('--json', 'print JSON')
						.action(createKey),
				)
				.addCommand(
					folderCommand('list', 'List operator keys.').option('--json', 'print JSON').action(listKeys),
				)
				.addCommand(
					folderCommand('revoke', 'Revoke an operator key. It stops working immediately.')
						.argument('<id>')
						.action(revokeKey),
				),
		);
}

const moment = (time: Date | null, otherwise: string) =>
	time?.toISOString().slice(0, 16).replace('T', ' ') ?? otherwise;

async function createKey(
	name: string,
	options: Folder & { read?: boolean; expires?: string; network?: string[] },
) {
	const { operatorKey, secret } = await runOperation(configOf(options), 'operator.key.create', {
		name,
		access: options.read ? 'read' : 'full',
		expiresAt: options.expires === undefined ? null : readExpiry(options.expires, new Date()),
		networks: options.network ?? null,
	});
	if (options.json) return printJson({ key_id: operatorKey.id, key: secret });
	print(`Operator key ${operatorKey.id} (shown only once): ${secret}`);
}

async function listKeys(options: Folder) {
	const keys = await runOperation(configOf(options), 'operator.key.list', {});
	if (options.json) return printJson(keys);
	print(
		formatTable(
			['id', 'name', 'ends in', 'access', 'networks', 'expires', 'created', 'last used'],
			keys.map((key) => [
				key.id,
				key.name,
				key.ending,
				key.access,
				key.networks?.join(' ') ?? 'any',
				moment(key.expiresAt, 'never'),
				moment(key.createdAt, ''),
				moment(key.lastUsedAt, 'never'),
			]),
		),
	);
}

async function revokeKey(id: string, options: Folder) {
	await runOperation(configOf(options), 'operator.key.revoke', { id: readId(id) });
	print(`Revoked operator key ${id}.`);
}

async function showLog(options: Folder & { account?: string; count?: number }) {
	const entries = await runOperation(configOf(options), 'operator.log', {
		account: options.account,
		count: options.count ?? 50,
	});
	if (options.json) return printJson(entries);
	print(
		formatTable(
			['time (UTC)', 'by', 'what', 'account', 'person', 'website'],
			entries.map((entry) => [
				moment(entry.at, ''),
				authorOf(entry),
				entry.what,
				named(entry.accountId, entry.accountName),
				named(entry.subjectId, entry.subjectName),
				named(entry.websiteId, entry.domain),
			]),
		),
	);
}

const named = (id: number | null, name: string | null) =>
	id === null ? '' : name === null ? String(id) : `${id} (${name})`;

function authorOf(entry: OperationResult<'operator.log'>[number]): string {
	if (entry.personId !== null) return `person ${named(entry.personId, entry.personName)}`;
	if (entry.keyId !== null) return `operator key ${named(entry.keyId, entry.keyName)}`;
	return 'command line';
}

function readCount(text: string): number {
	if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`"${text}" is not a number from 1 to 9999.`);
	return Number(text);
}
