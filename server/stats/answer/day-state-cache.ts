/**
 * The states of the days of many websites, all as of one moment. There are tens of thousands of days, nearly all sealed long ago,
 * and sending and parsing them would take longer than everything else. So PostgreSQL first returns a digest of the days and
 * generations of each website; the list is read only where the digest has changed.
 */
import type { Postgres, Queries } from '../../store/postgres.ts';
import { type Sql, sql, value } from '../../store/sql.ts';
import type { PlannedDay } from './plan.ts';

/** Days are numbers, counted from 1970-01-01. */
export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
export const dateOfDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** Two parallel lists: days, and the current generation of each. The same object as long as nothing has changed. */
export type StoredDays = { readonly days: readonly number[]; readonly generations: readonly number[] };

/** A day that is not sealed, or has events since. */
export type UnsealedDay = PlannedDay & {
	lastBatch: number;
	/** All batches up to it are in ClickHouse. */
	isSettled: boolean;
};

export type WebsiteDays = { stored: StoredDays; unsealed: UnsealedDay[] };

export const noDays: WebsiteDays = { stored: { days: [], generations: [] }, unsealed: [] };

export type DayStateCache = {
	/** All days between two dates, without capped dimensions and goal revisions, which this cache does not need. */
	read(
		postgres: Postgres,
		websiteIds: readonly number[],
		dates: { from: string; to: string },
	): Promise<Map<number, WebsiteDays>>;
};

/** About 3 kB each for 180 days. */
const maxWebsites = 5_000;

export function createDayStateCache(): DayStateCache {
	/** Least recently used first. */
	const cached = new Map<number, { key: string; stored: StoredDays }>();

	return {
		async read(postgres, websiteIds, { from, to }) {
			if (websiteIds.length === 0) return new Map();
			return postgres.snapshot(async (tx) => {
				const isRequested = (ids: readonly number[]) =>
					sql`website_id = ANY(${value(ids)}) AND date BETWEEN ${value(from)}::date AND ${value(to)}::date`;
				const digests = await readDigests(tx, isRequested(websiteIds));
				const found = new Map<number, StoredDays>();
				const changed = digests.filter(({ id, digest }) => {
					const known = cached.get(id);
					if (known?.key !== `${from} ${to} ${digest}`) return true;
					found.set(id, known.stored);
					return false;
				});
				const lists =
					changed.length === 0 ? [] : await readLists(tx, isRequested(changed.map(({ id }) => id)));
				for (const { id, list } of lists) found.set(id, parsePairs(list));
				for (const { id, digest } of digests) {
					const stored = found.get(id);
					if (!stored) continue;
					cached.delete(id);
					cached.set(id, { key: `${from} ${to} ${digest}`, stored });
				}
				for (const id of cached.keys()) {
					if (cached.size <= maxWebsites) break;
					cached.delete(id);
				}
				const unsealed = Map.groupBy(
					await readUnsealed(tx, isRequested(websiteIds)),
					({ websiteId }) => websiteId,
				);
				return new Map(
					websiteIds.map((id) => [
						id,
						{
							stored: found.get(id) ?? noDays.stored,
							unsealed: (unsealed.get(id) ?? []).map(({ day }) => day),
						},
					]),
				);
			});
		},
	};
}

const isStored = sql`generation > 0 AND last_batch <= sealed_batch`;

/** Equal for equal days and generations; collides with a probability of 2^-64. */
const readDigests = (tx: Queries, isRequested: Sql): Promise<{ id: number; digest: string }[]> =>
	tx.rowsUnprepared(sql`
		SELECT
			website_id AS id,
			count(*) || ' ' || bit_xor(hashint8extended(generation, date - DATE '1970-01-01')) AS digest
		FROM days WHERE ${isRequested} AND ${isStored} GROUP BY website_id`);

/** `20407 512,20408 519`: one row per day would take three times as long. */
const readLists = (tx: Queries, isRequested: Sql): Promise<{ id: number; list: string }[]> =>
	tx.rowsUnprepared(sql`
		SELECT website_id AS id, string_agg((date - DATE '1970-01-01') || ' ' || generation, ',') AS list
		FROM days WHERE ${isRequested} AND ${isStored} GROUP BY website_id`);

async function readUnsealed(
	tx: Queries,
	isRequested: Sql,
): Promise<{ websiteId: number; day: UnsealedDay }[]> {
	const rows = await tx.rowsUnprepared<{
		websiteId: number;
		date: string;
		generation: number;
		size: number;
		lastBatch: number;
		isSettled: boolean;
		provisionalGeneration: number;
		provisionalAt: Date | null;
	}>(sql`
		SELECT
			website_id AS "websiteId", date::text AS date, generation, size, last_batch AS "lastBatch",
			NOT EXISTS (SELECT 1 FROM batches WHERE number <= last_batch) AS "isSettled",
			provisional_generation AS "provisionalGeneration", provisional_at AS "provisionalAt"
		FROM days WHERE ${isRequested} AND NOT (${isStored})`);
	return rows.map(({ websiteId, provisionalGeneration, provisionalAt, ...day }) => ({
		websiteId,
		day: {
			...day,
			...noSealDetails,
			isSealed: false,
			imported: null,
			provisional:
				provisionalAt && provisionalGeneration > 0
					? { generation: provisionalGeneration, at: provisionalAt, ...noSealDetails }
					: null,
		},
	}));
}

const noSealDetails = { capped: [], goalRevision: 0 };

/** Digit by digit: splitting creates a string per number and takes five times as long. */
function parsePairs(text: string): StoredDays {
	const numbers: [number[], number[]] = [[], []];
	const [blank, comma, zero] = [32, 44, 48];
	let number = 0;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (code === blank || code === comma) {
			numbers[code === blank ? 0 : 1].push(number);
			number = 0;
		} else number = number * 10 + code - zero;
	}
	numbers[1].push(number);
	return { days: numbers[0], generations: numbers[1] };
}
