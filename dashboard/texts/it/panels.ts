import type { Texts } from '../texts.ts';

export const panels: Texts['panels'] = {
	visits: 'Visite',
	visitors: 'Visitatori',
	availableFrom: 'I dati per visita iniziano il {{date}}.',
	map: {
		label: 'Mappa del mondo: visitatori per paese',
		caption: 'Visitatori per paese',
		country: 'Paese',
		unlisted: 'I paesi piccoli e le località sconosciute sono solo nell’elenco dei paesi.',
	},
	hours: {
		caption: 'Visite per giorno della settimana e ora, nel fuso orario del sito',
		only: 'Solo {{day}}',
		lastYear: 'Vengono mostrate solo le ultime 52 settimane.',
	},
	goals: {
		nothing: 'Nessun obiettivo raggiunto in questo periodo',
		caption: 'Obiettivi e conversioni',
		rate: 'Tasso',
	},
	keys: {
		title: 'Scorciatoie da tastiera',
		text: 'Le scorciatoie funzionano quando nessun campo è attivo.',
		open: 'Scorciatoie da tastiera',
		groups: {
			periods: 'Periodi',
			page: 'In questa pagina',
			go: 'Navigazione',
		},
		today: 'Oggi',
		week: 'Ultimi 7 giorni',
		month: 'Ultimi 30 giorni',
		year: 'Quest’anno',
		all: 'Tutto il periodo',
		earlier: 'Periodo precedente',
		later: 'Periodo successivo',
		filter: 'Aggiungi filtro',
		search: 'Cerca in tutte le righe',
		tile: 'Mostra {{metric}} nel grafico',
		live: 'Vista in tempo reale',
		statistics: 'Statistiche',
		help: 'Mostra scorciatoie da tastiera',
	},
	embed: {
		foot: 'Statistiche senza cookie di Tidemark',
	},
};
