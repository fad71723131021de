import type { Texts } from '../texts.ts';

export const filterDialog: Texts['filterDialog'] = {
	addTitle: 'Dodaj filtr',
	editTitle: 'Edytuj filtr',
	dimension: 'Wymiar',
	property: 'Nazwa właściwości',
	test: 'Operator',
	values: 'Wartości',
	suggestions: 'Sugestie z tego okresu',
	search: 'Szukaj lub wpisz wartość',
	apply: 'Zastosuj filtr',
	nothingFound: 'Brak pasujących wartości w tym okresie.',
	groups: {
		pages: 'Strony',
		sources: 'Pozyskiwanie',
		places: 'Lokalizacje',
		devices: 'Urządzenia',
		other: 'Zachowanie',
	},
	number: 'Liczba',
	from: 'Od',
	to: 'Do',
	ignoreCase: 'Ignoruj wielkość liter',
	currency: 'Waluta',
	currencyHint: 'Kod, na przykład EUR. Puste pole: dowolna waluta.',
	wildcardHint: '* oznacza dowolne znaki, tak jak w celach.',
	matchesHint: 'Wyrażenie regularne w składni RE2, na przykład ^/blog/[0-9]+',
};
