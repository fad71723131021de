/**
 * Results of statements that read generations. The rows of a generation never change, and everything else that a result
 * depends on (website, days, filter, goals, time zones) is in the statement. So a result is found by its statement, and is
 * never out of date. Permission is checked before a question gets to a statement, and thresholds of shares apply afterwards.
 *
 * A result that is not used for some minutes is dropped, so that nothing of a deleted or reset website stays: nobody can ask
 * for its generations.
 */
import { createHash } from 'node:crypto';
import { render, type Sql } from '../../store/sql.ts';

export type ResultCache = {
	/** Returns the result of the statement, or what `read` returns and says is its size. */
	read<Result>(statement: Sql, read: () => Promise<{ result: Result; bytes: number }>): Promise<Result>;
	/** Dimensions of a website with too many values to rank them here. */
	noteManyValues(websiteId: number, label: string): void;
	manyValues(websiteId: number): ReadonlySet<string>;
	/** Bytes in use, about. */
	size(): number;
	close(): void;
};

const maxBytesUsed = 32 * 1024 * 1024;
const unusedMs = 600_000;
const none: ReadonlySet<string> = new Set();
/** Of which dimensions with many values are remembered. */
const maxWebsites = 10_000;

export function createResultCache({
	maxBytes = maxBytesUsed,
	dropUnusedMs = unusedMs,
}: {
	maxBytes?: number;
	dropUnusedMs?: number;
} = {}): ResultCache {
	/** Least recently used first. */
	const entries = new Map<string, { result: unknown; bytes: number; usedMs: number }>();
	const manyValues = new Map<number, Set<string>>();
	let bytes = 0;

	function remove(key: string): void {
		bytes -= entries.get(key)?.bytes ?? 0;
		entries.delete(key);
	}

	const timer = setInterval(() => {
		const before = performance.now() - dropUnusedMs;
		for (const [key, { usedMs }] of entries) {
			if (usedMs > before) break;
			remove(key);
		}
	}, dropUnusedMs / 10).unref();

	return {
		async read<Result>(statement: Sql, read: () => Promise<{ result: Result; bytes: number }>) {
			const key = keyOf(statement);
			const known = entries.get(key);
			if (known) {
				entries.delete(key);
				entries.set(key, { ...known, usedMs: performance.now() });
				// The same statement has the same type of result: each is read in one place.
				return known.result as Result;
			}
			const { result, bytes: size } = await read();
			if (size > maxBytes / 4) return result;
			remove(key);
			entries.set(key, { result, bytes: size, usedMs: performance.now() });
			bytes += size;
			for (const oldest of entries.keys()) {
				if (bytes <= maxBytes) break;
				remove(oldest);
			}
			return result;
		},
		noteManyValues(websiteId, label) {
			if (manyValues.size >= maxWebsites) manyValues.clear();
			manyValues.set(websiteId, new Set([...(manyValues.get(websiteId) ?? []), label]));
		},
		manyValues: (websiteId) => manyValues.get(websiteId) ?? none,
		size: () => bytes,
		close: () => clearInterval(timer),
	};
}

/** A digest, because a statement has some kilobytes. */
function keyOf(statement: Sql): string {
	const { query, query_params } = render(statement);
	const values = JSON.stringify(query_params, (_, value: unknown) =>
		typeof value === 'bigint' ? `${value}n` : value,
	);
	return createHash('sha256').update(query).update('\0').update(values).digest('base64');
}
