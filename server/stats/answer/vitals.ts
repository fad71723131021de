/**
 * Web vitals: largest contentful paint (LCP), interaction to next paint (INP) and cumulative layout shift (CLS). A page view is a
 * sample of each vital that its browser measured.
 *
 * The 75th percentile is the sample at rank ⌈0.75 n⌉: the lowest value that three of four page views do not exceed. So it is good
 * exactly when at least three quarters of the samples are, and nothing is estimated. (`quantileExactWeighted` uses that rank and
 * stores each value once; `quantileExact` uses the next rank, which of four samples is the worst.)
 */
import { join, param, type Sql, sql } from '../../store/sql.ts';
import type { Question } from '../question/question.ts';
import { maxSharedRows, questionsForShare } from '../question/shared-questions.ts';
import type { StatsServices } from './answer.ts';
import {
	choose,
	isSafe,
	minVisitorsShown,
	nothing,
	type Size,
	type Sizes,
	sum,
} from './public-thresholds.ts';
import { askEvents, matchesQuestion } from './raw-events.ts';
import type { StatsAnswer } from './shape.ts';

type Definition = {
	/** An integer. */
	sample: Sql;
	isMeasured: Sql;
	/** Divides a sample to get the answered value. */
	scale: number;
	/** Thresholds of https://web.dev/articles/defining-core-web-vitals-thresholds: good up to `good`, poor above `poor`. */
	good: number;
	poor: number;
};

/** The vitals that the tracker sends. A time of 0 was not measured; shifts have four decimals. */
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

// Object.keys does not keep the type of the names.
const names = Object.keys(definitions) as VitalName[];

export type Vital = {
	name: VitalName;
	thresholds: { good: number; poor: number };
	samples: number;
	/** Null without samples. */
	p75: number | null;
	/** Numbers of samples. */
	good: number;
	poor: number;
	/** The pages with most samples. */
	pages: { page: string; samples: number; p75: number }[];
	/** It has samples, but of too few visitors to be shown. */
	isFew?: true;
};

export type VitalsAnswer = { vitals: Vital[]; meta: StatsAnswer['meta'] };

const maxPages = 10;

type Table = { totals: VitalRow[]; pages: VitalRow[]; meta: StatsAnswer['meta'] };

async function read(
	question: Question,
	bounds: { least: number; maxPages: number },
	services: StatsServices,
	signal: AbortSignal,
): Promise<Table> {
	const statements = buildVitals(question, bounds);
	const { tables, meta } = await askEvents<VitalRow>(question, statements, services, {
		name: 'vitals',
		signal,
	});
	const [totals = [], pages = []] = tables;
	return { totals, pages, meta };
}

function toVitals({ totals, pages }: Table): Vital[] {
	return names.map((name) => {
		const { scale, good, poor } = definitions[name];
		const row = totals.find(({ vital }) => vital === name);
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
	});
}

/** Uses only the website, span and filter of the question. */
export async function answerVitals(
	question: Question,
	services: StatsServices,
	signal: AbortSignal,
): Promise<VitalsAnswer> {
	const table = await read(question, { least: 1, maxPages }, services, signal);
	return { vitals: toVitals(table), meta: table.meta };
}

/** For shares: at least three samples; with a filter, only what public-thresholds.ts allows. */
export async function answerSharedVitals(
	question: Question,
	services: StatsServices,
	signal: AbortSignal,
): Promise<VitalsAnswer> {
	if (question.filter === null) {
		const table = await read(question, { least: minVisitorsShown, maxPages }, services, signal);
		return { vitals: toVitals(table), meta: table.meta };
	}
	const { subsets, withCurrentHour, until } = questionsForShare(question, services.now());
	const questions = [...subsets, ...(withCurrentHour ? [withCurrentHour] : [])];
	const bounds = { least: 1, maxPages: maxSharedRows };
	const tables = await Promise.all(questions.map((each) => read(each, bounds, services, signal)));
	const weaker = tables.slice(0, subsets.length);
	const table = weaker.at(-1);
	if (!table) throw new Error('The question itself was not answered.');
	const isTotalShown = (vital: VitalName) => {
		const [published] = withCurrentHour ? sizesOf(tables.slice(-1), vital) : [];
		return isSafe(sizesOf(weaker, vital), published);
	};
	const shown = {
		...table,
		totals: table.totals.filter(({ vital }) => isTotalShown(vital)),
		pages: names
			.filter(isTotalShown)
			.flatMap((vital) => choosePages(tables, subsets.length, vital).slice(0, maxPages)),
	};
	return {
		vitals: toVitals(shown).map((vital) => (isTotalShown(vital.name) ? vital : { ...vital, isFew: true })),
		meta: { ...table.meta, asOf: until && until < table.meta.asOf ? until : table.meta.asOf },
	};
}

const toSize = (row: VitalRow | undefined): Size =>
	row ? { visitors: Number(row.visitors), visits: 0, views: Number(row.samples) } : nothing;
const sizesOf = (tables: readonly Table[], vital: VitalName): Sizes =>
	tables.map(({ totals }) => toSize(totals.find((row) => row.vital === vital)));

/** The pages that can be shown, from the tables of all subsets and the one with the current hour. */
function choosePages(all: readonly Table[], subsets: number, vital: VitalName): VitalRow[] {
	const totalSizes = sizesOf(all.slice(0, subsets), vital);
	const tables = all.map(({ pages }) => {
		const own = pages.filter((row) => row.vital === vital);
		return { own, byPage: new Map(own.map((row) => [row.page, row])), isCut: own.length >= maxSharedRows };
	});
	const items = (tables[subsets - 1]?.own ?? []).map((row) => {
		const sizes = tables.map(({ byPage, isCut }) => {
			const match = byPage.get(row.page);
			return match || !isCut ? toSize(match) : null;
		});
		return { row, totalSizes, sizes: sizes.slice(0, subsets), published: sizes[subsets] };
	});
	const total = tables.slice(0, subsets).map(({ own }) => sum(own.map(toSize)));
	const shown = choose(items, [{ items, total }]);
	return items.filter((item) => shown.has(item)).map(({ row }) => row);
}

type VitalRow = {
	vital: VitalName;
	page: string;
	samples: string;
	visitors: string;
	p75: number;
	good: string;
	poor: string;
};

export function buildVitals(
	question: Question,
	{ least, maxPages: most }: { least: number; maxPages: number },
): Sql[] {
	const measured = join(
		names.map((name) => {
			const { sample, isMeasured, scale, good, poor } = definitions[name];
			const limit = (threshold: number) => sql`toUInt32(${param('UInt32', Math.round(threshold * scale))})`;
			return sql`
				(${param('String', name)}, ${sample}, ${limit(good)}, ${limit(poor)}, ${isMeasured})`;
		}),
		',',
	);
	const samples = sql`
		-- A sample: a vital of a page view, and between what it needs improvement.
		SELECT date, visitor_id, path AS page, measured.1 AS vital, measured.2 AS sample, measured.3 AS good_to, measured.4 AS poor_from
		FROM events
		ARRAY JOIN arrayFilter(one -> one.5, [${measured}
			]) AS measured
		WHERE ${matchesQuestion(question)} AND kind = 'vital'`;
	const counted = sql`count() AS samples, uniqExactIf((date, visitor_id), visitor_id != 0) AS visitors, quantileExactWeighted(0.75)(sample, 1) AS p75`;
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
	LIMIT ${param('UInt16', most)} BY vital`,
	];
}
