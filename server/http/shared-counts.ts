/**
 * Limits of callers, counted by several processes that answer on one port. Each counts by itself, so that no request waits for
 * another process, and a few times a second all tell each other what they have counted since. So a limit holds for all of them
 * together, but for what comes within that moment.
 */
export type Counts = (readonly [limit: string, caller: string, times: number])[];

/** How a limiter tells what it counts, and hears what others do. */
export type Share = (hear: (caller: string, times: number) => void) => (caller: string) => void;

export type SharedCounts = {
	/** The share of one limit, by a name that is the same in all processes. */
	of(limit: string): Share;
	/** What others have counted. */
	hear(counts: Counts): void;
	/** What was counted here since the last time; nothing is told twice. */
	take(): Counts;
};

export function createSharedCounts(): SharedCounts {
	const hearing = new Map<string, (caller: string, times: number) => void>();
	let counted = new Map<string, Map<string, number>>();
	return {
		of: (limit) => (hear) => {
			hearing.set(limit, hear);
			return (caller) => {
				const callers = counted.get(limit) ?? new Map<string, number>();
				callers.set(caller, (callers.get(caller) ?? 0) + 1);
				counted.set(limit, callers);
			};
		},
		hear(counts) {
			for (const [limit, caller, times] of counts) hearing.get(limit)?.(caller, times);
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
