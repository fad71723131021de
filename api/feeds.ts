/** What the dashboard says and hears of reports and the feed of a website; it is not for programs. */
export type FeedRecord = { created_at: string };
/** The address is shown this once. */
export type ShownFeed = FeedRecord & { url: string };

type Compared = { now: number | null; before: number | null; yearAgo: number | null };
/** What the pages show of a report (server/reports/report.ts has all of it). */
export type ReportRecord = {
	kind: 'week' | 'month';
	/** First and last day, in the website's zone; both belong to it. */
	from: string;
	to: string;
	isProvisional: boolean;
	totals: Record<'visitors' | 'visits' | 'pageviews' | 'bounce_rate' | 'visit_duration', Compared>;
	series: readonly { day: string; visitors: number }[];
	risen: readonly { kind: 'page' | 'source'; value: string }[];
};
