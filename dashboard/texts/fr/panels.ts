import type { Texts } from '../texts.ts';

export const panels: Texts['panels'] = {
	visits: 'Visites',
	visitors: 'Visiteurs',
	availableFrom: 'Les données par visite commencent le {{date}}.',
	map: {
		label: 'Carte du monde : visiteurs par pays',
		caption: 'Visiteurs par pays',
		country: 'Pays',
		unlisted: 'Les petits pays et les localisations inconnues figurent uniquement dans la liste des pays.',
	},
	hours: {
		caption: 'Visites par jour de la semaine et heure, dans le fuseau horaire du site',
		only: 'Seulement {{day}}',
		lastYear: 'Seules les 52 dernières semaines sont affichées.',
	},
	goals: {
		nothing: 'Aucun objectif atteint sur cette période',
		caption: 'Objectifs et conversions',
		rate: 'Taux',
	},
	keys: {
		title: 'Raccourcis clavier',
		text: 'Les raccourcis fonctionnent lorsqu’aucun champ n’est actif.',
		open: 'Raccourcis clavier',
		groups: {
			periods: 'Périodes',
			page: 'Sur cette page',
			go: 'Navigation',
		},
		today: 'Aujourd’hui',
		week: '7 derniers jours',
		month: '30 derniers jours',
		year: 'Cette année',
		all: 'Depuis le début',
		earlier: 'Période précédente',
		later: 'Période suivante',
		filter: 'Ajouter un filtre',
		search: 'Rechercher dans toutes les lignes',
		tile: 'Afficher {{metric}} dans le graphique',
		live: 'Vue en temps réel',
		statistics: 'Statistiques',
		help: 'Afficher les raccourcis clavier',
	},
	embed: {
		foot: 'Statistiques sans cookies par Tidemark',
	},
};
