/**
 * Shares rate limits between processes on one port. Each process counts on its own, so that no request waits for another
 * process, and a few times per second they exchange their counts. So a limit applies to all of them together, with that delay.
 */
export type RateCounts = (readonly [limit: string, caller: string, times: number])[];

/** Connects a limiter: `add` receives the counts of other processes, and the result publishes its own. */
export type Share = (add: (caller: string, times: number) => void) => (caller: string) => void;

export type SharedRateLimits = {
	/** Connects the limit with this name, which is the same in all processes. */
	connect(limit: string): Share;
	/** Adds the counts of other processes. */
	add(counts: RateCounts): void;
	/** The counts of this process since the last call. */
	take(): RateCounts;
};

export function createSharedRateLimits(): SharedRateLimits {
	const limiters = new Map<string, (caller: string, times: number) => void>();
	let counted = new Map<string, Map<string, number>>();
	return {
		connect: (limit) => (add) => {
			limiters.set(limit, add);
			return (caller) => {
				const callers = counted.get(limit) ?? new Map<string, number>();
				callers.set(caller, (callers.get(caller) ?? 0) + 1);
				counted.set(limit, callers);
			};
		},
		add(counts) {
			for (const [limit, caller, times] of counts) limiters.get(limit)?.(caller, times);
		},
		take() {
			const taken = counted;
			counted = new Map();
			return [...taken].flatMap(([limit, callers]) =>
				[...callers].map(([caller, times]) => [limit, caller, times] as const),
			);
		},
	};
}
