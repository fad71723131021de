import { createPlural } from './plural.ts';
import type { Against, ReportTexts } from './texts.ts';

const plural = createPlural('it');
const before: Record<Against, string> = {
	week: 'la settimana precedente',
	month: 'il mese precedente',
	year: 'un anno fa',
};
const to: Record<Against, string> = {
	week: 'alla settimana precedente',
	month: 'al mese precedente',
	year: 'a un anno fa',
};

export const it: ReportTexts = {
	metrics: {
		visitors: 'Visitatori',
		visits: 'Visite',
		pageviews: 'Visualizzazioni',
		bounce_rate: 'Frequenza di rimbalzo',
		visit_duration: 'Durata della visita',
	},
	visitors: (count, shown) => `${shown} ${plural(count, { one: 'visitatore', other: 'visitatori' })}`,
	subject: {
		week: ({ name, visitors, change }) => `${name}: ${visitors} la settimana scorsa${change}`,
		month: ({ name, visitors, change, month }) => `${name}: ${visitors} nel mese di ${month}${change}`,
	},
	websites: (count, shown) => `${shown} ${plural(count, { one: 'sito', other: 'siti' })}`,
	title: { week: 'La settimana', month: 'Il mese' },
	before: { week: 'Settimana precedente', month: 'Mese precedente', year: 'Un anno fa' },
	change: {
		more: (by, against) => `${by} in più rispetto ${to[against]}`,
		fewer: (by, against) => `${by} in meno rispetto ${to[against]}`,
		same: (against) => `tanti quanti ${before[against]}`,
		points: (count, shown) => `${shown} ${plural(count, { one: 'punto', other: 'punti' })}`,
		better: (than) => `meglio di ${than}`,
		worse: (than) => `peggio di ${than}`,
		unchanged: 'invariato',
		new: 'nuovo',
	},
	chart: {
		title: 'Visitatori al giorno',
		legend: {
			week: { now: 'questa settimana', before: 'la settimana precedente' },
			month: { now: 'questo mese', before: 'il mese precedente' },
		},
		summary: ({ most, mostVisitors, least, leastVisitors }) =>
			`Il giorno con più: ${most}, ${mostVisitors}. Il giorno con meno: ${least}, ${leastVisitors}.`,
	},
	lists: {
		pages: 'Pagine',
		sources: 'Sorgenti',
		countries: 'Paesi',
		goals: 'Obiettivi',
		risen: 'Che cosa è cresciuto',
	},
	columns: { website: 'Sito', conversions: 'Conversioni', rate: 'Tasso' },
	risen: {
		page: ({ value, visitors, before: then }) => `La pagina ${value}: ${visitors}, prima ${then}.`,
		source: ({ value, visitors, before: then }) => `La sorgente ${value}: ${visitors}, prima ${then}.`,
		newPage: ({ value, visitors }) => `Una nuova pagina, ${value}: ${visitors}.`,
		newSource: ({ value, visitors }) => `Una nuova sorgente, ${value}: ${visitors}.`,
	},
	values: { direct: 'Diretto', unknown: 'Sconosciuto' },
	nobody: { week: 'Nessuno è venuto questa settimana.', month: 'Nessuno è venuto questo mese.' },
	provisional:
		'Provvisorio: alcuni di questi giorni erano ancora in conteggio quando il rapporto è stato fatto. La pagina ha i numeri più recenti.',
	open: { week: 'Apri questa settimana', month: 'Apri questo mese' },
	openAll: 'Apri tutti i siti',
	others: (count, shown) => `e ${plural(count, { one: 'un altro sito', other: `altri ${shown} siti` })}`,
	why: {
		week: ({ name }) => `Ricevi questa e-mail perché i rapporti settimanali di ${name} sono attivi.`,
		month: ({ name }) => `Ricevi questa e-mail perché i rapporti mensili di ${name} sono attivi.`,
	},
	whyDigest: {
		week: 'Ricevi questa e-mail perché i rapporti settimanali di questi siti sono attivi.',
		month: 'Ricevi questa e-mail perché i rapporti mensili di questi siti sono attivi.',
	},
	unsubscribe: 'Annulla l’iscrizione',
	foot: {
		zone: (zone) => `Giorni in ${zone}.`,
		visitor: 'Un visitatore è un browser in un giorno; domani nessuno viene riconosciuto.',
	},
	feed: { title: (name) => `Rapporti di ${name}` },
};
