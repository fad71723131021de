import { createPlural } from './plural.ts';
import type { Against, ReportTexts } from './texts.ts';

const plural = createPlural('de');
const before: Record<Against, string> = {
	week: 'in der Woche davor',
	month: 'im Monat davor',
	year: 'vor einem Jahr',
};

export const de: ReportTexts = {
	metrics: {
		visitors: 'Besucher',
		visits: 'Besuche',
		pageviews: 'Seitenaufrufe',
		bounce_rate: 'Absprungrate',
		visit_duration: 'Besuchsdauer',
	},
	visitors: (_, shown) => `${shown} Besucher`,
	subject: {
		week: ({ name, visitors, change }) => `${name}: ${visitors} letzte Woche${change}`,
		month: ({ name, visitors, change, month }) => `${name}: ${visitors} im ${month}${change}`,
	},
	websites: (count, shown) => `${shown} ${plural(count, { one: 'Website', other: 'Websites' })}`,
	title: { week: 'Die Woche', month: 'Der Monat' },
	before: { week: 'Woche davor', month: 'Monat davor', year: 'Vor einem Jahr' },
	change: {
		more: (by, against) => `${by} mehr als ${before[against]}`,
		fewer: (by, against) => `${by} weniger als ${before[against]}`,
		same: (against) => `so viele wie ${before[against]}`,
		points: (count, shown) => `${shown} ${plural(count, { one: 'Punkt', other: 'Punkte' })}`,
		better: (than) => `besser als ${than}`,
		worse: (than) => `schlechter als ${than}`,
		unchanged: 'unverändert',
		new: 'neu',
	},
	chart: {
		title: 'Besucher pro Tag',
		legend: {
			week: { now: 'diese Woche', before: 'die Woche davor' },
			month: { now: 'dieser Monat', before: 'der Monat davor' },
		},
		summary: ({ most, mostVisitors, least, leastVisitors }) =>
			`Am meisten: ${most} (${mostVisitors}). Am wenigsten: ${least} (${leastVisitors}).`,
	},
	lists: {
		pages: 'Seiten',
		sources: 'Quellen',
		countries: 'Länder',
		goals: 'Ziele',
		risen: 'Was gestiegen ist',
	},
	columns: { website: 'Website', conversions: 'Conversions', rate: 'Rate' },
	risen: {
		page: ({ value, visitors, before: then }) => `Die Seite ${value}: ${visitors}, zuvor ${then}.`,
		source: ({ value, visitors, before: then }) => `Die Quelle ${value}: ${visitors}, zuvor ${then}.`,
		newPage: ({ value, visitors }) => `Eine neue Seite, ${value}: ${visitors}.`,
		newSource: ({ value, visitors }) => `Eine neue Quelle, ${value}: ${visitors}.`,
	},
	values: { direct: 'Direkt', unknown: 'Unbekannt' },
	nobody: { week: 'In dieser Woche war niemand da.', month: 'In diesem Monat war niemand da.' },
	provisional:
		'Noch nicht endgültig: Als dieser Bericht entstand, wurde an einigen seiner Tage noch gezählt. Die neuesten Zahlen stehen auf der Seite.',
	open: { week: 'Diese Woche öffnen', month: 'Diesen Monat öffnen' },
	openAll: 'Alle Websites öffnen',
	others: (count, shown) =>
		`und ${shown} ${plural(count, { one: 'weitere Website', other: 'weitere Websites' })}`,
	why: {
		week: ({ name }) => `Du bekommst diese Mail, weil wöchentliche Berichte für ${name} eingeschaltet sind.`,
		month: ({ name }) => `Du bekommst diese Mail, weil monatliche Berichte für ${name} eingeschaltet sind.`,
	},
	whyDigest: {
		week: 'Du bekommst diese Mail, weil wöchentliche Berichte für diese Websites eingeschaltet sind.',
		month: 'Du bekommst diese Mail, weil monatliche Berichte für diese Websites eingeschaltet sind.',
	},
	unsubscribe: 'Abbestellen',
	foot: {
		zone: (zone) => `Tage in ${zone}.`,
		visitor: 'Ein Besucher ist ein Browser an einem Tag; morgen wird niemand wiedererkannt.',
	},
	feed: { title: (name) => `Berichte über ${name}` },
};
