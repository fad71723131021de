/** Limits the concurrency per name, with a bounded first-in, first-out queue. */
export type KeyedSemaphore = {
	/** Resolves with a release function; undefined if the queue is full or the wait takes too long. */
	take(name: string, signal: AbortSignal): Promise<(() => void) | undefined>;
	/** Whether `take` would be rejected. */
	isFull(name: string): boolean;
};

type Slot = { running: number; waiting: Set<() => void> };

export function createKeyedSemaphore(limits: {
	running: number;
	waiting: number;
	waitMs: number;
}): KeyedSemaphore {
	// Contains only names that are in use.
	const slots = new Map<string, Slot>();

	function release(name: string, slot: Slot): void {
		const [next] = slot.waiting;
		if (next) {
			slot.waiting.delete(next);
			next();
			return;
		}
		slot.running -= 1;
		if (slot.running === 0) slots.delete(name);
	}

	function wait(slot: Slot, signal: AbortSignal): Promise<boolean> {
		return new Promise((resolve) => {
			const settle = (isTurn: boolean) => {
				clearTimeout(timer);
				signal.removeEventListener('abort', giveUp);
				resolve(isTurn);
			};
			const begin = () => settle(true);
			const giveUp = () => {
				slot.waiting.delete(begin);
				settle(false);
			};
			const timer = setTimeout(giveUp, limits.waitMs);
			signal.addEventListener('abort', giveUp, { once: true });
			slot.waiting.add(begin);
		});
	}

	const isFull = ({ running, waiting }: Slot) => running >= limits.running && waiting.size >= limits.waiting;

	return {
		isFull(name) {
			const slot = slots.get(name);
			return slot !== undefined && isFull(slot);
		},
		async take(name, signal) {
			const slot = slots.get(name) ?? { running: 0, waiting: new Set() };
			slots.set(name, slot);
			if (slot.running < limits.running) slot.running += 1;
			else if (isFull(slot) || signal.aborted) return undefined;
			else if (!(await wait(slot, signal))) return undefined;
			let isReleased = false;
			return () => {
				if (isReleased) return;
				isReleased = true;
				release(name, slot);
			};
		},
	};
}
