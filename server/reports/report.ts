/** What a report says, in numbers and names; how it is written is for the renderers. */
export type Compared = { now: number | null; before: number | null; yearAgo: number | null };
export type ReportRow = { value: string; visitors: number; before: number | null };
export type Report = {
	website: { id: number; name: string; domain: string; timezone: string };
	kind: 'week' | 'month';
	/** First and last day, in the website's zone; both belong to it. */
	from: string;
	to: string;
	before: { from: string; to: string };
	/** Whether a day of it was not sealed when it was made. */
	isProvisional: boolean;
	madeAt: string;
	totals: {
		visitors: Compared;
		visits: Compared;
		pageviews: Compared;
		bounce_rate: Compared;
		visit_duration: Compared;
	};
	/** A day each; `before`: the same day of the period before, null where that one is shorter. */
	series: readonly { day: string; visitors: number; before: number | null }[];
	pages: readonly ReportRow[];
	sources: readonly ReportRow[];
	countries: readonly ReportRow[];
	goals: readonly { name: string; conversions: number; rate: number | null; before: number | null }[];
	/** A page and a source that rose most, where something rose. */
	risen: readonly { kind: 'page' | 'source'; value: string; visitors: number; before: number }[];
};
