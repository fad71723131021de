import type { Texts } from '../texts.ts';

export const signIn: Texts['signIn'] = {
	title: 'Anmelden',
	email: 'E-Mail-Adresse',
	emailWrong: 'Gib eine gültige E-Mail-Adresse ein.',
	password: 'Passwort',
	submit: 'Anmelden',
	forgotten: 'Passwort vergessen?',
	toSignIn: 'Zurück zur Anmeldung',
	plainHttp:
		'Diese Seite ist nicht verschlüsselt (HTTP). Andere in deinem Netzwerk können dein Passwort mitlesen.',
	passwordSet: 'Dein Passwort wurde festgelegt. Du kannst dich jetzt anmelden.',
	sessionLost:
		'Der Browser hat das Sitzungs-Cookie abgelehnt, weil Tidemark für HTTPS konfiguriert ist und diese Seite nicht. Öffne die HTTPS-URL.',
	minimum: 'Mindestens 10 Zeichen. Einige zufällige Wörter eignen sich gut.',
	tooShort: 'Verwende mindestens 10 Zeichen.',
	code: {
		title: 'Zwei-Faktor-Authentifizierung',
		text: 'Gib den Code aus deiner Authenticator-App ein.',
		label: 'Code',
		wrong: 'Dieser Code ist falsch oder wurde bereits verwendet. Die App zeigt alle 30 Sekunden einen neuen.',
		useRecovery: 'Wiederherstellungscode verwenden',
		recoveryText: 'Gib einen deiner Wiederherstellungscodes ein. Jeder funktioniert einmal.',
		recoveryLabel: 'Wiederherstellungscode',
		recoveryWrong: 'Dieser Wiederherstellungscode ist falsch oder wurde bereits verwendet.',
		useApp: 'Authenticator-App verwenden',
	},
	forgottenPage: {
		title: 'Passwort zurücksetzen',
		text: 'Der Betreiber kann dir einen Link zum Zurücksetzen erstellen. Er funktioniert einmal und ist 30 Minuten gültig.',
		mailText:
			'Wir senden dir per E-Mail einen Link zum Zurücksetzen. Er funktioniert einmal und ist 30 Minuten gültig.',
		mailSubmit: 'Link zum Zurücksetzen senden',
		mailed: 'Falls ein Konto mit dieser Adresse existiert, wurde ein Link zum Zurücksetzen dorthin gesendet.',
		command: 'Befehl auf dem Server',
		commandText: 'Führe diesen Befehl auf deinem Tidemark-Server mit deiner E-Mail-Adresse aus:',
		notOperator:
			'Du bist nicht der Betreiber? Wende dich mit deiner E-Mail-Adresse an die Person, die diesen Server betreibt.',
	},
	setPassword: {
		title: 'Passwort festlegen',
		reset: 'Wähle ein neues Passwort. Alle Sitzungen deines Kontos werden abgemeldet.',
		invitation: 'Willkommen bei Tidemark. Wähle ein Passwort, um loszulegen.',
		label: 'Neues Passwort',
		submit: 'Passwort festlegen und anmelden',
		revokeKeys: 'Auch alle API-Schlüssel widerrufen',
		revokeKeysHint:
			'Empfohlen, wenn jemand anderes Zugriff gehabt haben könnte. API-Clients funktionieren erst wieder mit neuen Schlüsseln.',
	},
	deadLink: {
		title: 'Dieser Link ist nicht mehr gültig',
		text: 'Er wurde bereits verwendet, ist abgelaufen oder wurde durch einen neueren ersetzt.',
		again: 'Neuen Link anfordern',
	},
	confirm: {
		title: 'E-Mail-Adresse bestätigen',
		text: 'Bestätige {{email}} als E-Mail-Adresse deines Kontos.',
		signedOut: 'Melde dich an, um die E-Mail-Adresse deines Kontos zu bestätigen.',
		submit: 'E-Mail-Adresse bestätigen',
	},
	setUp: {
		title: 'Tidemark einrichten',
		text: 'Erstelle das erste Konto. Dieser Link funktioniert einmal.',
		name: 'Dein Name',
		zone: 'Zeitzone',
		zoneHint: 'Standard-Zeitzone für neue Websites.',
		address: 'Öffentliche URL',
		addressHint: 'Die URL, unter der Browser diesen Server erreichen. Wird in Snippets und Links verwendet.',
		addressFixed: 'Auf dem Server durch TIDEMARK_BASE_URL gesetzt.',
		addressWrong: 'Gib http:// oder https:// und einen Hostnamen ohne Pfad ein.',
		submit: 'Konto erstellen',
		deadTitle: 'Dieser Einrichtungslink ist nicht mehr gültig',
		dead: 'Es existiert bereits ein Konto, oder der Server wurde neu gestartet und hat einen neueren Link ausgegeben. Prüfe das Ende seiner Ausgabe.',
		doneTitle: 'Konto erstellt',
		done: 'Melde dich unter der öffentlichen URL an: {{address}}',
		more: 'Sprache, Zeitzone und URL',
		hint: 'Auf diesem Server gibt es noch kein Konto. Lege das erste mit dem Einrichtungslink an, den Tidemark beim Start ausgegeben hat.',
		where:
			'Der Link steht am Ende der Ausgabe im Terminal oder im Protokoll des Dienstes (journalctl -u tidemark, docker compose logs). Jeder Start gibt einen neuen Link aus; nur der neueste gilt.',
		command: 'Oder lege das Konto mit diesem Befehl auf dem Server an:',
	},
};
