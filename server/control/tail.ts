import type { CollectServices } from '../collect/keep.ts';
import type { Seen } from '../collect/watchers.ts';
import { AppError } from '../lib/app-error.ts';
import type { Caller } from './operations.ts';

/** An event or a drop; or how many could not be shown because the operator's terminal was slower than the visitors. */
export type TailLine = Seen | { skipped: number };

/** Shows what is collected until whoever looks has left. Nothing is kept for it. */
export async function tail(
	{ websites, watchers }: Pick<CollectServices, 'websites' | 'watchers'>,
	websiteId: number | undefined,
	caller: Pick<Caller, 'tell' | 'gone'>,
): Promise<void> {
	if (websiteId !== undefined && !(await websites.find(websiteId)))
		throw new AppError('not_found', `There is no website ${websiteId}.`);
	let skipped = 0;
	const show = (line: TailLine) => caller.tell(line);
	const stop = watchers.watch((seen) => {
		if (websiteId !== undefined && seen.websiteId !== websiteId) return;
		if (skipped > 0 && show({ skipped })) skipped = 0;
		if (skipped > 0 || !show(seen)) skipped++;
	});
	await new Promise<void>((resolve) => {
		if (caller.gone.aborted) resolve();
		caller.gone.addEventListener('abort', () => resolve(), { once: true });
	});
	stop();
}
