import type { Texts } from '../texts.ts';

export const providers: Texts['providers'] = {
	continue: 'Weiter mit {{provider}}',
	or: 'oder',
	only: 'Melde dich mit dem Identitätsanbieter deiner Organisation an.',
	start: '{{provider}} ist nicht erreichbar. Versuche es später erneut.',
	refusals: {
		expired:
			'Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser oder unter einer anderen Adresse begonnen. Versuche es erneut.',
		denied: 'Der Anbieter hat dich nicht angemeldet. Versuche es erneut oder verwende ein anderes Konto.',
		unavailable: 'Der Anbieter ist nicht erreichbar. Versuche es später erneut.',
		invalid:
			'Die Antwort des Anbieters hat die Sicherheitsprüfung nicht bestanden. Informiere den Betreiber dieses Servers; der Grund steht im Protokoll.',
		unverified:
			'Der Anbieter hat deine E-Mail-Adresse nicht bestätigt. Bestätige sie dort und versuche es erneut.',
		domain: 'E-Mail-Adressen dieser Domain werden nicht akzeptiert. Verwende ein anderes Konto.',
		unknown:
			'Du hast hier kein Konto. Bitte einen Inhaber um eine Einladung an die E-Mail-Adresse deines Kontos beim Anbieter.',
		disabled: 'Dein Konto ist deaktiviert. Wende dich an den Betreiber dieses Servers.',
		taken:
			'Dieses Konto beim Anbieter ist hier mit einer anderen Person verknüpft, oder du hast bereits ein anderes verknüpft. Löse zuerst diese Verknüpfung.',
	},
	proof: {
		title: 'Bist du das?',
		link: '{{provider}} hat {{email}} bestätigt, und es gibt ein Konto mit dieser Adresse. Gib einmal dessen Passwort ein, um {{provider}} zu verknüpfen.',
		code: 'Gib einen Code aus deiner Authenticator-App oder einen Wiederherstellungscode ein.',
		submit: 'Verknüpfen und anmelden',
		submitCode: 'Anmelden',
		forgotten: 'Wenn du kein Passwort hast, lege eines über „Passwort vergessen?“ fest.',
		taken: 'Dieses Konto ist bereits mit einem anderen Konto bei {{provider}} verknüpft.',
	},
	account: {
		title: 'Identitätsanbieter',
		text: 'Melde dich mit einem Konto an, das du anderswo hast.',
		linked: 'Verknüpft {{made}}, zuletzt verwendet {{used}}',
		none: 'Nicht verknüpft',
		link: 'Verknüpfen',
		unlink: 'Verknüpfung lösen',
		linkLabel: '{{provider}} verknüpfen',
		unlinkLabel: 'Verknüpfung mit {{provider}} lösen',
		unlinkText:
			'Du kannst dich dann nicht mehr mit {{provider}} anmelden und verlierst die Rollen, die du durch dessen Gruppen hast.',
		onlyOne: 'Das ist deine einzige Möglichkeit, dich anzumelden.',
		done: 'Der Anbieter ist verknüpft. Du kannst dich ab jetzt damit anmelden.',
		noPassword:
			'Du hast kein Passwort. Manche Änderungen, etwa das Verknüpfen eines Anbieters oder das Erstellen eines API-Schlüssels, verlangen eines.',
		noMail: 'Bitte den Betreiber dieses Servers um einen Link zum Festlegen eines Passworts.',
		setPassword: 'Link zum Festlegen eines Passworts senden',
		mailed: 'Ein Link zum Festlegen eines Passworts wurde an {{email}} gesendet.',
	},
	join: 'Dein Konto wird bei der Anmeldung erstellt.',
};
