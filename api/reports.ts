import { z } from 'zod';
import { pageParameters } from './envelopes.ts';

/** What the dashboard says and hears of reports; it is not for programs. */
export const reportSchedules = ['none', 'week', 'month', 'both'] as const;

export const changeReportSettingsBody = z.object({
	schedule: z
		.enum(reportSchedules, { error: `The schedule field must be one of: ${reportSchedules.join(', ')}.` })
		.optional(),
	digest: z.boolean({ error: 'The digest field must be true or false.' }).optional(),
});

export const listReportsQuery = z.object(pageParameters);

export type ReportSettings = {
	schedule: (typeof reportSchedules)[number];
	/** All websites of the account in one mail. */
	digest: boolean;
	/** Whether mail can be sent: without it reports are made and only shown. */
	can_mail: boolean;
};

export type ReportRecord = {
	id: number;
	kind: 'week' | 'month';
	/** First and last day, on the clock of the website. */
	from: string;
	to: string;
	/** Whether a day of it was not sealed when it was made. */
	provisional: boolean;
	made_at: string;
	visitors: ReportNumber;
};

/** null: it was not measured then, or has no meaning. */
export type ReportNumber = { now: number | null; before: number | null; year_ago: number | null };
export type ReportLine = { value: string; visitors: number; before: number | null };

export type WholeReport = ReportRecord & {
	website: { id: number; domain: string; timezone: string };
	/** What `before` is about. */
	before: { from: string; to: string };
	totals: Record<'visitors' | 'visits' | 'pageviews' | 'bounce_rate' | 'visit_duration', ReportNumber>;
	series: readonly { day: string; visitors: number; before: number | null }[];
	pages: readonly ReportLine[];
	sources: readonly ReportLine[];
	countries: readonly ReportLine[];
	/** Sums by currency; null if the report has no revenue. */
	revenue: Readonly<Record<string, number>> | null;
	goals: readonly { name: string; conversions: number; rate: number | null; before: number | null }[];
	/** Pages and sources with the largest increase and decrease. */
	changed: readonly { kind: 'page' | 'source'; value: string; visitors: number; before: number }[];
};
