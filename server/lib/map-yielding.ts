import { setImmediate as pause } from 'node:timers/promises';

const sliceMs = 10;

/** Like `map`, but yields to the event loop after every few milliseconds of work, so that a long list does not block collecting. */
export async function mapYielding<Item, Result>(
	items: readonly Item[],
	work: (item: Item) => Result,
	signal?: AbortSignal,
): Promise<Result[]> {
	const results: Result[] = [];
	let began = performance.now();
	for (const item of items) {
		if (performance.now() - began > sliceMs) {
			await pause();
			signal?.throwIfAborted();
			began = performance.now();
		}
		results.push(work(item));
	}
	return results;
}
