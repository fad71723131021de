/**
 * Web vitals: how fast the largest part of a page was painted (LCP), how slow its slowest answer to a person was (INP), how
 * much it moved about (CLS). A page view is a sample of each that its browser measured.
 *
 * The 75th percentile is the sample at rank ⌈0.75 n⌉: the least value that three of four page views do not exceed. So it is
 * good exactly when at least three quarters of the samples are, and none of it is estimated. (`quantileExactWeighted` has
 * that rank; `quantileExact` takes the next one, which of four samples is the worst. It also holds each value once, however
 * many page views have it.)
 */
import { join, param, type Sql, sql } from '../store/sql.ts';
import type { StatsServices } from './answer.ts';
import { fewest } from './few.ts';
import type { Question } from './question.ts';
import { askEvents, isAskedFor } from './raw-events.ts';
import type { Answer } from './shape.ts';

type Definition = {
	/** A whole number. */
	sample: Sql;
	isMeasured: Sql;
	/** How many samples make a unit of what is answered. */
	scale: number;
	/** As published at https://web.dev/articles/defining-core-web-vitals-thresholds: up to `good`, and above `poor`. */
	good: number;
	poor: number;
};

/** Those that the tracker sends. 0 is a time that was not measured; shifts have four places. */
const definitions = {
	lcp: { sample: sql`lcp_ms`, isMeasured: sql`lcp_ms > 0`, scale: 1, good: 2_500, poor: 4_000 },
	inp: { sample: sql`inp_ms`, isMeasured: sql`inp_ms > 0`, scale: 1, good: 200, poor: 500 },
	cls: {
		sample: sql`toUInt32(round(greatest(cls, 0) * 10000))`,
		isMeasured: sql`cls >= 0`,
		scale: 10_000,
		good: 0.1,
		poor: 0.25,
	},
} as const satisfies Record<string, Definition>;

export type VitalName = keyof typeof definitions;

// Object.keys forgets that the names are those of the table.
const names = Object.keys(definitions) as VitalName[];

export type Vital = {
	name: VitalName;
	thresholds: { good: number; poor: number };
	samples: number;
	/** Null when there are no samples. */
	p75: number | null;
	/** How many samples. */
	good: number;
	poor: number;
	/** Those with most samples. */
	pages: { page: string; samples: number; p75: number }[];
};

export type VitalsAnswer = { vitals: Vital[]; meta: Answer['meta'] };

const maxPages = 10;

/** Of the question only its website, span and filter matter. The public sees nothing of fewer than three samples. */
export async function answerVitals(
	question: Question,
	audience: 'people' | 'public',
	services: StatsServices,
	signal: AbortSignal,
): Promise<VitalsAnswer> {
	const least = audience === 'public' ? fewest : 1;
	const { tables, meta } = await askEvents<VitalRow>(question, buildVitals(question, least), services, {
		name: 'vitals',
		signal,
	});
	const [whole = [], pages = []] = tables;
	return {
		vitals: names.map((name) => {
			const { scale, good, poor } = definitions[name];
			const row = whole.find(({ vital }) => vital === name);
			return {
				name,
				thresholds: { good, poor },
				samples: Number(row?.samples ?? 0),
				p75: row ? row.p75 / scale : null,
				good: Number(row?.good ?? 0),
				poor: Number(row?.poor ?? 0),
				pages: pages
					.filter(({ vital }) => vital === name)
					.map(({ page, samples, p75 }) => ({ page, samples: Number(samples), p75: p75 / scale })),
			};
		}),
		meta,
	};
}

type VitalRow = {
	vital: VitalName;
	page: string;
	samples: string;
	p75: number;
	good: string;
	poor: string;
};

export function buildVitals(question: Question, least: number): Sql[] {
	const measured = join(
		names.map((name) => {
			const { sample, isMeasured, scale, good, poor } = definitions[name];
			const limit = (of: number) => sql`toUInt32(${param('UInt32', Math.round(of * scale))})`;
			return sql`
				(${param('String', name)}, ${sample}, ${limit(good)}, ${limit(poor)}, ${isMeasured})`;
		}),
		',',
	);
	const samples = sql`
		-- A sample: a vital of a page view, and between what it needs improvement.
		SELECT path AS page, measured.1 AS vital, measured.2 AS sample, measured.3 AS good_to, measured.4 AS poor_from
		FROM events
		ARRAY JOIN arrayFilter(one -> one.5, [${measured}
			]) AS measured
		WHERE ${isAskedFor(question)} AND kind = 'vital'`;
	const counted = sql`count() AS samples, quantileExactWeighted(0.75)(sample, 1) AS p75`;
	const isShown = sql`HAVING samples >= ${param('UInt64', least)}`;
	return [
		sql`
	SELECT vital, ${counted}, countIf(sample <= good_to) AS good, countIf(sample > poor_from) AS poor
	FROM (${samples})
	GROUP BY vital
	${isShown}`,
		sql`
	SELECT vital, page, ${counted}
	FROM (${samples})
	GROUP BY vital, page
	${isShown}
	ORDER BY vital, samples DESC, page
	LIMIT ${param('UInt8', maxPages)} BY vital`,
	];
}
