/** The data of a report, as it is stored. */
import type { ChangeFacts } from '../../presentation/change-sentence.ts';

export type Compared = { now: number | null; before: number | null; yearAgo: number | null };
/** Amounts by currency. */
export type Money = Readonly<Record<string, number>>;
export type ReportRow = { value: string; visitors: number; before: number | null };
export type ChangedRow = { kind: 'page' | 'source'; value: string; visitors: number; before: number };
export type Report = {
	website: { id: number; name: string; domain: string; timezone: string };
	kind: 'week' | 'month';
	/** First and last day, inclusive, in the website's time zone. */
	from: string;
	to: string;
	before: { from: string; to: string };
	/** Whether a day was not sealed when the report was created. */
	isProvisional: boolean;
	madeAt: string;
	totals: {
		visitors: Compared;
		visits: Compared;
		pageviews: Compared;
		bounce_rate: Compared;
		visit_duration: Compared;
	};
	/** Null without a measured period. Missing in reports that were created before revenue was part of them. */
	revenue?: { now: Money | null; before: Money | null; yearAgo: Money | null };
	/** One entry per day. `before`: the same day of the previous period, null if that is shorter. */
	series: readonly { day: string; visitors: number; before: number | null }[];
	pages: readonly ReportRow[];
	sources: readonly ReportRow[];
	countries: readonly ReportRow[];
	goals: readonly {
		name: string;
		conversions: number;
		rate: number | null;
		before: number | null;
		revenue?: Money;
	}[];
	/** Why the visitors changed. Null without a previous period; missing in reports that were created before it was part of them. */
	explained?: ChangeFacts | null;
	/** The page and the source with the largest increase. */
	risen: readonly ChangedRow[];
	/** Those with the largest decrease. Missing in reports that were created before decreases were part of them. */
	fallen?: readonly ChangedRow[];
};
