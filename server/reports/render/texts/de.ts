import { createPlural } from './plural.ts';
import type { Against, ReportTexts } from './texts.ts';

const plural = createPlural('de');
const before: Record<Against, string> = {
	week: 'in der Vorwoche',
	month: 'im Vormonat',
	year: 'vor einem Jahr',
};

export const de: ReportTexts = {
	metrics: {
		visitors: 'Besucher',
		visits: 'Besuche',
		pageviews: 'Seitenaufrufe',
		bounce_rate: 'Absprungrate',
		visit_duration: 'Besuchsdauer',
		revenue: 'Umsatz',
	},
	visitors: (_, shown) => `${shown} Besucher`,
	subject: {
		week: ({ name, visitors, change }) => `${name}: ${visitors} letzte Woche${change}`,
		month: ({ name, visitors, change, month }) => `${name}: ${visitors} im ${month}${change}`,
	},
	websites: (count, shown) => `${shown} ${plural(count, { one: 'Website', other: 'Websites' })}`,
	title: { week: 'Wochenbericht', month: 'Monatsbericht' },
	before: { week: 'Vorwoche', month: 'Vormonat', year: 'Vor einem Jahr' },
	change: {
		more: (by, against) => `${by} mehr als ${before[against]}`,
		fewer: (by, against) => `${by} weniger als ${before[against]}`,
		same: (against) => `so viele wie ${before[against]}`,
		points: (count, shown) => `${shown} ${plural(count, { one: 'Punkt', other: 'Punkte' })}`,
		before: (than) => `zuvor ${than}`,
		unchanged: 'unverändert',
		new: 'neu',
	},
	chart: {
		title: 'Besucher pro Tag',
		legend: {
			week: { now: 'diese Woche', before: 'Vorwoche' },
			month: { now: 'dieser Monat', before: 'Vormonat' },
		},
		summary: ({ most, mostVisitors, least, leastVisitors }) =>
			`Stärkster Tag: ${most} (${mostVisitors}). Schwächster Tag: ${least} (${leastVisitors}).`,
	},
	lists: {
		pages: 'Seiten',
		sources: 'Quellen',
		countries: 'Länder',
		goals: 'Ziele',
		changed: 'Was sich geändert hat',
	},
	columns: { website: 'Website', conversions: 'Conversions', rate: 'Rate' },
	changed: {
		page: ({ value, visitors, before: then }) => `Seite ${value}: ${visitors}, zuvor ${then}.`,
		source: ({ value, visitors, before: then }) => `Quelle ${value}: ${visitors}, zuvor ${then}.`,
		newPage: ({ value, visitors }) => `Neue Seite ${value}: ${visitors}.`,
		newSource: ({ value, visitors }) => `Neue Quelle ${value}: ${visitors}.`,
		goal: ({ value, count, before: then }) => `Conversions von ${value}: ${count}, zuvor ${then}.`,
	},
	values: { direct: 'Direkt', unknown: 'Unbekannt' },
	nobody: { week: 'Keine Besucher in dieser Woche.', month: 'Keine Besucher in diesem Monat.' },
	provisional:
		'Vorläufig: Einige dieser Tage wurden noch verarbeitet, als dieser Bericht erstellt wurde. Die neuesten Zahlen findest du im Dashboard.',
	open: { week: 'Diese Woche öffnen', month: 'Diesen Monat öffnen' },
	openAll: 'Alle Websites öffnen',
	others: (count, shown) =>
		`und ${shown} ${plural(count, { one: 'weitere Website', other: 'weitere Websites' })}`,
	why: {
		week: ({ name }) => `Du erhältst diese E-Mail, weil wöchentliche Berichte für ${name} aktiviert sind.`,
		month: ({ name }) => `Du erhältst diese E-Mail, weil monatliche Berichte für ${name} aktiviert sind.`,
	},
	whyDigest: {
		week: 'Du erhältst diese E-Mail, weil wöchentliche Berichte für diese Websites aktiviert sind.',
		month: 'Du erhältst diese E-Mail, weil monatliche Berichte für diese Websites aktiviert sind.',
	},
	unsubscribe: 'Abbestellen',
	foot: {
		zone: (zone) => `Zeitzone: ${zone}.`,
		visitor: 'Besucher werden pro Tag gezählt. Wer an einem anderen Tag wiederkommt, wird erneut gezählt.',
	},
	poweredBy: 'Bereitgestellt mit Tidemark',
	feed: { title: (name) => `Berichte für ${name}` },
};
