import type { Texts } from '../texts.ts';

export const vitals: Texts['vitals'] = {
	title: 'Wskaźniki internetowe',
	text: '75% odsłon było co najmniej tak dobrych jak te wartości.',
	names: {
		lcp: 'Largest Contentful Paint',
		inp: 'Interaction to Next Paint',
		cls: 'Cumulative Layout Shift',
	},
	definitions: {
		lcp: 'LCP: czas do wyświetlenia największego elementu strony. Dobrze do {{good}}, słabo powyżej {{poor}}.',
		inp: 'INP: czas reakcji strony na najwolniejszą interakcję. Dobrze do {{good}}, słabo powyżej {{poor}}.',
		cls: 'CLS: jak bardzo układ strony nieoczekiwanie się przesuwa. Dobrze do {{good}}, słabo powyżej {{poor}}.',
	},
	ratings: {
		good: 'Dobrze',
		needs_improvement: 'Do poprawy',
		poor: 'Słabo',
	},
	rating: 'Ocena',
	p75: '75. percentyl',
	samples: 'Odsłony',
	caption: 'Wskaźniki internetowe: 75. percentyl i rozkład odsłon',
	pages: '{{name}} według stron',
	refused:
		'Wskaźniki internetowe można filtrować tylko według strony, nazwy hosta, kraju, urządzenia, przeglądarki i systemu operacyjnego. Usuń inne filtry, aby je zobaczyć.',
	from: 'Wcześniejsze pomiary usunięto. Dane zaczynają się {{date}}.',
};
