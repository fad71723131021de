import type { Texts } from '../texts.ts';

export const panels: Texts['panels'] = {
	visits: 'Visites',
	visitors: 'Visiteurs',
	availableFrom:
		'Les visites individuelles sont connues à partir du {{date}} ; ces données sont disponibles à partir de ce jour.',
	map: {
		label: 'Carte du monde : visiteurs par pays',
		caption: 'Visiteurs par pays',
		country: 'Pays',
		elsewhere: 'Les petits pays et les lieux inconnus figurent dans la liste des pays.',
	},
	hours: {
		caption: 'Visites par jour de la semaine et heure de début, à l’heure du site',
		only: 'Seulement {{day}}',
		lastYear: 'De cette longue période, seules les 52 dernières semaines sont affichées.',
	},
	goals: {
		nothing: 'Aucun objectif atteint sur cette période',
		noneText:
			'Un objectif est une page atteinte ou un événement qui se produit : une inscription, une vente, un téléchargement.',
		add: 'Ajouter un objectif',
		caption: 'Objectifs et leurs conversions',
	},
	keys: {
		title: 'Raccourcis clavier',
		text: 'Ils fonctionnent partout où vous n’êtes pas en train d’écrire.',
		open: 'Raccourcis',
		groups: { periods: 'Périodes', page: 'Sur cette page', go: 'Aller à' },
		today: 'Aujourd’hui',
		week: '7 derniers jours',
		month: '30 derniers jours',
		year: 'Cette année',
		all: 'Depuis le début',
		earlier: 'Plus tôt',
		later: 'Plus tard',
		filter: 'Ajouter un filtre',
		search: 'Rechercher dans toutes les lignes',
		tile: '{{metric}} dans le graphique',
		live: 'Vue en temps réel',
		statistics: 'Statistiques',
		help: 'Afficher cette liste',
	},
	embed: { foot: 'Compté par Tidemark, sans cookies' },
};
