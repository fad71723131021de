import { createPlural } from './plural.ts';
import type { Against, ReportTexts } from './texts.ts';

const plural = createPlural('en');
const before: Record<Against, string> = {
	week: 'the week before',
	month: 'the month before',
	year: 'a year ago',
};

export const en: ReportTexts = {
	metrics: {
		visitors: 'Visitors',
		visits: 'Visits',
		pageviews: 'Page views',
		bounce_rate: 'Bounce rate',
		visit_duration: 'Visit duration',
	},
	visitors: (count, shown) => `${shown} ${plural(count, { one: 'visitor', other: 'visitors' })}`,
	subject: {
		week: ({ name, visitors, change }) => `${name}: ${visitors} last week${change}`,
		month: ({ name, visitors, change, month }) => `${name}: ${visitors} in ${month}${change}`,
	},
	websites: (count, shown) => `${shown} ${plural(count, { one: 'website', other: 'websites' })}`,
	title: { week: 'The week', month: 'The month' },
	before: { week: 'The week before', month: 'The month before', year: 'A year ago' },
	change: {
		more: (by, against) => `${by} more than ${before[against]}`,
		fewer: (by, against) => `${by} fewer than ${before[against]}`,
		same: (against) => `as many as ${before[against]}`,
		points: (count, shown) => `${shown} ${plural(count, { one: 'point', other: 'points' })}`,
		better: (than) => `better than ${than}`,
		worse: (than) => `worse than ${than}`,
		unchanged: 'unchanged',
		new: 'new',
	},
	chart: {
		title: 'Visitors a day',
		legend: {
			week: { now: 'this week', before: 'the week before' },
			month: { now: 'this month', before: 'the month before' },
		},
		summary: ({ most, mostVisitors, least, leastVisitors }) =>
			`Most on ${most}: ${mostVisitors}. Fewest on ${least}: ${leastVisitors}.`,
	},
	lists: {
		pages: 'Pages',
		sources: 'Sources',
		countries: 'Countries',
		goals: 'Goals',
		risen: 'What rose',
	},
	columns: { website: 'Website', conversions: 'Conversions', rate: 'Rate' },
	risen: {
		page: ({ value, visitors, before: then }) => `The page ${value}: ${visitors}, up from ${then}.`,
		source: ({ value, visitors, before: then }) => `The source ${value}: ${visitors}, up from ${then}.`,
		newPage: ({ value, visitors }) => `A new page, ${value}: ${visitors}.`,
		newSource: ({ value, visitors }) => `A new source, ${value}: ${visitors}.`,
	},
	values: { direct: 'Direct', unknown: 'Unknown' },
	nobody: { week: 'Nobody came this week.', month: 'Nobody came this month.' },
	provisional:
		'Not final: some of these days were still being counted when this report was made. The page has the latest numbers.',
	open: { week: 'Open this week', month: 'Open this month' },
	openAll: 'Open all websites',
	others: (count, shown) =>
		`and ${shown} ${plural(count, { one: 'other website', other: 'other websites' })}`,
	why: {
		week: ({ name }) => `You get this mail because weekly reports of ${name} are on.`,
		month: ({ name }) => `You get this mail because monthly reports of ${name} are on.`,
	},
	whyDigest: {
		week: 'You get this mail because weekly reports of these websites are on.',
		month: 'You get this mail because monthly reports of these websites are on.',
	},
	unsubscribe: 'Unsubscribe',
	foot: {
		zone: (zone) => `Days in ${zone}.`,
		visitor: 'A visitor is one browser on one day; nobody is recognised tomorrow.',
	},
	feed: { title: (name) => `Reports of ${name}` },
};
