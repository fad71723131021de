import { z } from 'zod';
import { pageParameters } from './envelopes.ts';

const reportSchedules = ['none', 'week', 'month', 'both'] as const;

export const changeReportSettingsBody = z.object({
	schedule: z
		.enum(reportSchedules, { error: `The schedule field must be one of: ${reportSchedules.join(', ')}.` })
		.optional(),
	digest: z
		.preprocess(
			(input) => (input === 'true' || input === 'false' ? input === 'true' : input),
			z.boolean({ error: 'The digest field must be true or false.' }),
		)
		.optional(),
});

export const listReportsQuery = z.object(pageParameters);

export const reportSettings = z
	.object({
		schedule: z.enum(reportSchedules).meta({ description: 'When reports are made and mailed.' }),
		digest: z.boolean().meta({ description: 'Whether one mail has the reports of all websites.' }),
		can_mail: z.boolean().meta({ description: 'Without a mail server, reports are made and only shown.' }),
	})
	.meta({ id: 'ReportSettings' });

const number = z
	.object({ now: z.number().nullable(), before: z.number().nullable(), year_ago: z.number().nullable() })
	.meta({ id: 'ReportNumber', description: 'Null: not measured then, or without a meaning.' });
const line = z
	.object({ value: z.string(), visitors: z.number(), before: z.number().nullable() })
	.meta({ id: 'ReportLine' });
const date = z.string().meta({ format: 'date' });

export const reportRecord = z
	.object({
		id: z.int().positive(),
		kind: z.enum(['week', 'month']),
		from: date.meta({ description: 'The first day, in the time zone of the website.' }),
		to: date.meta({ description: 'The last day.' }),
		provisional: z.boolean().meta({ description: 'Whether a day of it was not final when it was made.' }),
		made_at: z.string().meta({ format: 'date-time' }),
		visitors: number,
	})
	.meta({ id: 'Report' });

export const wholeReport = reportRecord
	.extend({
		website: z.object({ id: z.int().positive(), domain: z.string(), timezone: z.string() }),
		before: z.object({ from: date, to: date }).meta({ description: 'The period that `before` is about.' }),
		totals: z.object({
			visitors: number,
			visits: number,
			pageviews: number,
			bounce_rate: number,
			visit_duration: number,
		}),
		series: z.array(z.object({ day: date, visitors: z.number(), before: z.number().nullable() })).readonly(),
		pages: z.array(line).readonly(),
		sources: z.array(line).readonly(),
		countries: z.array(line).readonly(),
		revenue: z
			.record(z.string(), z.number())
			.readonly()
			.nullable()
			.meta({ description: 'Sums by currency. Null: the report has no revenue.' }),
		goals: z
			.array(
				z.object({
					name: z.string(),
					conversions: z.number(),
					rate: z.number().nullable(),
					before: z.number().nullable(),
				}),
			)
			.readonly(),
		changed: z
			.array(
				z.object({
					kind: z.enum(['page', 'source']),
					value: z.string(),
					visitors: z.number(),
					before: z.number(),
				}),
			)
			.readonly()
			.meta({ description: 'Pages and sources with the largest increase and decrease.' }),
	})
	.meta({ id: 'WholeReport' });

export type ReportSettings = z.output<typeof reportSettings>;
export type ReportRecord = z.output<typeof reportRecord>;
export type ReportNumber = z.output<typeof number>;
export type WholeReport = z.output<typeof wholeReport>;
