import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
	title: 'Daten mitnehmen',
	text: 'Alles, was von dieser Website aufbewahrt wird, als Datei: Ereignis für Ereignis oder gezählt. Die Spalten stehen in der Dokumentation.',
	what: {
		label: 'Was',
		events: 'Ereignisse: alles Gezählte, eins nach dem anderen',
		visits: 'Besuche abgeschlossener Tage',
		totals: 'Tagessummen abgeschlossener Tage',
	},
	format: {
		label: 'Format',
		parquet: 'Parquet, für Datenbanken und Notebooks',
		csv: 'CSV, für Tabellenprogramme',
		ndjson: 'NDJSON, je eine Zeile JSON',
	},
	from: 'Von',
	to: 'Bis',
	dates: 'Leer: alles, was da ist.',
	order: 'Das Ende liegt vor dem Anfang.',
	button: 'Herunterladen',
	begun: 'Der Download hat begonnen. Eine große Datei braucht eine Weile.',
};
