import type { Texts } from '../texts.ts';

export const signIn: Texts['signIn'] = {
	title: 'Anmelden',
	email: 'E-Mail-Adresse',
	emailWrong: 'Das ist keine E-Mail-Adresse.',
	password: 'Passwort',
	submit: 'Anmelden',
	forgotten: 'Passwort vergessen?',
	toSignIn: 'Zur Anmeldung',
	plainHttp:
		'Diese Seite kommt über einfaches http: Wer im selben Netz ist, kann mitlesen, was du tippst, auch dein Passwort.',
	passwordSet: 'Dein Passwort ist gesetzt. Melde dich jetzt damit an.',
	sessionLost:
		'Alles war richtig, aber der Browser hat die Anmeldung nicht behalten: Tidemark ist für https eingerichtet, diese Seite nicht. Öffne es unter seiner https-Adresse.',
	minimum:
		'Mindestens 10 Zeichen. Ein paar Wörter hintereinander sind leicht zu merken und schwer zu erraten.',
	tooShort: 'Ein Passwort hat mindestens 10 Zeichen.',
	code: {
		title: 'Noch ein Schritt',
		text: 'Gib den Code ein, den deine Authenticator-App für Tidemark zeigt.',
		label: 'Code',
		wrong: 'Dieser Code ist falsch oder schon benutzt. Die App zeigt jede halbe Minute einen neuen.',
		useRecovery: 'Wiederherstellungscode verwenden',
		recoveryText: 'Gib einen der zehn Codes ein, die du beim Einschalten aufgehoben hast. Jeder gilt einmal.',
		recoveryLabel: 'Wiederherstellungscode',
		recoveryWrong: 'Dieser Wiederherstellungscode ist falsch oder schon benutzt.',
		useApp: 'App verwenden',
	},
	forgottenPage: {
		title: 'Neues Passwort holen',
		text: 'Wer diesen Dienst betreibt, macht dir einen Link. Damit setzt du ein neues Passwort, einmal und innerhalb einer halben Stunde.',
		mailText:
			'Wir schicken dir einen Link. Er setzt ein neues Passwort, einmal und innerhalb einer halben Stunde.',
		mailSubmit: 'Link schicken',
		mailed: 'Wenn es ein Konto mit dieser Adresse gibt, ist ein Link dorthin unterwegs.',
		command: 'Befehl auf dem Server',
		commandText: 'Führe das auf dem Server aus, auf dem Tidemark läuft, mit deiner E-Mail-Adresse:',
		notOperator:
			'Du betreibst es nicht selbst? Frag die Person, die es tut, und nenne ihr deine E-Mail-Adresse.',
	},
	setPassword: {
		title: 'Passwort setzen',
		reset: 'Wähle ein neues Passwort. Alle Browser, die mit diesem Konto angemeldet sind, werden abgemeldet.',
		invitation: 'Willkommen bei Tidemark. Wähle ein Passwort, dann bist du drin.',
		label: 'Neues Passwort',
		submit: 'Passwort setzen und anmelden',
	},
	deadLink: {
		title: 'Dieser Link gilt nicht mehr',
		text: 'Er wurde schon benutzt, ist zu alt, oder ein neuerer hat ihn ersetzt.',
		again: 'Einen neuen holen',
	},
	setUp: {
		title: 'Tidemark einrichten',
		text: 'Hier entsteht das erste Konto. Der Link gilt einmal.',
		name: 'Dein Name',
		zone: 'Zeitzone',
		zoneHint: 'In ihr beginnen und enden die Tage neuer Websites.',
		address: 'Öffentliche Adresse',
		addressHint: 'Unter ihr erreichen Browser diesen Dienst. Code-Schnipsel und Links beginnen mit ihr.',
		addressFixed: 'Auf dem Server durch TIDEMARK_BASE_URL gesetzt.',
		addressWrong: 'Schreib http:// oder https:// und den Host, und nichts dahinter.',
		submit: 'Konto anlegen',
		deadTitle: 'Dieser Einrichtungslink gilt nicht mehr',
		dead: 'Es gibt schon ein Konto, oder der Dienst wurde neu gestartet und hat einen neueren Link ausgegeben. Sieh am Ende seiner Ausgabe nach.',
		doneTitle: 'Das Konto ist angelegt',
		done: 'Melde dich unter der öffentlichen Adresse an: {{address}}',
	},
};
