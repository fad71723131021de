import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { exportedFormats, exportedWhat } from '../../api/export.ts';
import { runOperation } from '../run-operation.ts';
import { configOf, folderCommand, readDate, readWebsiteId } from '../settings.ts';

type Options = {
	data?: string;
	website: number;
	what: (typeof exportedWhat)[number];
	format: (typeof exportedFormats)[number];
	from?: string;
	to?: string;
	raw?: boolean;
	out?: string;
};

export function exportCommand(): Command {
	return folderCommand('export', 'Export the events, visits or totals of a website.')
		.requiredOption('--website <id>', 'id of the website', readWebsiteId)
		.addOption(new Option('--what <what>', 'data to export').choices(exportedWhat).default('events'))
		.addOption(new Option('--format <format>', 'file format').choices(exportedFormats).default('parquet'))
		.option('--from <date>', 'first date, such as 2026-11-01 (default: first day)', readDate)
		.option('--to <date>', 'last date, inclusive (default: last day)', readDate)
		.option('--raw', 'do not escape CSV values that a spreadsheet would read as a formula')
		.option('--out <file>', 'file to create; it must not exist yet (default: stdout)')
		.action(exportWebsite);
}

async function exportWebsite(options: Options) {
	const { website, what, format, from, to, raw, out } = options;
	const config = configOf(options);
	const target = out === undefined ? standardOutput() : await fileAt(resolve(out));
	const progress = showBytes();
	try {
		await runOperation(
			config,
			'export',
			{ websiteId: website, what, format, from, to, raw },
			async (message) => {
				// The control socket is served by this same program, and this operation sends only bytes.
				const bytes = message as Buffer;
				await target.write(bytes);
				progress.add(bytes.length);
			},
		);
		await target.finish();
		progress.end();
	} catch (error) {
		await target.discard();
		throw error;
	}
}

type Target = { write(bytes: Buffer): Promise<unknown>; finish(): Promise<void>; discard(): Promise<void> };

function standardOutput(): Target {
	if (process.stdout.isTTY)
		throw new Error('stdout is a terminal. Pass --out FILE or redirect stdout to a file.');
	return {
		write: async (bytes) => process.stdout.write(bytes) || once(process.stdout, 'drain'),
		finish: async () => undefined,
		discard: async () => undefined,
	};
}

/** Written to FILE.part and renamed once it is complete and synced. Only the owner can read it. */
async function fileAt(path: string): Promise<Target> {
	const refuseExisting = () => {
		if (existsSync(path)) throw new Error(`${path} already exists. Choose another name or remove it.`);
	};
	refuseExisting();
	const draft = `${path}.part`;
	await rm(draft, { force: true });
	const handle = await open(draft, 'wx', 0o600);
	return {
		write: (bytes) => handle.writeFile(bytes),
		async finish() {
			await handle.sync();
			await handle.close();
			refuseExisting();
			await rename(draft, path);
		},
		async discard() {
			await handle.close().catch(() => undefined);
			await rm(draft, { force: true });
		},
	};
}

/** The total is unknown, so only the bytes written so far are shown. */
function showBytes(stream: NodeJS.WriteStream = process.stderr) {
	let bytes = 0;
	let shownAt = Date.now();
	const show = (end: string) =>
		stream.write(`${stream.isTTY ? '\r' : ''}${(bytes / 1_000_000).toFixed(1)} MB${end}`);
	return {
		add(more: number) {
			bytes += more;
			if (Date.now() - shownAt < (stream.isTTY ? 100 : 5_000)) return;
			shownAt = Date.now();
			show(stream.isTTY ? ' ' : '\n');
		},
		end: () => show(' written\n'),
	};
}
