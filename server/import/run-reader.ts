/**
 * Reads the file of an import in a process of its own (`tidemark import-reader`), with memory of its own: a hostile
 * file can neither slow down nor crash the process that collects. The key of visitors is made here and ends with the process.
 */
import { randomBytes } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { setImmediate as breathe } from 'node:timers/promises';
import { openGeoDatabase } from '../ingest/lookups/geo-database.ts';
import { toTracked } from '../ingest/lookups/tracked-websites.ts';
import { AppError } from '../lib/app-error.ts';
import { findImporter } from './importers.ts';
import { createJudge, type Judged, type JudgedFile, previewFile } from './preview.ts';
import type { FromReader, ReadRequest, ToReader } from './reader.ts';

const rowsOfAMessage = 1_000;

export function runReader(): void {
	// Below the priority of the process that collects hits.
	setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
	// A service manager signals every process of the service; the parent decides when this one ends.
	for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
	process.once('disconnect', () => process.exit());
	let wanted = 0;
	let wake: (() => void) | undefined;
	const requested = async () => {
		if (wanted === 0) await new Promise<void>((resolve) => (wake = resolve));
		wanted--;
	};
	process.on('message', (message: ToReader) => {
		if (message.type === 'next') {
			wanted++;
			wake?.();
		} else void run(message, requested);
	});
}

async function run(
	{ type: say, request }: Extract<ToReader, { request: ReadRequest }>,
	requested: () => Promise<void>,
) {
	try {
		const file = await openFile(request);
		if (say === 'preview') return send({ type: 'previewed', file: await previewFile(file) });
		let rows: Judged[] = [];
		for await (const judged of file.rows) {
			if (rows.push(judged) < rowsOfAMessage) continue;
			await requested();
			send({ type: 'rows', rows });
			rows = [];
		}
		await requested();
		send({ type: 'rows', rows });
		await requested();
		send({ type: 'end' });
	} catch (error) {
		if (say === 'read') await requested();
		send({
			type: 'failed',
			code: error instanceof AppError ? error.code : undefined,
			message: error instanceof Error ? error.message : String(error),
		});
	}
}

const send = (message: FromReader): void => void process.send?.(message);

async function openFile({ path, source, zone, website, dates, geo }: ReadRequest): Promise<JudgedFile> {
	const importer = findImporter(source);
	const { kind, suppliedCounts, items } = await importer.open(path, { zone, domain: website.domain });
	// Events before a reset are hidden and would be erased.
	if (kind === 'events' && website.resetAt !== null)
		throw new AppError(
			'precondition_failed',
			'The statistics of this website were reset, so earlier events cannot be imported. Use another website.',
		);
	const lookups = importer.hasAddresses ? { geo: await openGeoDatabase(geo) } : undefined;
	const judge = createJudge(toTracked(website), { dates, kind, key: randomBytes(32), lookups });
	async function* rows(): AsyncGenerator<Judged> {
		let read = 0;
		for await (const item of items) {
			yield judge(item);
			// So that the end of the parent is noticed.
			if (++read % 2_000 === 0) await breathe();
		}
	}
	return { kind, suppliedCounts, rows: rows() };
}
