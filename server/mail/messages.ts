/** What mails say. Addresses in them begin with the public address of the service, never with what a request was sent to. */
type Message = { subject: string; text: string };

export const testMessage = (): Message => ({
	subject: 'Tidemark can send mail',
	text: 'This mail was sent by `tidemark mail test`. Nothing needs to be done.\n',
});

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

export function resetMessage(locale: string, url: string): Message {
	const write = resets[locale.toLowerCase().split(/[-_]/)[0] ?? ''] ?? resets.en;
	if (!write) throw new Error('There is no English text.');
	return write(url);
}
