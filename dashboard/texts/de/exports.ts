import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
	title: 'Export',
	text: 'Lade alle gespeicherten Daten dieser Website herunter. Die Spalten sind in der Dokumentation beschrieben.',
	what: {
		label: 'Daten',
		events: 'Ereignisse (Rohdaten)',
		visits: 'Besuche (abgeschlossene Tage)',
		totals: 'Tagessummen (abgeschlossene Tage)',
	},
	format: {
		label: 'Format',
		parquet: 'Parquet (Datenbanken, Notebooks)',
		csv: 'CSV (Tabellenkalkulation)',
		ndjson: 'NDJSON (ein JSON-Objekt pro Zeile)',
	},
	from: 'Von',
	to: 'Bis',
	dates: 'Leer lassen, um alles zu exportieren.',
	order: 'Das Enddatum liegt vor dem Startdatum.',
	button: 'Herunterladen',
	begun: 'Download gestartet. Große Dateien brauchen etwas Zeit.',
};
