export type MemoizeOptions<Result> = {
	max: number;
	/** Results of longer texts are not cached. With `max`, this bounds the memory. */
	maxLength: number;
	/** Other results are not cached. */
	isKept?: (result: Result) => boolean;
};

/**
 * Caches results of a slow, pure function of a short text.
 *
 * There are two generations. A result that is used moves to the younger one; when that is full, it replaces the older one. So
 * results that are not used are dropped, and most lookups change nothing.
 */
export function memoize<Result>(
	compute: (text: string) => Result,
	{ max, maxLength, isKept = () => true }: MemoizeOptions<Result>,
): (text: string) => Result {
	let younger = new Map<string, { result: Result }>();
	let older = younger;
	return (text) => {
		if (text.length > maxLength) return compute(text);
		const young = younger.get(text);
		if (young) return young.result;
		const old = older.get(text);
		const kept = old ?? { result: compute(text) };
		if (!old && !isKept(kept.result)) return kept.result;
		if (younger.size >= max / 2) {
			older = younger;
			younger = new Map();
		}
		// Copied, because a substring keeps the whole original string in memory.
		younger.set(Buffer.from(text).toString(), kept);
		return kept.result;
	};
}
