import type { Texts } from '../texts.ts';

export const warnings: Texts['warnings'] = {
	otherAddress:
		'Du hast {{here}} geöffnet, die öffentliche URL ist aber {{address}}. Snippets und Links verwenden die öffentliche URL.',
	proxyWarning:
		'Tidemark läuft hinter einem nicht vertrauenswürdigen Proxy, daher scheinen alle Besucher dessen IP-Adresse zu haben. Setze TIDEMARK_TRUSTED_PROXIES={{proxy}} und starte den Server neu.',
	proxyPerhaps:
		'Einige Anfragen enthalten einen nicht vertrauenswürdigen X-Forwarded-For-Header. Läuft Tidemark hinter deinem Proxy, setze TIDEMARK_TRUSTED_PROXIES auf dessen Adresse und starte den Server neu. Andernfalls kannst du dies ignorieren.',
	unconfirmed: {
		text: 'Bestätige deine E-Mail-Adresse über den an {{email}} gesendeten Link. Bis dahin kannst du keine Berichte, Warnungen oder übertragenen Websites erhalten.',
		noMail:
			'Deine E-Mail-Adresse {{email}} ist nicht bestätigt, daher kannst du keine Berichte, Warnungen oder übertragenen Websites erhalten. Bitte den Betreiber, sie zu bestätigen.',
		again: 'Bestätigung erneut senden',
		sent: 'Bestätigung an {{email}} gesendet.',
	},
};
