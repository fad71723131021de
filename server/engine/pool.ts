import { Exception } from './exception.ts';
import type { Limits } from './limits.ts';

/** Things of which only a few exist, handed to those who wait for them in the order they came. */
export type Pool<Item> = {
	/** Runs `use` with an item of its own; refuses when too many wait already or the wait took too long. */
	with<Result>(signal: AbortSignal, use: (item: Item) => Promise<Result>): Promise<Result>;
};

export function createPool<Item>(open: () => Promise<Item>, { lanes, waiting, waitMs }: Limits): Pool<Item> {
	const idle: Item[] = [];
	const queue = new Set<(item: Item) => void>();
	let opened = 0;

	async function take(signal: AbortSignal): Promise<Item> {
		const item = idle.pop();
		if (item !== undefined) return item;
		if (opened < lanes) {
			opened += 1;
			return open().catch((error: unknown) => {
				opened -= 1;
				throw error;
			});
		}
		if (queue.size >= waiting)
			throw new Exception(
				'TOO_MANY_SIMULTANEOUS_QUERIES',
				`Too many simultaneous queries: ${lanes} run and ${waiting} wait.`,
			);
		return waitForItem(signal);
	}

	function waitForItem(signal: AbortSignal): Promise<Item> {
		return new Promise((resolve, reject) => {
			const leave = (error: Exception) => {
				queue.delete(receive);
				clearTimeout(timer);
				reject(error);
			};
			const timer = setTimeout(
				() =>
					leave(
						new Exception(
							'TOO_MANY_SIMULTANEOUS_QUERIES',
							`Too many simultaneous queries: none of ${lanes} ended within ${waitMs} ms.`,
						),
					),
				waitMs,
			);
			const receive = (item: Item) => {
				clearTimeout(timer);
				resolve(item);
			};
			queue.add(receive);
			signal.addEventListener(
				'abort',
				() => leave(new Exception('QUERY_WAS_CANCELLED', 'Query was cancelled while it waited.')),
				{ once: true },
			);
		});
	}

	function give(item: Item): void {
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
				give(item);
			}
		},
	};
}
