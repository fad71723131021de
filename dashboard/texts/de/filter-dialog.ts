import type { Texts } from '../texts.ts';

export const filterDialog: Texts['filterDialog'] = {
	addTitle: 'Filter hinzufügen',
	editTitle: 'Filter bearbeiten',
	dimension: 'Dimension',
	property: 'Name der Eigenschaft',
	test: 'Operator',
	values: 'Werte',
	suggestions: 'Vorschläge aus diesem Zeitraum',
	search: 'Suchen oder Wert eingeben',
	apply: 'Filter anwenden',
	nothingFound: 'Keine passenden Werte in diesem Zeitraum.',
	groups: {
		pages: 'Seiten',
		sources: 'Akquisition',
		places: 'Standorte',
		devices: 'Geräte',
		other: 'Verhalten',
	},
	number: 'Zahl',
	from: 'Von',
	to: 'Bis',
	ignoreCase: 'Groß-/Kleinschreibung ignorieren',
	currency: 'Währung',
	currencyHint: 'Ein Code wie EUR. Leer: jede Währung.',
	wildcardHint: '* steht für beliebige Zeichen, wie bei Zielen.',
	matchesHint: 'Ein regulärer Ausdruck in RE2-Syntax, zum Beispiel ^/blog/[0-9]+',
};
