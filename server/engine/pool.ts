import { Exception } from './exception.ts';
import type { Limits } from './limits.ts';

/** A pool of a few items with a first-in, first-out queue. */
export type Pool<Item> = {
	/** Runs `use` with an item. Rejects if the queue is full or the wait takes too long. */
	with<Result>(signal: AbortSignal, use: (item: Item) => Promise<Result>): Promise<Result>;
};

/**
 * How long to wait for a busy worker before another one is opened. Opening takes about 100 ms and 10 MB, and most statements take
 * less.
 */
const openAfterMs = 50;

export function createPool<Item>(
	open: () => Promise<Item>,
	{ workers, waiting, waitMs }: Limits,
): Pool<Item> {
	const idle: Item[] = [];
	const queue = new Set<(item: Item) => void>();
	let opened = 0;

	async function take(signal: AbortSignal): Promise<Item> {
		const item =
			idle.pop() ?? (opened > 0 && opened < workers ? await waitForItem(signal, openAfterMs) : undefined);
		if (item !== undefined) return item;
		if (opened < workers) {
			opened += 1;
			return open().catch((error: unknown) => {
				opened -= 1;
				throw error;
			});
		}
		if (queue.size >= waiting)
			throw new Exception(
				'TOO_MANY_SIMULTANEOUS_QUERIES',
				`Too many simultaneous queries: ${workers} run and ${waiting} wait.`,
			);
		const released = await waitForItem(signal, waitMs);
		if (released !== undefined) return released;
		throw new Exception(
			'TOO_MANY_SIMULTANEOUS_QUERIES',
			`Too many simultaneous queries: none of ${workers} ended within ${waitMs} ms.`,
		);
	}

	/** Undefined if none is released in this time. */
	function waitForItem(signal: AbortSignal, ms: number): Promise<Item | undefined> {
		return new Promise((resolve, reject) => {
			const leave = () => {
				queue.delete(receive);
				clearTimeout(timer);
			};
			const timer = setTimeout(() => {
				leave();
				resolve(undefined);
			}, ms);
			const receive = (item: Item) => {
				clearTimeout(timer);
				resolve(item);
			};
			queue.add(receive);
			signal.addEventListener(
				'abort',
				() => {
					leave();
					reject(new Exception('QUERY_WAS_CANCELLED', 'Query was cancelled while it waited.'));
				},
				{ once: true },
			);
		});
	}

	function release(item: Item): void {
		const [next] = queue;
		if (next === undefined) {
			idle.push(item);
			return;
		}
		queue.delete(next);
		next(item);
	}

	return {
		async with(signal, use) {
			const item = await take(signal);
			try {
				return await use(item);
			} finally {
				release(item);
			}
		},
	};
}
