/**
 * In which state the days of many websites are, all at one moment. There are tens of thousands of them, nearly all sealed
 * long ago: to send and read them takes longer than everything else. So PostgreSQL first says in one number for each website
 * which days and generations it has; the list is asked for only where that number is another one than before.
 */
import type { Postgres, Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import type { Day } from './plan.ts';

/** Days as numbers, since 1970. */
export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
export const dateOfDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** Two lists side by side: days, and the generation of each that counts. The same object as long as nothing has changed. */
export type StoredDays = { readonly days: readonly number[]; readonly generations: readonly number[] };

/** One whose totals are not the last word. */
export type UnsealedDay = Day & {
	lastBatch: number;
	/** All batches up to it are in ClickHouse. */
	isSettled: boolean;
};

export type WebsiteDays = { stored: StoredDays; unsealed: UnsealedDay[] };

export const noDays: WebsiteDays = { stored: { days: [], generations: [] }, unsealed: [] };

export type ManyDays = {
	/** All that they have between two dates. Nothing is said of dimensions and goals, which only one website has. */
	read(
		postgres: Postgres,
		websiteIds: readonly number[],
		dates: { from: string; to: string },
	): Promise<Map<number, WebsiteDays>>;
};

/** 3 kB each with 180 days. */
const maxWebsites = 5_000;

export function createManyDays(): ManyDays {
	/** Whoever was read last is last. */
	const kept = new Map<number, { key: string; stored: StoredDays }>();

	return {
		async read(postgres, websiteIds, { from, to }) {
			if (websiteIds.length === 0) return new Map();
			return postgres.snapshot(async (tx) => {
				const isAsked = (ids: readonly number[]) =>
					sql`website_id = ANY(${value(ids)}) AND date BETWEEN ${value(from)}::date AND ${value(to)}::date`;
				const digests = await readDigests(tx, isAsked(websiteIds));
				const known = new Map<number, StoredDays>();
				const changed = digests.filter(({ id, digest }) => {
					const one = kept.get(id);
					if (one?.key !== `${from} ${to} ${digest}`) return true;
					known.set(id, one.stored);
					return false;
				});
				const lists = changed.length === 0 ? [] : await readLists(tx, isAsked(changed.map(({ id }) => id)));
				for (const { id, list } of lists) known.set(id, readPairs(list));
				for (const { id, digest } of digests) {
					const stored = known.get(id);
					if (!stored) continue;
					kept.delete(id);
					kept.set(id, { key: `${from} ${to} ${digest}`, stored });
				}
				for (const id of kept.keys()) {
					if (kept.size <= maxWebsites) break;
					kept.delete(id);
				}
				const unsealed = Map.groupBy(
					await readUnsealed(tx, isAsked(websiteIds)),
					({ websiteId }) => websiteId,
				);
				return new Map(
					websiteIds.map((id) => [
						id,
						{
							stored: known.get(id) ?? noDays.stored,
							unsealed: (unsealed.get(id) ?? []).map(({ day }) => day),
						},
					]),
				);
			});
		},
	};
}

const isStored = sql`generation > 0 AND last_batch <= sealed_batch`;

/** The number is the same for the same days and generations, and for others by chance once in 2^64. */
const readDigests = (tx: Queries, isAsked: Sql): Promise<{ id: number; digest: string }[]> =>
	tx.plannedRows(sql`
		SELECT
			website_id AS id,
			count(*) || ' ' || bit_xor(hashint8extended(generation, date - DATE '1970-01-01')) AS digest
		FROM days WHERE ${isAsked} AND ${isStored} GROUP BY website_id`);

/** `20407 512,20408 519`: a row a day would take three times as long. */
const readLists = (tx: Queries, isAsked: Sql): Promise<{ id: number; list: string }[]> =>
	tx.plannedRows(sql`
		SELECT website_id AS id, string_agg((date - DATE '1970-01-01') || ' ' || generation, ',') AS list
		FROM days WHERE ${isAsked} AND ${isStored} GROUP BY website_id`);

async function readUnsealed(tx: Queries, isAsked: Sql): Promise<{ websiteId: number; day: UnsealedDay }[]> {
	const rows = await tx.plannedRows<{
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
		FROM days WHERE ${isAsked} AND NOT (${isStored})`);
	return rows.map(({ websiteId, provisionalGeneration, provisionalAt, ...day }) => ({
		websiteId,
		day: {
			...day,
			...plain,
			isSealed: false,
			imported: null,
			provisional:
				provisionalAt && provisionalGeneration > 0
					? { generation: provisionalGeneration, at: provisionalAt, ...plain }
					: null,
		},
	}));
}

const plain = { capped: [], goalRevision: 0 };

/** Digit by digit: splitting makes as many texts as there are numbers, and takes five times as long. */
function readPairs(text: string): StoredDays {
	const numbers: [number[], number[]] = [[], []];
	const [blank, comma, zero] = [32, 44, 48];
	let number = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === blank || code === comma) {
			numbers[code === blank ? 0 : 1].push(number);
			number = 0;
		} else number = number * 10 + code - zero;
	}
	numbers[1].push(number);
	return { days: numbers[0], generations: numbers[1] };
}
