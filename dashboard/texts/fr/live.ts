import type { Texts } from '../texts.ts';

export const live: Texts['live'] = {
	title: 'Temps réel',
	heading: 'Temps réel : {{domain}}',
	here_one: 'visiteur actuel',
	here_many: 'visiteurs actuels',
	here_other: 'visiteurs actuels',
	lastHalfHour: 'Visiteurs des 30 dernières minutes',
	visitors: 'Visiteurs',
	pageviews: 'Pages vues',
	time: 'Heure',
	now: 'maintenant',
	pages: 'Pages',
	sources: 'Sources',
	countries: 'Pays',
	nobody: 'Aucun visiteur actuellement. Les nouvelles visites apparaissent ici automatiquement.',
	noRows: 'Aucune donnée pour l’instant',
	fewer:
		'Pour protéger la vie privée, les lignes de moins de 3 visiteurs sont masquées et les données ont jusqu’à cinq minutes de retard.',
	ways: {
		stream: 'Mise à jour toutes les 2 secondes',
		polling: 'Mise à jour toutes les 5 secondes (flux indisponible)',
	},
	currentPages: 'Pages en cours',
	devices: 'Appareils',
	feed: 'Activité',
	noEvents: 'Aucun événement au cours des 30 dernières minutes.',
	from: 'depuis {{source}}',
};
