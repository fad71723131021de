import type { Texts } from '../texts.ts';

export const panels: Texts['panels'] = {
	visits: 'Besuche',
	visitors: 'Besucher',
	availableFrom: 'Einzelne Besuche sind erst ab dem {{date}} bekannt; das gibt es erst ab diesem Tag.',
	map: {
		label: 'Weltkarte: Besucher nach Land',
		caption: 'Besucher nach Land',
		country: 'Land',
		elsewhere: 'Kleine Länder und unbekannte Orte stehen in der Liste der Länder.',
	},
	hours: {
		caption: 'Besuche nach Wochentag und Stunde, in der sie begannen, auf der Uhr der Website',
		only: 'Nur {{day}}',
		lastYear: 'Von dieser langen Zeit sind die letzten 52 Wochen zu sehen.',
	},
	goals: {
		nothing: 'In diesem Zeitraum wurde kein Ziel erreicht',
		noneText:
			'Ein Ziel ist eine Seite, die jemand erreicht, oder ein Ereignis: eine Anmeldung, ein Kauf, ein Download.',
		add: 'Ziel hinzufügen',
		caption: 'Ziele mit ihren Abschlüssen',
	},
	keys: {
		title: 'Tastatur',
		text: 'Diese Tasten gelten überall, wo du nicht gerade schreibst.',
		open: 'Tasten',
		groups: { periods: 'Zeiträume', page: 'Auf dieser Seite', go: 'Gehe zu' },
		today: 'Heute',
		week: 'Letzte 7 Tage',
		month: 'Letzte 30 Tage',
		year: 'Dieses Jahr',
		all: 'Gesamte Zeit',
		earlier: 'Früher',
		later: 'Später',
		filter: 'Filter hinzufügen',
		search: 'In allen Zeilen suchen',
		tile: '{{metric}} in der Kurve',
		live: 'Live-Ansicht',
		statistics: 'Statistik',
		help: 'Diese Liste zeigen',
	},
	embed: { foot: 'Gezählt von Tidemark, ohne Cookies' },
};
