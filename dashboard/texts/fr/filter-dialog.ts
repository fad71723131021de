import type { Texts } from '../texts.ts';

export const filterDialog: Texts['filterDialog'] = {
	addTitle: 'Ajouter un filtre',
	editTitle: 'Modifier le filtre',
	dimension: 'Dimension',
	property: 'Nom de la propriété',
	test: 'Opérateur',
	values: 'Valeurs',
	suggestions: 'Suggestions pour cette période',
	search: 'Rechercher ou saisir une valeur',
	apply: 'Appliquer le filtre',
	nothingFound: 'Aucune valeur correspondante sur cette période.',
	groups: {
		pages: 'Pages',
		sources: 'Acquisition',
		places: 'Localisations',
		devices: 'Appareils',
		other: 'Comportement',
	},
	number: 'Nombre',
	from: 'De',
	to: 'À',
	ignoreCase: 'Ignorer la casse',
	currency: 'Devise',
	currencyHint: 'Un code comme EUR. Laissez vide pour toutes les devises.',
	wildcardHint: '* remplace n’importe quels caractères, comme dans les objectifs.',
	matchesHint: 'Une expression régulière en syntaxe RE2, par exemple ^/blog/[0-9]+',
};
