import { Command } from 'commander';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';
import { formatTable } from '../table.ts';

export function deadLettersCommand(): Command {
	return new Command('dead-letters')
		.description('Manage events that could not be written to ClickHouse.')
		.addCommand(
			folderCommand('list', 'List dead letters and their errors.')
				.option('--json', 'print JSON')
				.action(list),
		)
		.addCommand(
			folderCommand('retry', 'Write dead letters again. The service must be running.')
				.argument('[id...]')
				.option('--all', 'all dead letters')
				.action(retry),
		)
		.addCommand(
			folderCommand('drop', 'Delete dead letters permanently.')
				.argument('[id...]')
				.option('--all', 'all dead letters')
				.action(drop),
		);
}

type Folder = { data?: string };

async function list(options: Folder & { json?: boolean }) {
	const letters = await runOperation(configOf(options), 'letter.list', {});
	if (options.json) return printJson(letters);
	print(
		letters.length === 0
			? 'There are no dead letters.'
			: formatTable(
					['id', 'time', 'website', 'event', 'bytes', 'reason'],
					letters.map((letter) => [
						letter.id,
						letter.putAsideAt.toISOString().slice(0, 16).replace('T', ' '),
						letter.websiteId ?? 'several',
						letter.eventId ?? '',
						letter.bytes,
						letter.reason.slice(0, 100),
					]),
				),
	);
}

async function retry(ids: string[], options: Folder & { all?: boolean }) {
	const { events, left } = await runOperation(configOf(options), 'letter.retry', selectionOf(ids, options));
	print(
		`Queued ${events} ${events === 1 ? 'event' : 'events'} again.${left > 0 ? ` Kept ${left} that cannot be parsed.` : ''}`,
	);
}

async function drop(ids: string[], options: Folder & { all?: boolean }) {
	const { dropped } = await runOperation(configOf(options), 'letter.drop', selectionOf(ids, options));
	print(`Deleted ${dropped} ${dropped === 1 ? 'dead letter' : 'dead letters'}.`);
}

function selectionOf(ids: readonly string[], { all }: { all?: boolean }): { ids?: number[] } {
	if (all === ids.length > 0) throw new Error('Pass ids from `tidemark dead-letters list`, or --all.');
	if (all) return {};
	return {
		ids: ids.map((text) => {
			if (!/^[1-9]\d{0,14}$/.test(text))
				throw new Error(`"${text}" is not an id. \`tidemark dead-letters list\` shows the ids.`);
			return Number(text);
		}),
	};
}
