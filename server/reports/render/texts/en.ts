import { createPlural } from './plural.ts';
import type { Against, ReportTexts } from './texts.ts';

const plural = createPlural('en');
const before: Record<Against, string> = {
	week: 'the previous week',
	month: 'the previous month',
	year: 'a year ago',
};

export const en: ReportTexts = {
	metrics: {
		visitors: 'Visitors',
		visits: 'Visits',
		pageviews: 'Page views',
		bounce_rate: 'Bounce rate',
		visit_duration: 'Visit duration',
		revenue: 'Revenue',
	},
	visitors: (count, shown) => `${shown} ${plural(count, { one: 'visitor', other: 'visitors' })}`,
	subject: {
		week: ({ name, visitors, change }) => `${name}: ${visitors} last week${change}`,
		month: ({ name, visitors, change, month }) => `${name}: ${visitors} in ${month}${change}`,
	},
	websites: (count, shown) => `${shown} ${plural(count, { one: 'website', other: 'websites' })}`,
	title: { week: 'Weekly report', month: 'Monthly report' },
	before: { week: 'Previous week', month: 'Previous month', year: 'A year ago' },
	change: {
		more: (by, against) => `${by} more than ${before[against]}`,
		fewer: (by, against) => `${by} fewer than ${before[against]}`,
		same: (against) => `same as ${before[against]}`,
		points: (count, shown) => `${shown} ${plural(count, { one: 'point', other: 'points' })}`,
		before: (than) => `previously ${than}`,
		unchanged: 'unchanged',
		new: 'new',
	},
	chart: {
		title: 'Visitors per day',
		legend: {
			week: { now: 'this week', before: 'previous week' },
			month: { now: 'this month', before: 'previous month' },
		},
		summary: ({ most, mostVisitors, least, leastVisitors }) =>
			`Busiest day: ${most} (${mostVisitors}). Quietest day: ${least} (${leastVisitors}).`,
	},
	lists: {
		pages: 'Pages',
		sources: 'Sources',
		countries: 'Countries',
		goals: 'Goals',
		changed: 'What changed',
	},
	columns: { website: 'Website', conversions: 'Conversions', rate: 'Rate' },
	changed: {
		page: ({ value, visitors, before: then }) => `Page ${value}: ${visitors}, previously ${then}.`,
		source: ({ value, visitors, before: then }) => `Source ${value}: ${visitors}, previously ${then}.`,
		newPage: ({ value, visitors }) => `New page ${value}: ${visitors}.`,
		newSource: ({ value, visitors }) => `New source ${value}: ${visitors}.`,
		goal: ({ value, count, before: then }) => `Conversions of ${value}: ${count}, previously ${then}.`,
	},
	values: { direct: 'Direct', unknown: 'Unknown' },
	nobody: { week: 'No visitors this week.', month: 'No visitors this month.' },
	provisional:
		'Provisional: some of these days were still being processed when this report was created. The dashboard has the latest numbers.',
	open: { week: 'View this week', month: 'View this month' },
	openAll: 'View all websites',
	others: (count, shown) =>
		`and ${shown} ${plural(count, { one: 'other website', other: 'other websites' })}`,
	why: {
		week: ({ name }) => `You are receiving this email because weekly reports for ${name} are turned on.`,
		month: ({ name }) => `You are receiving this email because monthly reports for ${name} are turned on.`,
	},
	whyDigest: {
		week: 'You are receiving this email because weekly reports for these websites are turned on.',
		month: 'You are receiving this email because monthly reports for these websites are turned on.',
	},
	unsubscribe: 'Unsubscribe',
	foot: {
		zone: (zone) => `Time zone: ${zone}.`,
		visitor: 'Visitors are counted per day. Someone who returns on another day is counted again.',
	},
	poweredBy: 'Powered by Tidemark',
	feed: { title: (name) => `Reports for ${name}` },
};
