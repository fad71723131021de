import type { Texts } from '../texts.ts';

export const doctor: Texts['doctor'] = {
	title: 'État',
	heading: 'Comment va ce service',
	text: 'Examiné le {{date}}. tidemark doctor montre la même chose.',
	again: 'Examiner à nouveau',
	looking:
		'Examen des réglages, du disque, des moteurs et des derniers jours. Cela peut prendre une demi-minute.',
	todo: 'À faire : {{advice}}',
	fine: 'Tout va bien',
	problems_one: '{{count}} problème',
	problems_many: '{{count}} problèmes',
	problems_other: '{{count}} problèmes',
	notices_one: '{{count}} remarque',
	notices_many: '{{count}} remarques',
	notices_other: '{{count}} remarques',
	states: { ok: 'Bon', notice: 'Remarque', problem: 'Problème' },
	checks: {
		settings: 'Réglages',
		address: 'Adresse et proxys',
		clock: 'Horloge',
		disk: 'Disque',
		mail: 'E-mail',
		engines: 'Moteurs',
		event_log: 'Journal des événements',
		duplicates: 'Événements comptés deux fois',
		derived: 'Chiffres dérivés',
		certificates: 'Certificats',
		versions: 'Versions',
		leftovers: 'Restes',
	},
};
