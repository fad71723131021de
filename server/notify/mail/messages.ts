import { nameInMail } from './names.ts';

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

/** In the language of whoever invites: of the other one nothing is known. */
export const invitationMessage = (locale: string, { by, url }: Invited): Message =>
	inLanguage(invitations, locale)({ by: nameInMail(by), url });

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

const confirmations: Record<string, (url: string) => Message> = {
	en: (url) => ({
		subject: 'Confirm your email address for Tidemark',
		text: `Somebody created a Tidemark account with this email address. To confirm it, open this link within seven days and sign in:\n\n${url}\n\nIf that was not you, do nothing.\n`,
	}),
	de: (url) => ({
		subject: 'E-Mail-Adresse für Tidemark bestätigen',
		text: `Jemand hat mit dieser E-Mail-Adresse ein Tidemark-Konto angelegt. Um sie zu bestätigen, öffne diesen Link innerhalb von sieben Tagen und melde dich an:\n\n${url}\n\nWenn du das nicht warst, tu nichts.\n`,
	}),
	fr: (url) => ({
		subject: 'Confirmez votre adresse e-mail pour Tidemark',
		text: `Quelqu’un a créé un compte Tidemark avec cette adresse e-mail. Pour la confirmer, ouvrez ce lien dans les sept jours et connectez-vous :\n\n${url}\n\nSi ce n’était pas vous, ne faites rien.\n`,
	}),
	es: (url) => ({
		subject: 'Confirma tu dirección de correo para Tidemark',
		text: `Alguien ha creado una cuenta de Tidemark con esta dirección de correo. Para confirmarla, abre este enlace en un plazo de siete días e inicia sesión:\n\n${url}\n\nSi no has sido tú, no hagas nada.\n`,
	}),
	it: (url) => ({
		subject: 'Conferma il tuo indirizzo e-mail per Tidemark',
		text: `Qualcuno ha creato un account Tidemark con questo indirizzo e-mail. Per confermarlo, apri questo link entro sette giorni e accedi:\n\n${url}\n\nSe non sei stato tu, non fare nulla.\n`,
	}),
	pt: (url) => ({
		subject: 'Confirme seu endereço de e-mail no Tidemark',
		text: `Alguém criou uma conta Tidemark com este endereço de e-mail. Para confirmá-lo, abra este link em até sete dias e faça login:\n\n${url}\n\nSe não foi você, não faça nada.\n`,
	}),
	pl: (url) => ({
		subject: 'Potwierdź adres e-mail w Tidemark',
		text: `Ktoś utworzył konto Tidemark z tym adresem e-mail. Aby go potwierdzić, otwórz ten link w ciągu siedmiu dni i zaloguj się:\n\n${url}\n\nJeśli to nie Ty, nic nie rób.\n`,
	}),
	ja: (url) => ({
		subject: 'Tidemark のメールアドレスを確認してください',
		text: `このメールアドレスで Tidemark のアカウントが作成されました。確認するには、7日以内に次のリンクを開いてログインしてください。\n\n${url}\n\n心当たりがない場合は、何もしないでください。\n`,
	}),
	zh: (url) => ({
		subject: '确认你在 Tidemark 的电子邮件地址',
		text: `有人使用此电子邮件地址创建了 Tidemark 账户。如需确认，请在七天内打开以下链接并登录：\n\n${url}\n\n如果不是你本人操作，请忽略此邮件。\n`,
	}),
};

export const confirmAddressMessage = (locale: string, url: string): Message =>
	inLanguage(confirmations, locale)(url);

/** By the language alone: `de-AT` is served by `de`, and what we do not speak by English. */
export function inLanguage<T>(texts: Record<string, T>, locale: string): T {
	const found = texts[locale.toLowerCase().split(/[-_]/)[0] ?? ''] ?? texts.en;
	if (found === undefined) throw new Error('There is no English text.');
	return found;
}
