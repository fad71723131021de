import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
	title: 'Eksport',
	text: 'Pobierz wszystkie zapisane dane tej witryny. Kolumny opisano w dokumentacji.',
	what: {
		label: 'Dane',
		events: 'Zdarzenia (surowe)',
		visits: 'Wizyty (zakończone dni)',
		totals: 'Sumy dzienne (zakończone dni)',
	},
	format: {
		label: 'Format',
		parquet: 'Parquet (bazy danych, notatniki)',
		csv: 'CSV (arkusze kalkulacyjne)',
		ndjson: 'NDJSON (jeden obiekt JSON w wierszu)',
	},
	from: 'Od',
	to: 'Do',
	dates: 'Pozostaw puste, aby wyeksportować wszystko.',
	order: 'Data końcowa jest wcześniejsza niż początkowa.',
	button: 'Pobierz',
	begun: 'Rozpoczęto pobieranie. Duże pliki wymagają czasu.',
};
