import type { Texts } from '../texts.ts';

export const live: Texts['live'] = {
	title: 'In diretta',
	heading: 'In diretta: {{domain}}',
	here_one: 'visitatore negli ultimi 5 minuti',
	here_many: 'visitatori negli ultimi 5 minuti',
	here_other: 'visitatori negli ultimi 5 minuti',
	lastHalfHour: 'Visitatori negli ultimi 30 minuti',
	visitors: 'Visitatori',
	pageviews: 'Visualizzazioni',
	time: 'Ora',
	now: 'ora',
	halfHourAgo: '30 minuti fa',
	quarterAgo: '15',
	pages: 'Pagine',
	sources: 'Sorgenti',
	countries: 'Paesi',
	nobody: 'In questo momento non c’è nessuno. Appena qualcuno apre una pagina, compare qui da sola.',
	noRows: 'Ancora nulla',
	fewer:
		'Le righe con meno di 3 visitatori non vengono mostrate e i dati hanno fino a cinque minuti di ritardo, così non riguardano nessuno in particolare.',
	ways: {
		stream: 'Si aggiorna da sola entro 2 secondi',
		polling: 'Richiesta ogni 5 secondi, perché il flusso non arriva',
	},
};
