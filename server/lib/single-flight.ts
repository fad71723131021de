/** Concurrent calls with the same key share one execution, which is aborted when all callers have left. */
export type SingleFlight<Result> = {
	/** Starts the work unless it is running for this key. `left` creates the error for a caller whose signal is aborted. */
	share(
		key: string,
		signal: AbortSignal,
		work: (allLeft: AbortSignal) => Promise<Result>,
		left: () => Error,
	): Promise<Result>;
};

type Flight<Result> = { result: Promise<Result>; callers: number; ending: AbortController };

export function createSingleFlight<Result>(): SingleFlight<Result> {
	const flights = new Map<string, Flight<Result>>();

	function begin(key: string, work: (allLeft: AbortSignal) => Promise<Result>): Flight<Result> {
		const ending = new AbortController();
		const flight: Flight<Result> = { result: work(ending.signal), callers: 0, ending };
		flights.set(key, flight);
		const remove = () => {
			if (flights.get(key) === flight) flights.delete(key);
		};
		flight.result.then(remove, remove);
		return flight;
	}

	return {
		async share(key, signal, work, left) {
			if (signal.aborted) throw left();
			const flight = flights.get(key) ?? begin(key, work);
			flight.callers += 1;
			let leave: () => void = () => undefined;
			const leaving = new Promise<never>((_, reject) => {
				leave = () => reject(left());
				signal.addEventListener('abort', leave, { once: true });
			});
			try {
				return await Promise.race([flight.result, leaving]);
			} finally {
				signal.removeEventListener('abort', leave);
				flight.callers -= 1;
				if (flight.callers === 0) {
					// A new caller must not get the execution that is being aborted.
					if (flights.get(key) === flight) flights.delete(key);
					flight.ending.abort();
				}
			}
		},
	};
}
