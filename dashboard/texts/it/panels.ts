import type { Texts } from '../texts.ts';

export const panels: Texts['panels'] = {
	visits: 'Visite',
	visitors: 'Visitatori',
	availableFrom: 'Le singole visite sono note dal {{date}}; questi dati esistono da quel giorno.',
	map: {
		label: 'Mappa del mondo: visitatori per paese',
		caption: 'Visitatori per paese',
		country: 'Paese',
		elsewhere: 'I paesi piccoli e i luoghi sconosciuti sono nell’elenco dei paesi.',
	},
	hours: {
		caption: 'Visite per giorno della settimana e ora di inizio, secondo l’orario del sito',
		only: 'Solo {{day}}',
		lastYear: 'Di questo lungo periodo vengono mostrate le ultime 52 settimane.',
	},
	goals: {
		nothing: 'Nessun obiettivo raggiunto in questo periodo',
		noneText:
			'Un obiettivo è una pagina da raggiungere o un evento che accade: un’iscrizione, una vendita, un download.',
		add: 'Aggiungi un obiettivo',
		caption: 'Obiettivi e relative conversioni',
	},
	keys: {
		title: 'Tastiera',
		text: 'Funzionano ovunque tu non stia scrivendo.',
		open: 'Scorciatoie',
		groups: { periods: 'Periodi', page: 'In questa pagina', go: 'Vai a' },
		today: 'Oggi',
		week: 'Ultimi 7 giorni',
		month: 'Ultimi 30 giorni',
		year: 'Quest’anno',
		all: 'Tutto il periodo',
		earlier: 'Precedente',
		later: 'Successivo',
		filter: 'Aggiungi un filtro',
		search: 'Cerca in tutte le righe',
		tile: '{{metric}} nel grafico',
		live: 'Vista in diretta',
		statistics: 'Statistiche',
		help: 'Mostra questo elenco',
	},
	embed: { foot: 'Contato da Tidemark, senza cookie' },
};
