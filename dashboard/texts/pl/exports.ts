import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
	title: 'Zabierz swoje dane',
	text: 'Wszystko, co zachowano z tej witryny, w jednym pliku: zdarzenie po zdarzeniu albo jako sumy. Kolumny opisuje dokumentacja.',
	what: {
		label: 'Co',
		events: 'Zdarzenia: wszystko, co policzono, po kolei',
		visits: 'Wizyty z zakończonych dni',
		totals: 'Sumy dzienne z zakończonych dni',
	},
	format: {
		label: 'Format',
		parquet: 'Parquet, do baz danych i notatników',
		csv: 'CSV, do arkuszy kalkulacyjnych',
		ndjson: 'NDJSON, po jednym wierszu JSON',
	},
	from: 'Od',
	to: 'Do',
	dates: 'Puste: wszystko, co jest.',
	order: 'Koniec wypada przed początkiem.',
	button: 'Pobierz',
	begun: 'Pobieranie się rozpoczęło. Duży plik zajmie chwilę.',
};
