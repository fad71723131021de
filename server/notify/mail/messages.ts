import { nameInMail } from './names.ts';

/** A plain text email. Its links begin with the public address of the service, never with the Host header. */
export type Message = { subject: string; text: string };

export const testMessage = (): Message => ({
	subject: 'Tidemark test email',
	text: 'This email was sent by `tidemark mail test`. No action is needed.\n',
});

type Invitation = { by: string; url: string; product: string };
const invitations: Record<string, (invitation: Invitation) => Message> = {
	en: ({ by, url, product }) => ({
		subject: 'Invitation to view website statistics',
		text: `${by} invited you to view website statistics on ${product}. The link works once and expires after seven days:\n\n${url}\n\nIf you did not expect this invitation, you can ignore this email.\n`,
	}),
	de: ({ by, url, product }) => ({
		subject: 'Einladung zu Website-Statistiken',
		text: `${by} hat dich eingeladen, Website-Statistiken auf ${product} anzusehen. Der Link funktioniert einmal und läuft nach sieben Tagen ab:\n\n${url}\n\nWenn du diese Einladung nicht erwartet hast, kannst du diese E-Mail ignorieren.\n`,
	}),
	fr: ({ by, url, product }) => ({
		subject: 'Invitation à consulter des statistiques de site',
		text: `${by} vous invite à consulter des statistiques de site sur ${product}. Le lien fonctionne une seule fois et expire dans sept jours :\n\n${url}\n\nSi vous n’attendiez pas cette invitation, vous pouvez ignorer cet e-mail.\n`,
	}),
	es: ({ by, url, product }) => ({
		subject: 'Invitación para ver estadísticas de un sitio web',
		text: `${by} te ha invitado a ver estadísticas de un sitio web en ${product}. El enlace funciona una sola vez y caduca a los siete días:\n\n${url}\n\nSi no esperabas esta invitación, puedes ignorar este correo.\n`,
	}),
	it: ({ by, url, product }) => ({
		subject: 'Invito a consultare le statistiche di un sito web',
		text: `${by} ti ha invitato a consultare le statistiche di un sito web su ${product}. Il link funziona una sola volta e scade dopo sette giorni:\n\n${url}\n\nSe non ti aspettavi questo invito, puoi ignorare questa e-mail.\n`,
	}),
	pt: ({ by, url, product }) => ({
		subject: 'Convite para ver estatísticas de um site',
		text: `${by} convidou você para ver as estatísticas de um site no ${product}. O link funciona uma única vez e expira em sete dias:\n\n${url}\n\nSe você não esperava este convite, ignore este e-mail.\n`,
	}),
	pl: ({ by, url, product }) => ({
		subject: 'Zaproszenie do statystyk witryny',
		text: `${by} zaprasza Cię do przeglądania statystyk witryny w ${product}. Link działa tylko raz i wygasa po siedmiu dniach:\n\n${url}\n\nJeśli nie spodziewasz się tego zaproszenia, zignoruj tę wiadomość.\n`,
	}),
	ja: ({ by, url, product }) => ({
		subject: 'ウェブサイトの統計への招待',
		text: `${by} さんから、${product} でウェブサイトの統計を見るための招待が届きました。リンクは1回のみ有効で、7日後に無効になります。\n\n${url}\n\n心当たりがない場合は、このメールを無視してください。\n`,
	}),
	zh: ({ by, url, product }) => ({
		subject: '邀请你查看网站统计',
		text: `${by} 邀请你在 ${product} 上查看网站统计。链接只能使用一次，七天后失效：\n\n${url}\n\n如果你没有预期收到此邀请，请忽略此邮件。\n`,
	}),
};

/** In the language of the sender, because the language of the recipient is unknown. */
export const invitationMessage = (
	locale: string,
	{ by, url, brandName }: { by: string; url: string; brandName: string | null | undefined },
): Message =>
	inLanguage(
		invitations,
		locale,
	)({ by: nameInMail(by), url, product: brandName ? nameInMail(brandName) : 'Tidemark' });

