/** The data of a report, as it is stored. */
export type Compared = { now: number | null; before: number | null; yearAgo: number | null };
export type ReportRow = { value: string; visitors: number; before: number | null };
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
	/** One entry per day. `before`: the same day of the previous period, null if that is shorter. */
	series: readonly { day: string; visitors: number; before: number | null }[];
	pages: readonly ReportRow[];
	sources: readonly ReportRow[];
	countries: readonly ReportRow[];
	goals: readonly { name: string; conversions: number; rate: number | null; before: number | null }[];
	/** The page and the source with the largest increase. */
	risen: readonly { kind: 'page' | 'source'; value: string; visitors: number; before: number }[];
};
