import { nameInMail } from './names.ts';

/** A plain text email. Its links begin with the public address of the service, never with the Host header. */
export type Message = { subject: string; text: string };

export const testMessage = (): Message => ({
	subject: 'Tidemark test email',
	text: 'This email was sent by `tidemark mail test`. No action is needed.\n',
});

type Invitation = { by: string; url: string };
const invitations: Record<string, (invitation: Invitation) => Message> = {
	en: ({ by, url }) => ({
		subject: 'Invitation to view website statistics',
		text: `${by} invited you to view website statistics on Tidemark. The link works once and expires after seven days:\n\n${url}\n\nIf you did not expect this invitation, you can ignore this email.\n`,
	}),
	de: ({ by, url }) => ({
		subject: 'Einladung zu Website-Statistiken',
		text: `${by} hat dich eingeladen, Website-Statistiken auf Tidemark anzusehen. Der Link funktioniert einmal und läuft nach sieben Tagen ab:\n\n${url}\n\nWenn du diese Einladung nicht erwartet hast, kannst du diese E-Mail ignorieren.\n`,
	}),
};

/** In the language of the sender, because the language of the recipient is unknown. */
export const invitationMessage = (locale: string, { by, url }: Invitation): Message =>
	inLanguage(invitations, locale)({ by: nameInMail(by), url });

const resets: Record<string, (url: string) => Message> = {
	en: (url) => ({
		subject: 'Reset your Tidemark password',
		text: `Someone requested a password reset for your account. To set a new password, open this link within 30 minutes:\n\n${url}\n\nIf this was not you, you can ignore this email. Your password will not change.\n`,
	}),
	de: (url) => ({
		subject: 'Tidemark-Passwort zurücksetzen',
		text: `Jemand möchte das Passwort deines Kontos zurücksetzen. Öffne diesen Link innerhalb von 30 Minuten, um ein neues festzulegen:\n\n${url}\n\nWenn du das nicht warst, kannst du diese E-Mail ignorieren. Dein Passwort bleibt unverändert.\n`,
	}),
};

export const resetMessage = (locale: string, url: string): Message => inLanguage(resets, locale)(url);

const confirmations: Record<string, (url: string) => Message> = {
	en: (url) => ({
		subject: 'Confirm your email address for Tidemark',
		text: `Someone created a Tidemark account with this email address. To confirm the address, open this link within seven days and sign in:\n\n${url}\n\nIf this was not you, you can ignore this email.\n`,
	}),
	de: (url) => ({
		subject: 'E-Mail-Adresse für Tidemark bestätigen',
		text: `Jemand hat mit dieser E-Mail-Adresse ein Tidemark-Konto angelegt. Um sie zu bestätigen, öffne diesen Link innerhalb von sieben Tagen und melde dich an:\n\n${url}\n\nWenn du das nicht warst, kannst du diese E-Mail ignorieren.\n`,
	}),
	fr: (url) => ({
		subject: 'Confirmez votre adresse e-mail pour Tidemark',
		text: `Quelqu’un a créé un compte Tidemark avec cette adresse e-mail. Pour la confirmer, ouvrez ce lien dans les sept jours et connectez-vous :\n\n${url}\n\nSi ce n’était pas vous, vous pouvez ignorer cet e-mail.\n`,
	}),
	es: (url) => ({
		subject: 'Confirma tu dirección de correo para Tidemark',
		text: `Alguien ha creado una cuenta de Tidemark con esta dirección de correo. Para confirmarla, abre este enlace en un plazo de siete días e inicia sesión:\n\n${url}\n\nSi no has sido tú, puedes ignorar este correo.\n`,
	}),
	it: (url) => ({
		subject: 'Conferma il tuo indirizzo e-mail per Tidemark',
		text: `Qualcuno ha creato un account Tidemark con questo indirizzo e-mail. Per confermarlo, apri questo link entro sette giorni e accedi:\n\n${url}\n\nSe non sei stato tu, puoi ignorare questa e-mail.\n`,
	}),
	pt: (url) => ({
		subject: 'Confirme seu endereço de e-mail no Tidemark',
		text: `Alguém criou uma conta Tidemark com este endereço de e-mail. Para confirmá-lo, abra este link em até sete dias e faça login:\n\n${url}\n\nSe não foi você, ignore este e-mail.\n`,
	}),
	pl: (url) => ({
		subject: 'Potwierdź adres e-mail w Tidemark',
		text: `Ktoś utworzył konto Tidemark z tym adresem e-mail. Aby go potwierdzić, otwórz ten link w ciągu siedmiu dni i zaloguj się:\n\n${url}\n\nJeśli to nie Ty, zignoruj tę wiadomość.\n`,
	}),
	ja: (url) => ({
		subject: 'Tidemark のメールアドレスを確認してください',
		text: `このメールアドレスで Tidemark のアカウントが作成されました。確認するには、7日以内に次のリンクを開いてログインしてください。\n\n${url}\n\n心当たりがない場合は、このメールを無視してください。\n`,
	}),
	zh: (url) => ({
		subject: '确认你在 Tidemark 的电子邮件地址',
		text: `有人使用此电子邮件地址创建了 Tidemark 账户。如需确认，请在七天内打开以下链接并登录：\n\n${url}\n\n如果不是你本人操作，请忽略此邮件。\n`,
	}),
};

export const confirmAddressMessage = (locale: string, url: string): Message =>
	inLanguage(confirmations, locale)(url);

/** `de-AT` gets `de`; unsupported languages get English. */
export function inLanguage<T>(texts: Record<string, T>, locale: string): T {
	const found = texts[locale.toLowerCase().split(/[-_]/)[0] ?? ''] ?? texts.en;
	if (found === undefined) throw new Error('There is no English text.');
	return found;
}
