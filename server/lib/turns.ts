/** So many at a time of one name, so many more may wait for their turn, in the order they came; the next one is refused. */
export type Turns = {
	/** Resolves when it is this one's turn, with what ends it. Undefined when too many wait, or it took too long. */
	take(name: string, signal: AbortSignal): Promise<(() => void) | undefined>;
	/** Whether the next one would be refused. */
	isFull(name: string): boolean;
};

type Place = { running: number; waiting: Set<() => void> };

export function createTurns(limits: { running: number; waiting: number; waitMs: number }): Turns {
	// Only names of which something runs are kept.
	const places = new Map<string, Place>();

	function leave(name: string, place: Place): void {
		const [next] = place.waiting;
		if (next) {
			place.waiting.delete(next);
			next();
			return;
		}
		place.running -= 1;
		if (place.running === 0) places.delete(name);
	}

	function wait(place: Place, signal: AbortSignal): Promise<boolean> {
		return new Promise((resolve) => {
			const settle = (isTurn: boolean) => {
				clearTimeout(timer);
				signal.removeEventListener('abort', giveUp);
				resolve(isTurn);
			};
			const begin = () => settle(true);
			const giveUp = () => {
				place.waiting.delete(begin);
				settle(false);
			};
			const timer = setTimeout(giveUp, limits.waitMs);
			signal.addEventListener('abort', giveUp, { once: true });
			place.waiting.add(begin);
		});
	}

	const isFull = ({ running, waiting }: Place) => running >= limits.running && waiting.size >= limits.waiting;

	return {
		isFull(name) {
			const place = places.get(name);
			return place !== undefined && isFull(place);
		},
		async take(name, signal) {
			const place = places.get(name) ?? { running: 0, waiting: new Set() };
			places.set(name, place);
			if (place.running < limits.running) place.running += 1;
			else if (isFull(place) || signal.aborted) return undefined;
			else if (!(await wait(place, signal))) return undefined;
			let isOver = false;
			return () => {
				if (isOver) return;
				isOver = true;
				leave(name, place);
			};
		},
	};
}
