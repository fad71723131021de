import type { Texts } from '../texts.ts';

export const doctor: Texts['doctor'] = {
	title: 'État du système',
	heading: 'État du système',
	text: 'Dernière vérification : {{date}}. Mêmes résultats que tidemark doctor.',
	again: 'Relancer les vérifications',
	looking:
		'Vérification des paramètres, du disque, des bases de données et des derniers jours. Cela peut prendre jusqu’à trente secondes.',
	todo: 'Recommandation : {{advice}}',
	fine: 'Toutes les vérifications ont réussi',
	problems_one: '{{count}} problème',
	problems_many: '{{count}} problèmes',
	problems_other: '{{count}} problèmes',
	notices_one: '{{count}} avertissement',
	notices_many: '{{count}} avertissements',
	notices_other: '{{count}} avertissements',
	states: {
		ok: 'OK',
		notice: 'Avertissement',
		problem: 'Problème',
	},
	checks: {
		settings: 'Paramètres',
		address: 'URL et proxys',
		clock: 'Horloge',
		disk: 'Disque',
		mail: 'E-mail',
		engines: 'Bases de données',
		geolocation: 'Géolocalisation',
		event_log: 'Journal des événements',
		duplicates: 'Événements en double',
		derived: 'Totaux dérivés',
		certificates: 'Certificats',
		versions: 'Versions',
		leftovers: 'Données endommagées et non écrites',
	},
};
