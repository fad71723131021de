/** Does something to all of them, so many at a time. When one fails, the rest is done before it is said. */
export async function sideBySide<Item>(
	items: readonly Item[],
	atOnce: number,
	work: (item: Item) => Promise<void>,
): Promise<void> {
	// One iterator for all: each takes the next that nobody has taken.
	const left = items.values();
	const worker = async () => {
		for (const item of left) await work(item);
	};
	const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
	for (const one of ended) if (one.status === 'rejected') throw one.reason;
}
