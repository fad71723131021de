import { setImmediate as pause } from 'node:timers/promises';

const sliceSize = 2_000;

/** Like `map`, but yields to the event loop every few thousand items, so that a long list does not block collecting. */
export async function mapYielding<Item, Result>(
	items: readonly Item[],
	work: (item: Item) => Result,
): Promise<Result[]> {
	const results: Result[] = [];
	for (let begin = 0; begin < items.length; begin += sliceSize) {
		if (begin > 0) await pause();
		for (const item of items.slice(begin, begin + sliceSize)) results.push(work(item));
	}
	return results;
}
