import type { Texts } from '../texts.ts';

export const vitals: Texts['vitals'] = {
	title: 'Wskaźniki jakości stron',
	text: '75% odsłon było co najmniej tak dobrych jak te wartości.',
	names: {
		lcp: 'Largest Contentful Paint',
		inp: 'Interaction to Next Paint',
		cls: 'Cumulative Layout Shift',
	},
	definitions: {
		lcp: 'LCP: ile czasu minęło, zanim pojawiła się największa część strony. Dobrze do {{good}}, słabo powyżej {{poor}}.',
		inp: 'INP: ile czasu strona potrzebowała na najwolniejszą odpowiedź na dotknięcie lub klawisz. Dobrze do {{good}}, słabo powyżej {{poor}}.',
		cls: 'CLS: jak bardzo strona sama się przesuwała. Dobrze do {{good}}, słabo powyżej {{poor}}.',
	},
	ratings: {
		good: 'Dobrze',
		needs_improvement: 'Do poprawy',
		poor: 'Słabo',
	},
	rating: 'Ocena',
	p75: '75. percentyl',
	samples: 'Odsłony',
	caption: 'Wskaźniki jakości stron: 75. percentyl i rozkład odsłon',
	pages: '{{name}} według stron',
	refused:
		'Web Vitals można filtrować tylko według strony, hosta, kraju, urządzenia, przeglądarki i systemu operacyjnego. Usuń inne filtry, aby je zobaczyć.',
	from: 'Wcześniejsze pomiary usunięto. Dane zaczynają się {{date}}.',
};
