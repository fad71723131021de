import type { Texts } from '../texts.ts';

export const live: Texts['live'] = {
	title: 'Live',
	heading: 'Live: {{domain}}',
	here_one: 'aktueller Besucher',
	here_other: 'aktuelle Besucher',
	lastHalfHour: 'Besucher in den letzten 30 Minuten',
	visitors: 'Besucher',
	pageviews: 'Seitenaufrufe',
	time: 'Zeit',
	now: 'jetzt',
	pages: 'Seiten',
	sources: 'Quellen',
	countries: 'Länder',
	nobody: 'Keine aktuellen Besucher. Neue Besuche erscheinen hier automatisch.',
	noRows: 'Noch keine Daten',
	fewer:
		'Zum Schutz der Privatsphäre werden Zeilen mit weniger als 3 Besuchern ausgeblendet und Daten um bis zu fünf Minuten verzögert.',
	ways: {
		stream: 'Aktualisiert sich alle 2 Sekunden',
		polling: 'Aktualisiert sich alle 5 Sekunden (Streaming nicht verfügbar)',
	},
	currentPages: 'Aktuelle Seiten',
	devices: 'Geräte',
	feed: 'Ereignisse',
	noEvents: 'Keine Ereignisse in den letzten 30 Minuten.',
	from: 'von {{source}}',
};
