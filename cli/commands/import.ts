import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command, Option } from 'commander';
import { importSourceNames } from '../../api/imports.ts';
import type { OperationResult } from '../../server/control/operations.ts';
import { type ImportSource, type SkipReason, skipReasons } from '../../server/import/importer.ts';
import { putUpload } from '../../server/import/uploads.ts';
import { operate } from '../operate.ts';
import { configOf, folderCommand, print, printJson, readWebsiteId } from '../settings.ts';
import { formatTable } from '../table.ts';

type Import = OperationResult<'import.preview'>;

export function importCommand(): Command {
	return folderCommand(
		'import',
		'Bring in what another product has counted, for the days before this one did.',
	)
		.argument('<file>', 'the file that the other product exported')
		.requiredOption('--website <id>', 'id of the website', readWebsiteId)
		.addOption(
			new Option('--from <source>', 'where the file comes from')
				.choices(importSourceNames)
				.makeOptionMandatory(),
		)
		.option('--timezone <zone>', 'zone of times in the file that do not say theirs', 'UTC')
		.option('--dry-run', 'only say what the file would bring')
		.option('--json', 'as JSON')
		.action(bring);
}

export function importsCommand(): Command {
	return new Command('imports')
		.description('What was imported, and how to undo it.')
		.addCommand(
			folderCommand('list', 'List what was imported.')
				.option('--website <id>', 'of this website alone', readWebsiteId)
				.option('--json', 'as JSON')
				.action(list),
		)
		.addCommand(
			folderCommand('undo', 'Take an import out again, and everything of it off the disk.')
				.argument('<id>', 'id of the import')
				.option('--json', 'as JSON')
				.action(undo),
		);
}

type BringOptions = {
	data?: string;
	website: number;
	from: ImportSource;
	timezone: string;
	dryRun?: boolean;
	json?: boolean;
};

async function bring(file: string, options: BringOptions) {
	const config = configOf(options);
	const about = await stat(file).catch(() => undefined);
	if (!about?.isFile()) throw new Error(`There is no file ${file}.`);
	const upload = await putUpload(config.dataFolder, file);
	const found = await operate(config, 'import.preview', {
		websiteId: options.website,
		source: options.from,
		fileName: basename(file),
		upload,
		zone: options.timezone,
	});
	if (!options.json) say(describe(found));
	if (options.dryRun || found.preview.days === 0) {
		await operate(config, 'import.undo', { id: found.id });
		if (options.json) printJson({ ...toJson(found), id: null, state: 'previewed' });
		else say(options.dryRun ? 'Nothing was changed.' : 'There is nothing to import.');
		return;
	}
	const ended = await operate(config, 'import.run', { id: found.id });
	if (ended.state !== 'done') throw new Error(ended.fault ?? 'The import did not end.');
	if (options.json) return printJson(toJson(ended));
	print(String(ended.id));
	say(
		`${ended.preview.days} days from ${ended.from} to ${ended.to}. To take them out again: tidemark imports undo ${ended.id}`,
	);
}

async function list(options: { data?: string; website?: number; json?: boolean }) {
	const imports = await operate(configOf(options), 'import.list', { websiteId: options.website });
	if (options.json) return printJson(imports.map(toJson));
	const rows = imports.map((one) => [
		...[one.id, one.websiteId, one.source, one.state, one.from ?? '', one.to ?? '', one.preview.days],
		one.fileName,
	]);
	print(formatTable(['id', 'website', 'source', 'state', 'from', 'to', 'days', 'file'], rows));
}

async function undo(id: string, options: { data?: string; json?: boolean }) {
	if (!/^[1-9]\d{0,14}$/.test(id)) throw new Error(`"${id}" is not the id of an import.`);
	const undone = await operate(configOf(options), 'import.undo', { id: Number(id) });
	if (options.json) printJson(undone);
	else print(`Import ${undone.id} is out again; nothing of it is left.`);
}

/** What it would bring, for a person. */
function describe({ kind, preview }: Import): string {
	const { from, to, days, totals, dimensions, events, skipped } = preview;
	const table = (headings: readonly [string, string], of: Readonly<Record<string, number | undefined>>) =>
		Object.keys(of).length === 0
			? []
			: [
					formatTable(
						headings,
						Object.entries(of).map(([name, count]) => [name, count ?? 0]),
					),
				];
	return [
		days === 0 ? 'No day of it can be imported.' : `${days} days from ${from} to ${to}.`,
		kind === 'events'
			? `${events} events, which can be filtered as your own.`
			: 'Totals of days, which cannot be filtered.',
		...table(['counted', 'in all'], totals),
		...table(['by', 'rows'], dimensions),
		...table(
			['left out', 'rows'],
			Object.fromEntries(
				Object.entries(skipped).map(([reason, count]) => [
					// Object.entries forgets that the names are those of reasons.
					`${reason}: ${skipReasons[reason as SkipReason]}`,
					count,
				]),
			),
		),
	].join('\n');
}

const toJson = (one: Import) => ({
	id: one.id,
	website_id: one.websiteId,
	source: one.source,
	kind: one.kind,
	state: one.state,
	...one.preview,
	file: one.fileName,
});

const say = (text: string) => process.stderr.write(`${text}\n`);
