import type { Texts } from '../texts.ts';

export const live: Texts['live'] = {
	title: 'Tempo reale',
	heading: 'Tempo reale: {{domain}}',
	here_one: 'visitatore attuale',
	here_many: 'visitatori attuali',
	here_other: 'visitatori attuali',
	lastHalfHour: 'Visitatori negli ultimi 30 minuti',
	visitors: 'Visitatori',
	pageviews: 'Visualizzazioni',
	time: 'Ora',
	now: 'ora',
	pages: 'Pagine',
	sources: 'Sorgenti',
	countries: 'Paesi',
	nobody: 'Nessun visitatore al momento. Le nuove visite appaiono qui automaticamente.',
	noRows: 'Ancora nessun dato',
	fewer:
		'Per proteggere la privacy, le righe con meno di 3 visitatori sono nascoste e i dati hanno fino a cinque minuti di ritardo.',
	ways: {
		stream: 'Si aggiorna ogni 2 secondi',
		polling: 'Si aggiorna ogni 5 secondi (streaming non disponibile)',
	},
	currentPages: 'Pagine attuali',
	devices: 'Dispositivi',
	feed: 'Attività',
	noEvents: 'Nessun evento negli ultimi 30 minuti.',
	from: 'da {{source}}',
};
