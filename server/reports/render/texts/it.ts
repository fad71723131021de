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
		revenue: 'Entrate',
	},
	visitors: (count, shown) => `${shown} ${plural(count, { one: 'visitatore', other: 'visitatori' })}`,
	subject: {
		week: ({ name, visitors, change }) => `${name}: ${visitors} la settimana scorsa${change}`,
		month: ({ name, visitors, change, month }) => `${name}: ${visitors} nel mese di ${month}${change}`,
	},
	websites: (count, shown) => `${shown} ${plural(count, { one: 'sito', other: 'siti' })}`,
	title: { week: 'Rapporto settimanale', month: 'Rapporto mensile' },
	before: { week: 'Settimana precedente', month: 'Mese precedente', year: 'Un anno fa' },
	change: {
		more: (by, against) => `${by} in più rispetto ${to[against]}`,
		fewer: (by, against) => `${by} in meno rispetto ${to[against]}`,
		same: (against) => `tanti quanti ${before[against]}`,
		points: (count, shown) => `${shown} ${plural(count, { one: 'punto', other: 'punti' })}`,
		before: (than) => `prima ${than}`,
		unchanged: 'invariato',
		new: 'nuovo',
	},
	chart: {
		title: 'Visitatori al giorno',
		legend: {
			week: { now: 'questa settimana', before: 'settimana precedente' },
			month: { now: 'questo mese', before: 'mese precedente' },
		},
		summary: ({ most, mostVisitors, least, leastVisitors }) =>
			`Giorno migliore: ${most} (${mostVisitors}). Giorno più tranquillo: ${least} (${leastVisitors}).`,
	},
	lists: {
		pages: 'Pagine',
		sources: 'Sorgenti',
		countries: 'Paesi',
		goals: 'Obiettivi',
		changed: 'Che cosa è cambiato',
	},
	columns: { website: 'Sito', conversions: 'Conversioni', rate: 'Tasso' },
	changed: {
		page: ({ value, visitors, before: then }) => `Pagina ${value}: ${visitors}, prima ${then}.`,
		source: ({ value, visitors, before: then }) => `Sorgente ${value}: ${visitors}, prima ${then}.`,
		newPage: ({ value, visitors }) => `Nuova pagina ${value}: ${visitors}.`,
		newSource: ({ value, visitors }) => `Nuova sorgente ${value}: ${visitors}.`,
		goal: ({ value, count, before: then }) => `Conversioni di ${value}: ${count}, prima ${then}.`,
	},
	values: { direct: 'Diretto', unknown: 'Sconosciuto' },
	nobody: { week: 'Nessun visitatore questa settimana.', month: 'Nessun visitatore questo mese.' },
	provisional:
		'Provvisorio: alcuni di questi giorni erano ancora in elaborazione quando è stato creato questo rapporto. I dati più recenti sono nella dashboard.',
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
		zone: (zone) => `Fuso orario: ${zone}.`,
		visitor: 'I visitatori sono contati per giorno. Chi torna in un altro giorno viene contato di nuovo.',
	},
	poweredBy: 'Realizzato con Tidemark',
	feed: { title: (name) => `Rapporti di ${name}` },
};
