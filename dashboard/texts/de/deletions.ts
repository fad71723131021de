import type { Texts } from '../texts.ts';

export const deletions: Texts['deletions'] = {
	counting: 'Passende Ereignisse werden gezählt…',
	none: 'Keine passenden Ereignisse.',
	matches_one: '{{total}} Ereignis ({{kinds}}) {{days}} wird ausgeblendet.',
	matches_other: '{{total}} Ereignisse ({{kinds}}) {{days}} werden ausgeblendet.',
	pageviews_one: '{{total}} Seitenaufruf',
	pageviews_other: '{{total}} Seitenaufrufe',
	customEvents_one: '{{total}} eigenes Ereignis',
	customEvents_other: '{{total}} eigene Ereignisse',
	measurements_one: '{{total}} Messung von aktiver Zeit oder Web Vitals',
	measurements_other: '{{total}} Messungen von aktiver Zeit und Web Vitals',
	days_one: 'am {{from}}',
	days_other: 'an {{total}} Tagen vom {{from}} bis zum {{to}}',
	totalsBefore:
		'Summen vor dem {{date}} ändern sich nicht, weil ihre Ereignisse nach Ablauf der Aufbewahrung bereits gelöscht wurden.',
	earlierValues_one:
		'Aus den Aufschlüsselungen von Tagen, deren Ereignisse nicht mehr gespeichert sind, und von importierten Tagen wird {{total}} Wert entfernt. Die Summen dieser Tage ändern sich nicht.',
	earlierValues_other:
		'Aus den Aufschlüsselungen von Tagen, deren Ereignisse nicht mehr gespeichert sind, und von importierten Tagen werden {{total}} Werte entfernt. Die Summen dieser Tage ändern sich nicht.',
	alreadyHidden_one:
		'{{total}} passendes Ereignis ist schon durch eine andere Löschung ausgeblendet. Es zählt erst wieder, wenn beide rückgängig gemacht sind, und wird mit der ersten vom Datenträger gelöscht.',
	alreadyHidden_other:
		'{{total}} passende Ereignisse sind schon durch eine andere Löschung ausgeblendet. Sie zählen erst wieder, wenn beide rückgängig gemacht sind, und werden mit der ersten vom Datenträger gelöscht.',
	referrers_one:
		'{{total}} Ereignis einer anderen Seite enthält einen passenden Pfad in der verweisenden Seite und bleibt erhalten. Um es auch zu löschen, filtere nach der verweisenden Seite.',
	referrers_other:
		'{{total}} Ereignisse anderer Seiten enthalten einen passenden Pfad in der verweisenden Seite und bleiben erhalten. Um sie auch zu löschen, filtere nach der verweisenden Seite.',
	keeps:
		'Die Ereignisse werden sofort aus allen Statistiken ausgeblendet. Du kannst das bis zum {{date}} rückgängig machen. Danach werden sie vom Datenträger gelöscht.',
	keepsNone:
		'Die Ereignisse werden sofort aus allen Statistiken ausgeblendet und so bald wie möglich vom Datenträger gelöscht. Das kann nicht rückgängig gemacht werden.',
	keepsValues: 'Die Werte werden sofort ausgeblendet. Du kannst das bis zum {{date}} rückgängig machen.',
	keepsValuesNone: 'Die Werte werden so bald wie möglich gelöscht. Das kann nicht rückgängig gemacht werden.',
	tooLarge:
		'Höchstens 1.000 Werte mit insgesamt 60.000 Zeichen lassen sich rückwirkend anwenden. Verteile sie auf mehrere Regeln oder Löschungen.',
	limit:
		'Zu viele Löschungen können noch rückgängig gemacht werden. Mache eine davon rückgängig oder warte, bis ihre Wiederherstellungsfrist abläuft.',
	newEvents: 'Neue Ereignisse sind nicht betroffen.',
	exclude: 'Neuen Traffic ausschließen',
	undo: 'Rückgängig machen',
	valuesDeleted: '(Werte gelöscht)',
	states: {
		hidden: 'Ausgeblendet. Kann bis zum {{date}} rückgängig gemacht werden.',
		due: 'Ausgeblendet. Wird bald vom Datenträger gelöscht.',
		deleted: 'Am {{date}} vom Datenträger gelöscht.',
		undone: 'Am {{date}} rückgängig gemacht.',
	},
	rule: {
		apply: 'Rückwirkend anwenden',
		applyOne: 'Rückwirkend anwenden: {{name}}',
		title: '{{name}} rückwirkend anwenden?',
		text: 'Frühere Ereignisse, auf die diese Regel zutrifft, werden sofort aus allen Statistiken ausgeblendet.',
		textUntil:
			'Frühere Ereignisse, auf die diese Regel zutrifft, werden sofort aus allen Statistiken ausgeblendet. Du kannst das bis zum {{date}} rückgängig machen. Danach werden sie vom Datenträger gelöscht.',
		textFinal:
			'Frühere Ereignisse, auf die diese Regel zutrifft, werden sofort aus allen Statistiken ausgeblendet und so bald wie möglich vom Datenträger gelöscht. Das kann nicht rückgängig gemacht werden.',
		action: 'Früheren Traffic ausblenden',
		hidden_one:
			'{{total}} früheres Ereignis ausgeblendet. Das kann bis zum {{date}} rückgängig gemacht werden.',
		hidden_other:
			'{{total}} frühere Ereignisse ausgeblendet. Das kann bis zum {{date}} rückgängig gemacht werden.',
		due_one: '{{total}} früheres Ereignis ausgeblendet. Es wird bald vom Datenträger gelöscht.',
		due_other: '{{total}} frühere Ereignisse ausgeblendet. Sie werden bald vom Datenträger gelöscht.',
		staysHidden:
			'Früherer Traffic, den diese Regel ausblendet, bleibt ausgeblendet. Admins können das unter „Daten“ rückgängig machen.',
	},
	filter: {
		title: 'Daten nach Filter löschen',
		text: 'Löscht frühere Ereignisse, die Bedingungen erfüllen, zum Beispiel personenbezogene Daten, die eine Seite versehentlich gesendet hat. Vorher siehst du eine Vorschau. Neue Ereignisse sind nicht betroffen.',
		dialogText: 'Wähle die Ereignisse aus. Bevor etwas gelöscht wird, siehst du eine Vorschau.',
		conditions: 'Ereignisse, die alle Bedingungen erfüllen',
		condition: 'Bedingung {{number}}',
		field: 'Feld',
		query: 'Query-String',
		perLine: 'Ein Wert pro Zeile. Ein Treffer genügt.',
		badValue: 'Wert {{number}} ist für dieses Feld ungültig.',
		propertyNeeded: 'Gib den Namen der Eigenschaft ein.',
		add: 'Bedingung hinzufügen',
		remove: 'Bedingung {{number}} entfernen',
		allDays: 'Leer lassen für alle Tage.',
		keep: 'Wiederherstellungsfrist',
		keepDays: '{{days}} Tage',
		keepNone: 'Keine: so bald wie möglich löschen',
		preview: 'Vorschau',
		action_one: '{{total}} Ereignis löschen',
		action_other: '{{total}} Ereignisse löschen',
		confirm_one: '{{total}} Ereignis löschen?',
		confirm_other: '{{total}} Ereignisse löschen?',
		done: 'Ereignisse aus allen Statistiken entfernt.',
	},
	elsewhere: {
		title: 'Dieselben Daten sind möglicherweise auch enthalten in',
		reports_one: '{{total}} gespeicherter Bericht über diese Tage',
		reports_other: '{{total}} gespeicherte Berichte über diese Tage',
		deadLetters_one: 'Dead Letters: {{total}} Ereignis, das nicht geschrieben werden konnte',
		deadLetters_other: 'Dead Letters: {{total}} Ereignisse, die nicht geschrieben werden konnten',
		backup: 'Backup vor einem Upgrade, erstellt am {{made}}, läuft am {{expires}} ab',
		own: 'Exporte und Backups, die du selbst erstellt hast, werden nicht geändert.',
	},
	list: {
		title: 'Gelöschte Daten',
		rule: 'Traffic-Regel: {{name}}',
		and: 'und',
		events_one: '{{total}} Ereignis {{days}}',
		events_other: '{{total}} Ereignisse {{days}}',
		values_one: '{{total}} Wert in Aufschlüsselungen früherer Summen',
		values_other: '{{total}} Werte in Aufschlüsselungen früherer Summen',
		noEvents: 'Keine Ereignisse',
		all: 'Alle anzeigen',
	},
};
