import type { Texts } from '../texts.ts';

export const pathGroups: Texts['pathGroups'] = {
	rules: {
		title: 'Regeln',
		text: 'Fasse Seiten zusammen, deren Pfade IDs oder Datumsangaben enthalten. Die erste passende Regel gilt. Regeln gelten auch für vergangene Daten.',
		hint: '* steht für einen Teil eines Pfadsegments, ** am Ende für den Rest des Pfads. $1 in einer Gruppe steht für den Teil, den das erste * gefunden hat.',
		add: 'Regel hinzufügen',
		none: 'Noch keine Regeln. Jeder Pfad ist eine eigene Gruppe.',
		pattern: 'Muster',
		target: 'Gruppe',
		patternOf: 'Muster der Regel {{rule}}',
		targetOf: 'Gruppe der Regel {{rule}}',
		up: 'Regel {{rule}} nach oben',
		down: 'Regel {{rule}} nach unten',
		remove: 'Regel {{rule}} löschen',
		bad: 'Prüfe diese Regel. Ein Muster beginnt mit / und hat höchstens ein * pro Segment; ** ist nur am Ende erlaubt.',
		count: 'Pfade: {{paths}} · Seitenaufrufe: {{views}}',
		period: 'Vorschau der letzten 30 Tage.',
		partial:
			'Vorschau der letzten 30 Tage, für die {{compared}} am häufigsten aufgerufenen von {{paths}} Pfaden.',
		examples: 'Beispiele',
		unmatched: 'Pfade ohne Regel',
	},
	undo: {
		title: 'Rückgängig machen',
		text: 'Stellt die vorherigen Regeln wieder her. Statistiken zeigen dann dieselben Zahlen wie vor der Änderung.',
		button: 'Letzte Änderung rückgängig machen',
		done: 'Die letzte Änderung wurde rückgängig gemacht.',
	},
	proposals: {
		title: 'Vorschläge',
		text: 'Aus den Pfaden der letzten 30 Tage, zu denen keine Regel passt.',
		use: 'Übernehmen',
		useOne: 'Regel für {{pattern}} übernehmen',
		none: 'Keine Vorschläge.',
	},
};
