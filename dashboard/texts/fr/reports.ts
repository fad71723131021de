import type { Texts } from '../texts.ts';

export const reports: Texts['reports'] = {
	title: 'Rapports',
	text: 'Ce qui a été rapporté sur ce site, semaine après semaine et mois après mois.',
	none: 'Pas encore de rapport',
	noneText: 'Le premier est établi quand la semaine ou le mois est terminé.',
	week: 'Semaine',
	month: 'Mois',
	provisional: 'provisoire',
	risen: 'Plus forte hausse : {{names}}',
	pages: 'Pages de la liste',
	schedule: 'Fréquence',
	mail: 'Par e-mail',
	all: 'Tous les rapports',
	listLabel: 'Rapports, les plus récents d’abord',
	feed: {
		title: 'Flux',
		text: 'Les rapports de ce site pour un lecteur de flux. Quiconque a l’adresse peut les lire : traitez-la comme un mot de passe.',
		make: 'Créer l’adresse',
		label: 'Adresse du flux',
		once: 'Copiez-la maintenant : elle ne sera plus affichée.',
		since:
			'Une adresse existe depuis le {{date}}. Elle a été affichée une seule fois ; une nouvelle prend sa place.',
		renew: 'Créer une nouvelle adresse',
		remove: 'Supprimer l’adresse',
		renewTitle: 'Créer une nouvelle adresse ?',
		removeTitle: 'Supprimer l’adresse ?',
		gone: 'L’adresse actuelle cesse aussitôt de fonctionner.',
	},
	settings: {
		title: 'Rapports',
		text: 'Pour chaque site dont les rapports par e-mail sont activés, à sept heures du matin selon son horloge.',
		schedule: 'Fréquence',
		schedules: {
			none: 'Jamais',
			week: 'Chaque lundi',
			month: 'Le premier du mois',
			both: 'Chaque lundi et le premier du mois',
		},
		digest: 'Tous les sites en un seul e-mail',
		digestHint: 'Une ligne par site au lieu d’un e-mail chacun.',
	},
};
