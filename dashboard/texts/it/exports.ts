import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
	title: 'Esporta',
	text: 'Scarica tutti i dati salvati di questo sito. Le colonne sono descritte nella documentazione.',
	what: {
		label: 'Dati',
		events: 'Eventi (grezzi)',
		visits: 'Visite (giorni completi)',
		totals: 'Totali giornalieri (giorni completi)',
	},
	format: {
		label: 'Formato',
		parquet: 'Parquet (database, notebook)',
		csv: 'CSV (fogli di calcolo)',
		ndjson: 'NDJSON (un oggetto JSON per riga)',
	},
	from: 'Dal',
	to: 'Al',
	dates: 'Lascia vuoto per esportare tutto.',
	order: 'La data finale precede quella iniziale.',
	button: 'Scarica',
	begun: 'Download avviato. I file grandi richiedono tempo.',
};
