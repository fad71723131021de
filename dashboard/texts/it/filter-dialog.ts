import type { Texts } from '../texts.ts';

export const filterDialog: Texts['filterDialog'] = {
	addTitle: 'Aggiungi filtro',
	editTitle: 'Modifica filtro',
	dimension: 'Dimensione',
	property: 'Nome della proprietà',
	test: 'Operatore',
	values: 'Valori',
	suggestions: 'Suggerimenti da questo periodo',
	search: 'Cerca o inserisci un valore',
	apply: 'Applica filtro',
	nothingFound: 'Nessun valore corrispondente in questo periodo.',
	groups: {
		pages: 'Pagine',
		sources: 'Acquisizione',
		places: 'Località',
		devices: 'Dispositivi',
		other: 'Comportamento',
	},
	number: 'Numero',
	from: 'Da',
	to: 'A',
	ignoreCase: 'Ignora maiuscole/minuscole',
	currency: 'Valuta',
	currencyHint: 'Un codice come EUR. Lascia vuoto per qualsiasi valuta.',
	wildcardHint: '* sta per caratteri qualsiasi, come negli obiettivi.',
	matchesHint: 'Un’espressione regolare in sintassi RE2, ad esempio ^/blog/[0-9]+',
};
