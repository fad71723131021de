import type { Texts } from '../texts.ts';

export const doctor: Texts['doctor'] = {
	title: 'Zustand',
	heading: 'Wie es diesem Dienst geht',
	text: 'Untersucht am {{date}}. Dasselbe zeigt tidemark doctor.',
	again: 'Erneut untersuchen',
	looking:
		'Einstellungen, Festplatte, Datenbanken und die letzten Tage werden untersucht. Das kann eine halbe Minute dauern.',
	todo: 'Zu tun: {{advice}}',
	fine: 'Alles in Ordnung',
	problems_one: '{{count}} Problem',
	problems_other: '{{count}} Probleme',
	notices_one: '{{count}} Hinweis',
	notices_other: '{{count}} Hinweise',
	states: { ok: 'In Ordnung', notice: 'Hinweis', problem: 'Problem' },
	checks: {
		settings: 'Einstellungen',
		address: 'Adresse und Proxys',
		clock: 'Uhr',
		disk: 'Festplatte',
		mail: 'E-Mail',
		engines: 'Datenbanken',
		event_log: 'Ereignisprotokoll',
		duplicates: 'Doppelt gezählte Ereignisse',
		derived: 'Abgeleitete Zahlen',
		certificates: 'Zertifikate',
		versions: 'Versionen',
		leftovers: 'Überbleibsel',
	},
};
