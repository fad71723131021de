/**
 * Caches up to `max` results of a slow, pure function of a short text.
 *
 * There are two generations. A result that is used moves to the younger one; when that is full, it replaces the older one. So
 * results that are not used are dropped, and most lookups change nothing.
 */
export function memoize<Result>(compute: (text: string) => Result, max: number): (text: string) => Result {
	let younger = new Map<string, { result: Result }>();
	let older = younger;
	return (text) => {
		const young = younger.get(text);
		if (young) return young.result;
		const kept = older.get(text) ?? { result: compute(text) };
		if (younger.size >= max / 2) {
			older = younger;
			younger = new Map();
		}
		// Copied, because a substring keeps the whole original string in memory.
		younger.set(Buffer.from(text).toString(), kept);
		return kept.result;
	};
}
