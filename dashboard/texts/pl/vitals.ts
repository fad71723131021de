import type { Texts } from '../texts.ts';

export const vitals: Texts['vitals'] = {
	title: 'Wskaźniki jakości stron',
	text: 'Trzy z czterech odsłon były tak dobre jak te wartości albo lepsze.',
	names: { lcp: 'Największy element', inp: 'Najwolniejsza odpowiedź', cls: 'Przesunięcia układu' },
	definitions: {
		lcp: 'LCP: ile czasu minęło, zanim pojawiła się największa część strony. Dobrze do {{good}}, słabo powyżej {{poor}}.',
		inp: 'INP: ile czasu strona potrzebowała na najwolniejszą odpowiedź na dotknięcie lub klawisz. Dobrze do {{good}}, słabo powyżej {{poor}}.',
		cls: 'CLS: jak bardzo strona sama się przesuwała. Dobrze do {{good}}, słabo powyżej {{poor}}.',
	},
	ratings: { good: 'Dobrze', needs_improvement: 'Do poprawy', poor: 'Słabo' },
	rating: 'Ocena',
	p75: '75. percentyl',
	samples: 'Odsłony',
	caption: 'Wskaźniki jakości stron: 75. percentyl i rozkład odsłon',
	pages: '{{name}} według stron',
	refused:
		'Te wskaźniki dotyczą pojedynczych odsłon. Można je filtrować według strony, hosta, kraju, urządzenia, przeglądarki i systemu; usuń pozostałe filtry, aby je zobaczyć.',
	from: 'Wcześniejsze pomiary usunięto; te zaczynają się {{date}}.',
};
