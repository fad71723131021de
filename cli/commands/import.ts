import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command, Option } from 'commander';
import { importSourceNames } from '../../api/imports.ts';
import { controlPath, isServed } from '../../server/control/call.ts';
import type { OperationResult } from '../../server/control/operations.ts';
import { type ImportSource, skipReasons } from '../../server/import/importer.ts';
import { putUpload } from '../../server/import/uploads.ts';
import { refuseForeignFolder } from '../../server/lib/folder-owner.ts';
import { keysOf } from '../../server/lib/keys-of.ts';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, print, printError, printJson, readWebsiteId } from '../settings.ts';
import { formatTable } from '../table.ts';

type Import = OperationResult<'import.preview'>;

export function importCommand(): Command {
	return folderCommand(
		'import',
		'Import statistics from another product, for the days before Tidemark counted.',
	)
		.argument('<file>', 'export file of the other product')
		.requiredOption('--website <id>', 'id of the website', readWebsiteId)
		.addOption(
			new Option('--from <source>', 'product that wrote the file')
				.choices(importSourceNames)
				.makeOptionMandatory(),
		)
		.option('--timezone <zone>', 'time zone of times in the file that have none', 'UTC')
		.option('--dry-run', 'only preview the import')
		.option('--json', 'print JSON')
		.action(importFile);
}

export function importsCommand(): Command {
	return new Command('imports')
		.description('List and undo imports.')
		.addCommand(
			folderCommand('list', 'List imports.')
				.option('--website <id>', 'only this website', readWebsiteId)
				.option('--json', 'print JSON')
				.action(list),
		)
		.addCommand(
			folderCommand('undo', 'Undo an import and delete its data.')
				.argument('<id>', 'id of the import')
				.option('--json', 'print JSON')
				.action(undo),
		);
}

type ImportOptions = {
	data?: string;
	website: number;
	from: ImportSource;
	timezone: string;
	dryRun?: boolean;
	json?: boolean;
};

async function importFile(file: string, options: ImportOptions) {
	const config = configOf(options);
	const stats = await stat(file).catch(() => undefined);
	if (!stats?.isFile()) throw new Error(`${file} does not exist or is not a file.`);
	if (!(await isServed(controlPath(config)))) refuseForeignFolder(config.dataFolder);
	const upload = await putUpload(config.dataFolder, options.website, file);
	const preview = await runOperation(config, 'import.preview', {
		websiteId: options.website,
		source: options.from,
		fileName: basename(file),
		upload,
		zone: options.timezone,
	});
	if (!options.json) printError(describe(preview));
	if (options.dryRun || preview.preview.days === 0) {
		await runOperation(config, 'import.undo', { id: preview.id });
		if (options.json) printJson({ ...toJson(preview), id: null, state: 'previewed' });
		else printError(options.dryRun ? 'Dry run: nothing was imported.' : 'Nothing to import.');
		return;
	}
	const ended = await runOperation(config, 'import.run', { id: preview.id });
	if (ended.state !== 'done') throw new Error(ended.fault ?? 'The import did not finish.');
	if (options.json) return printJson(toJson(ended));
	print(String(ended.id));
	printError(
		`Imported ${ended.preview.days} days from ${ended.from} to ${ended.to}. To undo: tidemark imports undo ${ended.id}`,
	);
}

async function list(options: { data?: string; website?: number; json?: boolean }) {
	const imports = await runOperation(configOf(options), 'import.list', { websiteId: options.website });
	if (options.json) return printJson(imports.map(toJson));
	const rows = imports.map(({ id, websiteId, source, state, from, to, preview, fileName }) => [
		id,
		websiteId,
		source,
		state,
		from ?? '',
		to ?? '',
		preview.days,
		fileName,
	]);
	print(formatTable(['id', 'website', 'source', 'state', 'from', 'to', 'days', 'file'], rows));
}

async function undo(id: string, options: { data?: string; json?: boolean }) {
	if (!/^[1-9]\d{0,14}$/.test(id)) throw new Error(`"${id}" is not an import id.`);
	const undone = await runOperation(configOf(options), 'import.undo', { id: Number(id) });
	if (options.json) printJson(undone);
	else print(`Undid import ${undone.id} and deleted its data.`);
}

/** The preview as text. */
function describe({ kind, preview }: Import): string {
	const { from, to, days, totals, dimensions, events, skipped } = preview;
	const table = (
		headings: readonly [string, string],
		counts: Readonly<Record<string, number | undefined>>,
	) =>
		Object.keys(counts).length === 0
			? []
			: [
					formatTable(
						headings,
						Object.entries(counts).map(([name, count]) => [name, count ?? 0]),
					),
				];
	return [
		days === 0 ? 'The file has no days to import.' : `${days} days from ${from} to ${to}.`,
		kind === 'events'
			? `${events} events, which can be filtered like your own.`
			: 'Daily totals, which cannot be filtered.',
		...table(['metric', 'total'], totals),
		...table(['dimension', 'rows'], dimensions),
		...table(
			['skipped', 'rows'],
			Object.fromEntries(
				keysOf(skipped).map((reason) => [`${reason}: ${skipReasons[reason]}`, skipped[reason]]),
			),
		),
	].join('\n');
}

const toJson = ({ id, websiteId, source, kind, state, preview, fileName }: Import) => ({
	id,
	website_id: websiteId,
	source,
	kind,
	state,
	...preview,
	file: fileName,
});
