import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { exportedFormats, exportedWhat } from '../../api/export.ts';
import { operate } from '../operate.ts';
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
	return folderCommand('export', 'Write the events, visits or totals of a website into a file.')
		.requiredOption('--website <id>', 'id of the website', readWebsiteId)
		.addOption(new Option('--what <what>', 'what to write').choices(exportedWhat).default('events'))
		.addOption(new Option('--format <format>', 'as what').choices(exportedFormats).default('parquet'))
		.option('--from <date>', 'first date, such as 2026-11-01 (default: the first there is)', readDate)
		.option('--to <date>', 'last date, included (default: the last there is)', readDate)
		.option('--raw', 'leave texts in CSV as they are, also those that a spreadsheet would take for a formula')
		.option('--out <file>', 'file to make; it must not be there yet (default: standard output)')
		.action(exportWebsite);
}

async function exportWebsite(options: Options) {
	const { website, what, format, from, to, raw, out } = options;
	const config = configOf(options);
	const target = out === undefined ? standardOutput() : await fileAt(resolve(out));
	const told = tellBytes();
	try {
		await operate(config, 'export', { websiteId: website, what, format, from, to, raw }, async (said) => {
			// The other end is this same program, and this operation says nothing but bytes.
			const bytes = said as Buffer;
			await target.write(bytes);
			told.add(bytes.length);
		});
		await target.finish();
		told.end();
	} catch (error) {
		await target.discard();
		throw error;
	}
}

type Target = { write(bytes: Buffer): Promise<unknown>; finish(): Promise<void>; discard(): Promise<void> };

function standardOutput(): Target {
	if (process.stdout.isTTY)
		throw new Error(
			'This would go to the terminal. Name a file with --out, or send it into one with > FILE.',
		);
	return {
		write: async (bytes) => process.stdout.write(bytes) || once(process.stdout, 'drain'),
		finish: async () => undefined,
		discard: async () => undefined,
	};
}

/** Written beside and named when it is whole and on the disk. For whoever makes it alone: it holds every event. */
async function fileAt(path: string): Promise<Target> {
	const refuse = () => {
		if (existsSync(path)) throw new Error(`${path} is there already. Choose another name, or move it away.`);
	};
	refuse();
	const draft = `${path}.part`;
	await rm(draft, { force: true });
	const handle = await open(draft, 'wx', 0o600);
	return {
		write: (bytes) => handle.writeFile(bytes),
		async finish() {
			await handle.sync();
			await handle.close();
			refuse();
			await rename(draft, path);
		},
		async discard() {
			await handle.close().catch(() => undefined);
			await rm(draft, { force: true });
		},
	};
}

/** How many there will be nobody knows: how many there are is shown instead. */
function tellBytes(stream: NodeJS.WriteStream = process.stderr) {
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
