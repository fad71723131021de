import type { IngestServices } from '../ingest/ingest.ts';
import type { TailEntry } from '../ingest/live-tail.ts';
import { AppError } from '../lib/app-error.ts';
import type { Caller } from './operation.ts';

/** An event, a dropped hit, or the number of entries that were skipped because the client reads too slowly. */
export type TailLine = TailEntry | { skipped: number };

/** Sends collected events until the client disconnects. */
export async function tail(
	{ websites, liveTail }: Pick<IngestServices, 'websites' | 'liveTail'>,
	websiteId: number | undefined,
	caller: Pick<Caller, 'trySend' | 'signal'>,
): Promise<void> {
	if (websiteId !== undefined && !(await websites.find(websiteId)))
		throw new AppError('not_found', `There is no website ${websiteId}.`);
	let skipped = 0;
	const show = (line: TailLine) => caller.trySend(line);
	const stop = liveTail.subscribe((entry) => {
		if (websiteId !== undefined && entry.websiteId !== websiteId) return;
		if (skipped > 0 && show({ skipped })) skipped = 0;
		if (skipped > 0 || !show(entry)) skipped++;
	});
	await new Promise<void>((resolve) => {
		if (caller.signal.aborted) resolve();
		caller.signal.addEventListener('abort', () => resolve(), { once: true });
	});
	stop();
}
