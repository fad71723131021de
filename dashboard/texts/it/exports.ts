import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
	title: 'Porta con te i tuoi dati',
	text: 'Tutto ciò che è conservato di questo sito in un file: evento per evento o in totali. Le colonne sono descritte nella documentazione.',
	what: {
		label: 'Che cosa',
		events: 'Eventi: tutto ciò che è stato contato, uno per uno',
		visits: 'Visite dei giorni conclusi',
		totals: 'Totali per giorno, dei giorni conclusi',
	},
	format: {
		label: 'Formato',
		parquet: 'Parquet, per database e notebook',
		csv: 'CSV, per fogli di calcolo',
		ndjson: 'NDJSON, una riga di JSON ciascuno',
	},
	from: 'Dal',
	to: 'Al',
	dates: 'Vuoto: tutto quello che c’è.',
	order: 'La fine precede l’inizio.',
	button: 'Scarica',
	begun: 'Il download è iniziato. Un file grande richiede un po’ di tempo.',
};
