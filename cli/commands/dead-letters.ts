import { Command } from 'commander';
import { operate } from '../operate.ts';
import { configOf, folderCommand, print, printJson } from '../settings.ts';
import { formatTable } from '../table.ts';

export function deadLettersCommand(): Command {
	return new Command('dead-letters')
		.description('Events that could not be written and were put aside.')
		.addCommand(
			folderCommand('list', 'List them with the reason of each.').option('--json', 'as JSON').action(list),
		)
		.addCommand(
			folderCommand('retry', 'Write them again; needs the service.')
				.argument('[id...]')
				.option('--all', 'all of them')
				.action(retry),
		)
		.addCommand(
			folderCommand('drop', 'Forget them for good.')
				.argument('[id...]')
				.option('--all', 'all of them')
				.action(drop),
		);
}

type Folder = { data?: string };

async function list(options: Folder & { json?: boolean }) {
	const letters = await operate(configOf(options), 'letter.list', {});
	if (options.json) return printJson(letters);
	print(
		letters.length === 0
			? 'Nothing was put aside.'
			: formatTable(
					['id', 'put aside', 'website', 'event', 'bytes', 'reason'],
					letters.map((letter) => [
						letter.id,
						letter.putAsideAt.toISOString().slice(0, 16).replace('T', ' '),
						letter.websiteId ?? 'a group',
						letter.eventId ?? '',
						letter.bytes,
						letter.reason.slice(0, 100),
					]),
				),
	);
}

async function retry(ids: string[], options: Folder & { all?: boolean }) {
	const { events, left } = await operate(configOf(options), 'letter.retry', chosen(ids, options));
	print(
		`${events} ${events === 1 ? 'event is' : 'events are'} on the way again.${left > 0 ? ` ${left} cannot be read and ${left === 1 ? 'stays' : 'stay'}.` : ''}`,
	);
}

async function drop(ids: string[], options: Folder & { all?: boolean }) {
	const { dropped } = await operate(configOf(options), 'letter.drop', chosen(ids, options));
	print(`${dropped} ${dropped === 1 ? 'is' : 'are'} gone.`);
}

function chosen(ids: readonly string[], { all }: { all?: boolean }): { ids?: number[] } {
	if (all === ids.length > 0) throw new Error('Name the ids that `dead-letters list` shows, or --all.');
	if (all) return {};
	return {
		ids: ids.map((text) => {
			if (!/^[1-9]\d{0,14}$/.test(text)) throw new Error(`"${text}" is not an id; the list shows ids.`);
			return Number(text);
		}),
	};
}
