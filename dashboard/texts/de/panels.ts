import type { Texts } from '../texts.ts';

export const panels: Texts['panels'] = {
	visits: 'Besuche',
	visitors: 'Besucher',
	availableFrom: 'Daten auf Besuchsebene gibt es ab dem {{date}}.',
	map: {
		label: 'Weltkarte: Besucher nach Land',
		caption: 'Besucher nach Land',
		country: 'Land',
		unlisted: 'Kleine Länder und unbekannte Standorte stehen nur in der Länderliste.',
	},
	hours: {
		caption: 'Besuche nach Wochentag und Stunde, in der Zeitzone der Website',
		only: 'Nur {{day}}',
		lastYear: 'Es werden nur die letzten 52 Wochen angezeigt.',
	},
	goals: {
		nothing: 'In diesem Zeitraum wurde kein Ziel erreicht',
		caption: 'Ziele und Conversions',
		rate: 'Rate',
	},
	keys: {
		title: 'Tastenkürzel',
		text: 'Tastenkürzel funktionieren, wenn kein Eingabefeld aktiv ist.',
		open: 'Tastenkürzel',
		groups: {
			periods: 'Zeiträume',
			page: 'Auf dieser Seite',
			go: 'Navigation',
		},
		today: 'Heute',
		week: 'Letzte 7 Tage',
		month: 'Letzte 30 Tage',
		year: 'Dieses Jahr',
		all: 'Gesamte Zeit',
		earlier: 'Vorheriger Zeitraum',
		later: 'Nächster Zeitraum',
		filter: 'Filter hinzufügen',
		search: 'Alle Zeilen durchsuchen',
		tile: '{{metric}} im Diagramm anzeigen',
		live: 'Live-Ansicht',
		statistics: 'Statistik',
		help: 'Tastenkürzel anzeigen',
	},
	embed: {
		foot: 'Statistik ohne Cookies von Tidemark',
	},
};
