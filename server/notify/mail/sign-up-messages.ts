import { inLanguage, type Message } from './messages.ts';

const signUps: Record<string, (url: string) => Message> = {
	en: (url) => ({
		subject: 'Create your Tidemark account',
		text: `Someone asked to create a Tidemark account with this email address. To choose a password, open this link within 30 minutes:\n\n${url}\n\nIf this was not you, you can ignore this email. No account will be created.\n`,
	}),
	de: (url) => ({
		subject: 'Tidemark-Konto anlegen',
		text: `Jemand möchte mit dieser E-Mail-Adresse ein Tidemark-Konto anlegen. Öffne diesen Link innerhalb von 30 Minuten, um ein Passwort festzulegen:\n\n${url}\n\nWenn du das nicht warst, kannst du diese E-Mail ignorieren. Es wird kein Konto angelegt.\n`,
	}),
	fr: (url) => ({
		subject: 'Créez votre compte Tidemark',
		text: `Quelqu’un a demandé la création d’un compte Tidemark avec cette adresse e-mail. Pour choisir un mot de passe, ouvrez ce lien dans les 30 minutes :\n\n${url}\n\nSi ce n’était pas vous, vous pouvez ignorer cet e-mail. Aucun compte ne sera créé.\n`,
	}),
	es: (url) => ({
		subject: 'Crea tu cuenta de Tidemark',
		text: `Alguien ha pedido crear una cuenta de Tidemark con esta dirección de correo. Para elegir una contraseña, abre este enlace en un plazo de 30 minutos:\n\n${url}\n\nSi no has sido tú, puedes ignorar este correo. No se creará ninguna cuenta.\n`,
	}),
	it: (url) => ({
		subject: 'Crea il tuo account Tidemark',
		text: `Qualcuno ha chiesto di creare un account Tidemark con questo indirizzo e-mail. Per scegliere una password, apri questo link entro 30 minuti:\n\n${url}\n\nSe non sei stato tu, puoi ignorare questa e-mail. Non verrà creato alcun account.\n`,
	}),
	pt: (url) => ({
		subject: 'Crie sua conta do Tidemark',
		text: `Alguém pediu para criar uma conta do Tidemark com este endereço de e-mail. Para escolher uma senha, abra este link em até 30 minutos:\n\n${url}\n\nSe não foi você, ignore este e-mail. Nenhuma conta será criada.\n`,
	}),
	pl: (url) => ({
		subject: 'Załóż konto Tidemark',
		text: `Ktoś poprosił o założenie konta Tidemark z tym adresem e-mail. Aby ustawić hasło, otwórz ten link w ciągu 30 minut:\n\n${url}\n\nJeśli to nie Ty, zignoruj tę wiadomość. Konto nie zostanie utworzone.\n`,
	}),
	ja: (url) => ({
		subject: 'Tidemark のアカウントを作成してください',
		text: `このメールアドレスで Tidemark のアカウントを作成するリクエストがありました。パスワードを設定するには、30分以内に次のリンクを開いてください。\n\n${url}\n\n心当たりがない場合は、このメールを無視してください。アカウントは作成されません。\n`,
	}),
	zh: (url) => ({
		subject: '创建你的 Tidemark 账户',
		text: `有人请求使用此电子邮件地址创建 Tidemark 账户。如需设置密码，请在 30 分钟内打开以下链接：\n\n${url}\n\n如果不是你本人操作，请忽略此邮件，不会创建账户。\n`,
	}),
};

/** In the language of the form. */
export const signUpMessage = (locale: string, url: string): Message => inLanguage(signUps, locale)(url);

const existing: Record<string, (url: string) => Message> = {
	en: (url) => ({
		subject: 'You already have a Tidemark account',
		text: `Someone asked to create a Tidemark account with this email address, which already has one. Sign in here, and choose “Forgot password” if you need a new one:\n\n${url}\n\nIf this was not you, you can ignore this email.\n`,
	}),
	de: (url) => ({
		subject: 'Du hast bereits ein Tidemark-Konto',
		text: `Jemand möchte mit dieser E-Mail-Adresse ein Tidemark-Konto anlegen, zu der es bereits eines gibt. Melde dich hier an, und wähle „Passwort vergessen“, wenn du ein neues brauchst:\n\n${url}\n\nWenn du das nicht warst, kannst du diese E-Mail ignorieren.\n`,
	}),
	fr: (url) => ({
		subject: 'Vous avez déjà un compte Tidemark',
		text: `Quelqu’un a demandé la création d’un compte Tidemark avec cette adresse e-mail, qui en a déjà un. Connectez-vous ici, et choisissez « Mot de passe oublié » s’il vous en faut un nouveau :\n\n${url}\n\nSi ce n’était pas vous, vous pouvez ignorer cet e-mail.\n`,
	}),
	es: (url) => ({
		subject: 'Ya tienes una cuenta de Tidemark',
		text: `Alguien ha pedido crear una cuenta de Tidemark con esta dirección de correo, que ya tiene una. Inicia sesión aquí y elige «He olvidado mi contraseña» si necesitas una nueva:\n\n${url}\n\nSi no has sido tú, puedes ignorar este correo.\n`,
	}),
	it: (url) => ({
		subject: 'Hai già un account Tidemark',
		text: `Qualcuno ha chiesto di creare un account Tidemark con questo indirizzo e-mail, che ne ha già uno. Accedi qui e scegli «Password dimenticata» se te ne serve una nuova:\n\n${url}\n\nSe non sei stato tu, puoi ignorare questa e-mail.\n`,
	}),
	pt: (url) => ({
		subject: 'Você já tem uma conta do Tidemark',
		text: `Alguém pediu para criar uma conta do Tidemark com este endereço de e-mail, que já tem uma. Entre aqui e escolha “Esqueci a senha” se precisar de uma nova:\n\n${url}\n\nSe não foi você, ignore este e-mail.\n`,
	}),
	pl: (url) => ({
		subject: 'Masz już konto Tidemark',
		text: `Ktoś poprosił o założenie konta Tidemark z tym adresem e-mail, który ma już konto. Zaloguj się tutaj, a jeśli potrzebujesz nowego hasła, wybierz „Nie pamiętam hasła”:\n\n${url}\n\nJeśli to nie Ty, zignoruj tę wiadomość.\n`,
	}),
	ja: (url) => ({
		subject: 'Tidemark のアカウントは作成済みです',
		text: `このメールアドレスで Tidemark のアカウントを作成するリクエストがありましたが、アカウントはすでにあります。次のページからログインしてください。新しいパスワードが必要な場合は「パスワードを忘れた場合」を選んでください。\n\n${url}\n\n心当たりがない場合は、このメールを無視してください。\n`,
	}),
	zh: (url) => ({
		subject: '你已有 Tidemark 账户',
		text: `有人请求使用此电子邮件地址创建 Tidemark 账户，但该地址已有账户。请在此登录；如需新密码，请选择“忘记密码”：\n\n${url}\n\n如果不是你本人操作，请忽略此邮件。\n`,
	}),
};

export const existingAccountMessage = (locale: string, url: string): Message =>
	inLanguage(existing, locale)(url);
