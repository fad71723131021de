import { setImmediate as pause } from 'node:timers/promises';

const sliceSize = 2_000;

/** As `map`, letting others have their turn every few thousand: a long list must not hold up a process that also collects. */
export async function mapInSlices<Item, Result>(
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
