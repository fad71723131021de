/** Runs `work` for all items with limited concurrency. If one fails, the others still run before it throws. */
export async function forEachConcurrent<Item>(
	items: readonly Item[],
	concurrency: number,
	work: (item: Item) => Promise<void>,
): Promise<void> {
	// All workers share one iterator.
	const remaining = items.values();
	const worker = async () => {
		for (const item of remaining) await work(item);
	};
	const results = await Promise.allSettled(Array.from({ length: concurrency }, worker));
	for (const result of results) if (result.status === 'rejected') throw result.reason;
}
