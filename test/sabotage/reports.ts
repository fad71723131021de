import type { Fault } from './faults.ts';

const made = ['test/reports/make.slow.test.ts'];
const queued = ['test/notify/mail/queue.test.ts'];

/** Faults of when reports are made, what they say, and how often they are mailed. */
export const reportFaults: readonly Fault[] = [
	{
		name: 'a report is made before its days are sealed',
		file: 'server/reports/make-due.ts',
		line: 'AND last_batch > sealed_batch))',
		instead: 'AND last_batch < 0))',
		tests: made,
	},
	{
		name: 'a report is due in a zone that the website no longer has',
		file: 'server/reports/make-due.ts',
		line: 'AND later.from_date > z.from_date AND later.from_date <= due.day)',
		instead: 'AND false)',
		tests: made,
	},
	{
		name: 'a digest goes out while a report of it is missing',
		file: 'server/reports/make-due.ts',
		line: 'AND open.from_day = reports.from_day AND open.zone = reports.zone)',
		instead: 'AND open.from_day = reports.from_day AND open.zone = reports.zone AND false)',
		tests: made,
	},
	{
		name: 'a schedule holds for what is over',
		file: 'server/reports/make-due.ts',
		line: "AND accounts.report_schedule IN (due.kind, 'both') AND accounts.reports_since <= due.due_at",
		instead: "AND accounts.report_schedule IN (due.kind, 'both')",
		tests: made,
	},
	{
		name: 'a report says nothing instead of unknown',
		file: 'server/reports/make-report.ts',
		line: 'context.firstDate !== null && context.firstDate <= to;',
		instead: 'context.firstDate !== null && to !== null;',
		tests: made,
	},
	{
		name: 'a mail is tried by all while nobody is there',
		file: 'server/notify/outbox.ts',
		line: "if (outcome.kind === 'refused' && outcome.isUnreachable) isUnreachable = true;",
		instead: '',
		tests: queued,
	},
];
