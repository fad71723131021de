import type { Texts } from '../texts.ts';

export const live: Texts['live'] = {
	title: 'Temps réel',
	heading: 'Temps réel : {{domain}}',
	here_one: 'visiteur ces 5 dernières minutes',
	here_many: 'de visiteurs ces 5 dernières minutes',
	here_other: 'visiteurs ces 5 dernières minutes',
	lastHalfHour: 'Visiteurs des 30 dernières minutes',
	visitors: 'Visiteurs',
	pageviews: 'Pages vues',
	time: 'Heure',
	now: 'maintenant',
	halfHourAgo: 'il y a 30 minutes',
	quarterAgo: '15',
	pages: 'Pages',
	sources: 'Sources',
	countries: 'Pays',
	nobody: 'Personne n’est là en ce moment. Dès que quelqu’un ouvre une page, elle apparaît ici d’elle-même.',
	noRows: 'Rien pour l’instant',
	fewer:
		'Les lignes de moins de 3 visiteurs ne sont pas affichées, et l’image peut dater de cinq minutes : ainsi, elle ne désigne personne en particulier.',
	ways: {
		stream: 'Se met à jour automatiquement, en 2 secondes au plus',
		polling: 'Interrogé toutes les 5 secondes, car le flux ne passe pas',
	},
};
