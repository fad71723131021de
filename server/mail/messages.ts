/** What mails say. Addresses in them begin with the public address of the service, never with what a request was sent to. */
export type Message = { subject: string; text: string };

export const testMessage = (): Message => ({
	subject: 'Tidemark can send mail',
	text: 'This mail was sent by `tidemark mail test`. Nothing needs to be done.\n',
});

type Invited = { by: string; url: string };
const invitations: Record<string, (of: Invited) => Message> = {
	en: ({ by, url }) => ({
		subject: 'You are invited to look at website statistics',
		text: `${by} invites you to see website statistics on Tidemark. The link works once, for seven days:\n\n${url}\n\nIf you do not know what this is about, do nothing.\n`,
	}),
	de: ({ by, url }) => ({
		subject: 'Du bist eingeladen, Website-Statistiken anzusehen',
		text: `${by} lädt dich ein, auf Tidemark Website-Statistiken anzusehen. Der Link gilt einmal und sieben Tage lang:\n\n${url}\n\nWenn du nicht weißt, worum es geht, tu nichts.\n`,
	}),
};

/** In the language of whoever invites: of the other one nothing is known. A name is one line, whatever it holds. */
export const invitationMessage = (locale: string, { by, url }: Invited): Message =>
	inLanguage(invitations, locale)({ by: by.replace(/\s+/g, ' '), url });

const resets: Record<string, (url: string) => Message> = {
	en: (url) => ({
		subject: 'Set a new password for Tidemark',
		text: `Somebody asked for a new password for your account. Open this link within half an hour to set one:\n\n${url}\n\nIf that was not you, do nothing: your password stays as it is.\n`,
	}),
	de: (url) => ({
		subject: 'Ein neues Passwort für Tidemark',
		text: `Jemand hat ein neues Passwort für dein Konto angefordert. Öffne diesen Link innerhalb einer halben Stunde, um eines zu setzen:\n\n${url}\n\nWenn du das nicht warst, tu nichts: Dein Passwort bleibt, wie es ist.\n`,
	}),
};

export const resetMessage = (locale: string, url: string): Message => inLanguage(resets, locale)(url);

/** By the language alone: `de-AT` is served by `de`, and what we do not speak by English. */
export function inLanguage<T>(texts: Record<string, T>, locale: string): T {
	const found = texts[locale.toLowerCase().split(/[-_]/)[0] ?? ''] ?? texts.en;
	if (found === undefined) throw new Error('There is no English text.');
	return found;
}
