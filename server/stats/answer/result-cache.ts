/**
 * Results of statements that read generations. The rows of a generation never change, and everything else that a result
 * depends on (website, days, filter, goals, time zones) is in the statement. So a result is found by its statement, and is
 * never out of date. Permission is checked before a question gets to a statement, and thresholds of shares apply afterwards.
 *
 * Results of a website are dropped when it changes, so that those of a deleted or reset website do not stay in memory.
 */
import { createHash } from 'node:crypto';
import { render, type Sql } from '../../store/sql.ts';

export type ResultCache = {
	/** Returns the result of the statement, or what `read` returns and says is its size. */
	read<Result>(
		websiteId: number,
		statement: Sql,
		read: () => Promise<{ result: Result; bytes: number }>,
	): Promise<Result>;
	/** Dimensions of a website with too many values to rank them here. */
	noteManyValues(websiteId: number, label: string): void;
	manyValues(websiteId: number): ReadonlySet<string>;
	forget(websiteId: number): void;
	/** Bytes in use, about. */
	size(): number;
};

const maxBytesUsed = 32 * 1024 * 1024;
/** Longer than any question waits and runs. */
const dropAgainMs = 240_000;
const none: ReadonlySet<string> = new Set();
/** Of which dimensions with many values are remembered. */
const maxWebsites = 10_000;

export function createResultCache({
	maxBytes = maxBytesUsed,
	connectedSince = () => undefined,
}: {
	maxBytes?: number;
	/** Since when every change of a website was heard; a new value means that some were missed. */
	connectedSince?: () => number | undefined;
} = {}): ResultCache {
	/** Least recently used first. */
	const entries = new Map<string, { websiteId: number; result: unknown; bytes: number }>();
	/** Reads under way. A result that was dropped meanwhile is not stored. */
	const running = new Set<{ websiteId: number; isDropped: boolean }>();
	const manyValues = new Map<number, Set<string>>();
	let bytes = 0;
	let heardSince = connectedSince();

	function remove(key: string): void {
		bytes -= entries.get(key)?.bytes ?? 0;
		entries.delete(key);
	}

	function drop(websiteId: number): void {
		manyValues.delete(websiteId);
		for (const reading of running) if (reading.websiteId === websiteId) reading.isDropped = true;
		for (const [key, entry] of entries) if (entry.websiteId === websiteId) remove(key);
	}

	function forgetUnheard(): void {
		const since = connectedSince();
		if (since === heardSince) return;
		heardSince = since;
		for (const reading of running) reading.isDropped = true;
		entries.clear();
		bytes = 0;
	}

	return {
		async read<Result>(
			websiteId: number,
			statement: Sql,
			read: () => Promise<{ result: Result; bytes: number }>,
		) {
			forgetUnheard();
			const key = keyOf(statement);
			const known = entries.get(key);
			if (known) {
				entries.delete(key);
				entries.set(key, known);
				// The same statement has the same type of result: each is read in one place.
				return known.result as Result;
			}
			const reading = { websiteId, isDropped: false };
			running.add(reading);
			const { result, bytes: size } = await read().finally(() => running.delete(reading));
			if (size > maxBytes / 4 || reading.isDropped) return result;
			remove(key);
			entries.set(key, { websiteId, result, bytes: size });
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
		forget(websiteId) {
			drop(websiteId);
			// A question that began before may read what is not erased yet.
			setTimeout(() => drop(websiteId), dropAgainMs).unref();
		},
		size: () => bytes,
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
