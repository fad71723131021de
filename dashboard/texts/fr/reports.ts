import type { Texts } from '../texts.ts';

export const reports: Texts['reports'] = {
	title: 'Rapports',
	text: 'Résumés hebdomadaires et mensuels de ce site.',
	none: 'Pas encore de rapport',
	noneText: 'Le premier rapport est créé à la fin de la semaine ou du mois.',
	week: 'Semaine',
	month: 'Mois',
	provisional: 'provisoire',
	changed: 'Ce qui a changé',
	visitors_one: '{{count}} visiteur',
	visitors_other: '{{count}} visiteurs',
	pages: 'Pagination',
	schedule: 'Planification',
	mail: 'E-mail',
	all: 'Tous les rapports',
	listLabel: 'Rapports, les plus récents d’abord',
	feed: {
		title: 'Flux',
		text: 'Abonnez-vous aux rapports de ce site dans un lecteur de flux. Toute personne disposant de l’URL peut les lire : gardez-la secrète.',
		make: 'Créer l’URL du flux',
		label: 'URL du flux',
		once: 'Copiez-la maintenant. Elle n’est affichée qu’une fois.',
		since:
			'Une URL de flux a été créée le {{date}}. Elle n’a été affichée qu’une fois. Une nouvelle la remplace.',
		renew: 'Créer une nouvelle URL de flux',
		remove: 'Supprimer l’URL du flux',
		renewTitle: 'Créer une nouvelle URL de flux ?',
		removeTitle: 'Supprimer l’URL du flux ?',
		gone: 'L’URL actuelle cesse immédiatement de fonctionner.',
	},
	settings: {
		title: 'Rapports',
		text: 'Envoyés à 7 h dans le fuseau horaire de chaque site, pour les sites dont les rapports par e-mail sont activés.',
		schedule: 'Fréquence',
		schedules: {
			none: 'Jamais',
			week: 'Hebdomadaire, le lundi',
			month: 'Mensuelle, le 1er',
			both: 'Hebdomadaire et mensuelle',
		},
		digest: 'Regrouper tous les sites dans un e-mail',
		digestHint: 'Une ligne par site au lieu d’e-mails séparés.',
	},
	previewTitle: 'Aperçu',
	preview:
		'Les 7 derniers jours, tels que le rapport hebdomadaire les présentera. Le premier rapport est créé à la fin de la semaine.',
};
