import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { Day } from './plan.ts';

/** Days as numbers, since 1970: there are tens of thousands of them. */
export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
export const dateOfDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** Two lists side by side: days, and the generation of each that counts. */
export type StoredDays = { days: number[]; generations: number[] };

/** One whose totals are not the last word. */
export type UnsealedDay = Day & {
	lastBatch: number;
	/** All batches up to it are in ClickHouse. */
	isSettled: boolean;
};

export type WebsiteDays = { stored: StoredDays; unsealed: UnsealedDay[] };

type Row = {
	id: number;
	/** `20407 512,20408 519`: a row a day would take three times as long. */
	stored: string | null;
	unsealed:
		| (Omit<UnsealedDay, 'provisional' | 'isSealed' | 'capped' | 'goalRevision'> & {
				provisionalGeneration: number;
				provisionalAt: string | null;
		  })[]
		| null;
};

/** As `readDays`, of many websites at one moment. Nothing is said of dimensions and goals, which only one website has. */
export async function readManyDays(
	queries: Queries,
	asked: readonly { id: number; from: string; to: string }[],
): Promise<Map<number, WebsiteDays>> {
	const rows = await queries.plannedRows<Row>(sql`
		SELECT id, found.stored, found.unsealed
		FROM unnest(
			${value(asked.map(({ id }) => id))}::bigint[], ${value(asked.map(({ from }) => from))}::date[],
			${value(asked.map(({ to }) => to))}::date[]
		) AS asked (id, first, last)
		CROSS JOIN LATERAL (
			SELECT
				string_agg((date - DATE '1970-01-01') || ' ' || generation, ',') FILTER (WHERE is_stored) AS stored,
				json_agg(json_build_object(
					'date', date, 'generation', generation, 'size', size, 'lastBatch', last_batch,
					'isSettled', NOT EXISTS (SELECT 1 FROM batches WHERE number <= last_batch),
					'provisionalGeneration', provisional_generation, 'provisionalAt', provisional_at
				)) FILTER (WHERE NOT is_stored) AS unsealed
			FROM (
				SELECT *, generation > 0 AND last_batch <= sealed_batch AS is_stored
				FROM days WHERE website_id = asked.id AND date BETWEEN asked.first AND asked.last
			) AS day
		) AS found`);
	return new Map(rows.map((row) => [row.id, toDays(row)]));
}

function toDays({ stored, unsealed }: Row): WebsiteDays {
	return {
		stored: readPairs(stored ?? ''),
		unsealed: (unsealed ?? []).map(({ provisionalGeneration, provisionalAt, ...day }) => ({
			...day,
			...plain,
			isSealed: false,
			provisional:
				provisionalAt !== null && provisionalGeneration > 0
					? { generation: provisionalGeneration, at: new Date(provisionalAt), ...plain }
					: null,
		})),
	};
}

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
	if (text !== '') numbers[1].push(number);
	return { days: numbers[0], generations: numbers[1] };
}

const plain = { capped: [], goalRevision: 0 };
