import type { Texts } from '../texts.ts';

export const templates: Texts['templates'] = {
	label: 'Vorlage',
	none: 'Keine Vorlage',
	hint: 'Übernimmt Einstellungen, Ziele, Trichter, Segmente, Seitengruppen und Traffic-Regeln der Vorlage.',
	manage: 'Vorlagen verwalten',
	manageText: 'Umbenennen oder Löschen einer Vorlage ändert keine Websites.',
	rename: 'Umbenennen',
	renameOne: 'Umbenennen: {{name}}',
	name: 'Name der Vorlage',
	empty: 'Noch keine Vorlagen.',
	save: {
		title: 'Als Vorlage speichern',
		text: 'Neue Websites können mit den Einstellungen, Zielen, Trichtern, Segmenten, Seitengruppen und Traffic-Regeln dieser Website beginnen. Passwörter, Hostnamen und Empfänger werden nicht übernommen.',
		done: 'Vorlage gespeichert. Du kannst sie beim Hinzufügen einer Website auswählen.',
	},
	bulk: {
		open: 'Mehrere ändern',
		title: 'Mehrere Websites ändern',
		text: 'Die Websites auf dieser Seite der Liste.',
		selectAll: 'Alle auswählen',
		selectNone: 'Keine auswählen',
		noneSelected: 'Wähle mindestens eine Website aus.',
		add: 'Labels hinzufügen',
		remove: 'Labels entfernen',
		template: 'Vorlage anwenden',
		templateHint:
			'Setzt die Einstellungen der Vorlage und fügt ihre Ziele und anderen Einträge hinzu. Nichts wird entfernt.',
		send: 'Anwenden',
	},
};
