import type { Texts } from '../texts.ts';

export const doctor: Texts['doctor'] = {
	title: 'Systemstatus',
	heading: 'Systemstatus',
	text: 'Zuletzt geprüft {{date}}. Dieselben Ergebnisse zeigt tidemark doctor.',
	again: 'Erneut prüfen',
	looking:
		'Einstellungen, Festplatte, Datenbanken und die letzten Tage werden geprüft. Das kann bis zu einer halben Minute dauern.',
	todo: 'Empfehlung: {{advice}}',
	fine: 'Alle Prüfungen bestanden',
	problems_one: '{{count}} Problem',
	problems_other: '{{count}} Probleme',
	notices_one: '{{count}} Warnung',
	notices_other: '{{count}} Warnungen',
	states: {
		ok: 'OK',
		notice: 'Warnung',
		problem: 'Problem',
	},
	checks: {
		settings: 'Einstellungen',
		address: 'URL und Proxys',
		clock: 'Uhr',
		disk: 'Festplatte',
		mail: 'E-Mail',
		engines: 'Datenbanken',
		geolocation: 'Geolokalisierung',
		event_log: 'Ereignisprotokoll',
		duplicates: 'Doppelte Ereignisse',
		derived: 'Abgeleitete Summen',
		certificates: 'Zertifikate',
		versions: 'Versionen',
		leftovers: 'Beschädigte und nicht geschriebene Daten',
	},
};