const resets: Record<string, (url: string) => Message> = {
	en: (url) => ({
		subject: 'Reset your Tidemark password',
		text: `Someone requested a password reset for your account. To set a new password, open this link within 30 minutes:\n\n${url}\n\nIf this was not you, you can ignore this email. Your password will not change.\n`,
	}),
	de: (url) => ({
		subject: 'Tidemark-Passwort zurücksetzen',
		text: `Jemand möchte das Passwort deines Kontos zurücksetzen. Öffne diesen Link innerhalb von 30 Minuten, um ein neues festzulegen:\n\n${url}\n\nWenn du das nicht warst, kannst du diese E-Mail ignorieren. Dein Passwort bleibt unverändert.\n`,
	}),
	fr: (url) => ({
		subject: 'Réinitialisez votre mot de passe Tidemark',
		text: `Quelqu’un a demandé la réinitialisation du mot de passe de votre compte. Pour en choisir un nouveau, ouvrez ce lien dans les 30 minutes :\n\n${url}\n\nSi ce n’était pas vous, vous pouvez ignorer cet e-mail. Votre mot de passe ne changera pas.\n`,
	}),
	es: (url) => ({
		subject: 'Restablece tu contraseña de Tidemark',
		text: `Alguien ha solicitado restablecer la contraseña de tu cuenta. Para elegir una nueva, abre este enlace en un plazo de 30 minutos:\n\n${url}\n\nSi no has sido tú, puedes ignorar este correo. Tu contraseña no cambiará.\n`,
	}),
	it: (url) => ({
		subject: 'Reimposta la tua password di Tidemark',
		text: `Qualcuno ha chiesto di reimpostare la password del tuo account. Per sceglierne una nuova, apri questo link entro 30 minuti:\n\n${url}\n\nSe non sei stato tu, puoi ignorare questa e-mail. La tua password non cambierà.\n`,
	}),
	pt: (url) => ({
		subject: 'Redefina sua senha do Tidemark',
		text: `Alguém pediu a redefinição da senha da sua conta. Para escolher uma nova, abra este link em até 30 minutos:\n\n${url}\n\nSe não foi você, ignore este e-mail. Sua senha não será alterada.\n`,
	}),
	pl: (url) => ({
		subject: 'Zresetuj hasło do Tidemark',
		text: `Ktoś poprosił o zresetowanie hasła do Twojego konta. Aby ustawić nowe, otwórz ten link w ciągu 30 minut:\n\n${url}\n\nJeśli to nie Ty, zignoruj tę wiadomość. Twoje hasło się nie zmieni.\n`,
	}),
	ja: (url) => ({
		subject: 'Tidemark のパスワードを再設定してください',
		text: `アカウントのパスワード再設定のリクエストがありました。新しいパスワードを設定するには、30分以内に次のリンクを開いてください。\n\n${url}\n\n心当たりがない場合は、このメールを無視してください。パスワードは変更されません。\n`,
	}),
	zh: (url) => ({
		subject: '重置你的 Tidemark 密码',
		text: `有人请求重置你账户的密码。如需设置新密码，请在 30 分钟内打开以下链接：\n\n${url}\n\n如果不是你本人操作，请忽略此邮件，你的密码不会改变。\n`,
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

/** To the address that a person wants to use from now on. */
const newAddresses: Record<string, (url: string) => Message> = {
	en: (url) => ({
		subject: 'Confirm your new email address for Tidemark',
		text: `You asked to use this email address for your Tidemark account. To confirm the change, open this link within 24 hours and sign in with your current address:\n\n${url}\n\nIf this was not you, you can ignore this email.\n`,
	}),
	de: (url) => ({
		subject: 'Neue E-Mail-Adresse für Tidemark bestätigen',
		text: `Du möchtest diese E-Mail-Adresse für dein Tidemark-Konto verwenden. Öffne diesen Link innerhalb von 24 Stunden und melde dich mit deiner bisherigen Adresse an, um die Änderung zu bestätigen:\n\n${url}\n\nWenn du das nicht warst, kannst du diese E-Mail ignorieren.\n`,
	}),
	fr: (url) => ({
		subject: 'Confirmez votre nouvelle adresse e-mail pour Tidemark',
		text: `Vous avez demandé à utiliser cette adresse e-mail pour votre compte Tidemark. Pour confirmer, ouvrez ce lien dans les 24 heures et connectez-vous avec votre adresse actuelle :\n\n${url}\n\nSi ce n’était pas vous, vous pouvez ignorer cet e-mail.\n`,
	}),
	es: (url) => ({
		subject: 'Confirma tu nueva dirección de correo para Tidemark',
		text: `Has pedido usar esta dirección de correo para tu cuenta de Tidemark. Para confirmar el cambio, abre este enlace en un plazo de 24 horas e inicia sesión con tu dirección actual:\n\n${url}\n\nSi no has sido tú, puedes ignorar este correo.\n`,
	}),
	it: (url) => ({
		subject: 'Conferma il tuo nuovo indirizzo e-mail per Tidemark',
		text: `Hai chiesto di usare questo indirizzo e-mail per il tuo account Tidemark. Per confermare la modifica, apri questo link entro 24 ore e accedi con il tuo indirizzo attuale:\n\n${url}\n\nSe non sei stato tu, puoi ignorare questa e-mail.\n`,
	}),
	pt: (url) => ({
		subject: 'Confirme seu novo endereço de e-mail no Tidemark',
		text: `Você pediu para usar este endereço de e-mail na sua conta Tidemark. Para confirmar a alteração, abra este link em até 24 horas e faça login com seu endereço atual:\n\n${url}\n\nSe não foi você, ignore este e-mail.\n`,
	}),
	pl: (url) => ({
		subject: 'Potwierdź nowy adres e-mail w Tidemark',
		text: `Poproszono o użycie tego adresu e-mail na Twoim koncie Tidemark. Aby potwierdzić zmianę, otwórz ten link w ciągu 24 godzin i zaloguj się dotychczasowym adresem:\n\n${url}\n\nJeśli to nie Ty, zignoruj tę wiadomość.\n`,
	}),
	ja: (url) => ({
		subject: 'Tidemark の新しいメールアドレスを確認してください',
		text: `Tidemark のアカウントでこのメールアドレスを使用する申請がありました。変更を確定するには、24時間以内に次のリンクを開き、現在のアドレスでログインしてください。\n\n${url}\n\n心当たりがない場合は、このメールを無視してください。\n`,
	}),
	zh: (url) => ({
		subject: '确认你在 Tidemark 的新电子邮件地址',
		text: `你请求将此电子邮件地址用于你的 Tidemark 账户。如需确认更改，请在 24 小时内打开以下链接，并使用当前地址登录：\n\n${url}\n\n如果不是你本人操作，请忽略此邮件。\n`,
	}),
};

export const newAddressMessage = (locale: string, url: string): Message =>
	inLanguage(newAddresses, locale)(url);

/** `de-AT` gets `de`; unsupported languages get English. */
export function inLanguage<T>(texts: Record<string, T>, locale: string): T {
	const found = texts[locale.toLowerCase().split(/[-_]/)[0] ?? ''] ?? texts.en;
	if (found === undefined) throw new Error('There is no English text.');
	return found;
}
