/** Security notices to the owner of an account. They contain no link with a token, no text chosen by users and no IP address. */
import { randomUUID } from 'node:crypto';
import { findMailAddress } from '../../accounts/accounts.ts';
import type { Attempts } from '../../accounts/attempts.ts';
import { AppError } from '../../lib/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Queries } from '../../store/postgres.ts';
import { inLanguage, type Message } from './messages.ts';
import { queueMail } from './queue.ts';

export type Notice =
	/** From a new browser. */
	| { kind: 'signIn'; browser: string; os: string }
	| { kind: 'newKey'; ending: string }
	| { kind: 'password' }
	| { kind: 'secondFactorOn' }
	| { kind: 'secondFactorOff' };

export type AccountNotices = {
	/** Queues nothing without a mail server or for an unconfirmed address. */
	queue(tx: Queries, accountId: number, notice: Notice): Promise<void>;
};

export function createAccountNotices({
	now,
	attemptsIn,
	hasMail,
	publicAddress,
}: {
	now: Clock;
	/** Counts in the same transaction: waiting for a second connection could deadlock. */
	attemptsIn(tx: Queries): Attempts;
	hasMail: boolean;
	publicAddress: { current(): string };
}): AccountNotices {
	/** A script that creates keys in a loop must not flood a mailbox. */
	async function isOverLimit(tx: Queries, accountId: number): Promise<boolean> {
		try {
			await attemptsIn(tx).take([{ name: `notices to ${accountId}`, free: 20, maxDelaySeconds: 3_600 }]);
			return false;
		} catch (error) {
			if (error instanceof AppError && error.code === 'too_many_requests') return true;
			throw error;
		}
	}
	return {
		async queue(tx, accountId, notice) {
			const to = hasMail ? await findMailAddress(tx, accountId) : undefined;
			if (!to || (await isOverLimit(tx, accountId))) return;
			const mail = { to: to.address, ...noticeMessage(to.locale, notice, publicAddress.current()) };
			await queueMail(tx, now, { key: `notice ${randomUUID()}`, mail });
		},
	};
}

function noticeMessage(locale: string, notice: Notice, publicAddress: string): Message {
	const texts = inLanguage(languages, locale);
	const url = `${publicAddress}/account/security`;
	// TypeScript cannot match the function to the kind of the notice.
	const [subject, text] = texts[notice.kind](notice as never);
	return { subject, text: `${text}\n\n${texts.advice}\n\n${url}\n` };
}

type Texts = {
	[K in Notice['kind']]: (notice: Extract<Notice, { kind: K }>) => readonly [subject: string, text: string];
} & { advice: string };

const languages: Record<string, Texts> = {
	en: {
		signIn: ({ browser, os }) => [
			'New sign-in to your Tidemark account',
			browser === ''
				? 'Someone signed in to your account with a browser that was not used before.'
				: `Someone signed in to your account with ${browser} on ${os}, a browser that was not used before.`,
		],
		newKey: ({ ending }) => [
			'New API key in your Tidemark account',
			`An API key ending in ${ending} was created in your account.`,
		],
		password: () => ['Your Tidemark password was changed', 'The password of your account was changed.'],
		secondFactorOn: () => [
			'Two-factor sign-in was turned on',
			'Two-factor sign-in was turned on for your Tidemark account.',
		],
		secondFactorOff: () => [
			'Two-factor sign-in was turned off',
			'Two-factor sign-in was turned off for your Tidemark account.',
		],
		advice:
			'If this was you, there is nothing to do. If not, change your password, sign out all other browsers and revoke the API keys that you do not recognize:',
	},
	de: {
		signIn: ({ browser, os }) => [
			'Neue Anmeldung in deinem Tidemark-Konto',
			browser === ''
				? 'Jemand hat sich mit einem bisher nicht verwendeten Browser in deinem Konto angemeldet.'
				: `Jemand hat sich mit ${browser} unter ${os}, einem bisher nicht verwendeten Browser, in deinem Konto angemeldet.`,
		],
		newKey: ({ ending }) => [
			'Neuer API-Schlüssel in deinem Tidemark-Konto',
			`In deinem Konto wurde ein API-Schlüssel erstellt, der auf ${ending} endet.`,
		],
		password: () => ['Dein Tidemark-Passwort wurde geändert', 'Das Passwort deines Kontos wurde geändert.'],
		secondFactorOn: () => [
			'Anmeldung in zwei Schritten wurde aktiviert',
			'Für dein Tidemark-Konto wurde die Anmeldung in zwei Schritten aktiviert.',
		],
		secondFactorOff: () => [
			'Anmeldung in zwei Schritten wurde deaktiviert',
			'Für dein Tidemark-Konto wurde die Anmeldung in zwei Schritten deaktiviert.',
		],
		advice:
			'Wenn du das warst, musst du nichts tun. Andernfalls ändere dein Passwort, melde alle anderen Browser ab und widerrufe die API-Schlüssel, die du nicht kennst:',
	},
	es: {
		signIn: ({ browser, os }) => [
			'Nuevo inicio de sesión en tu cuenta de Tidemark',
			browser === ''
				? 'Alguien ha iniciado sesión en tu cuenta con un navegador que no se había usado antes.'
				: `Alguien ha iniciado sesión en tu cuenta con ${browser} en ${os}, un navegador que no se había usado antes.`,
		],
		newKey: ({ ending }) => [
			'Nueva clave de API en tu cuenta de Tidemark',
			`Se ha creado en tu cuenta una clave de API que termina en ${ending}.`,
		],
		password: () => [
			'Se ha cambiado tu contraseña de Tidemark',
			'Se ha cambiado la contraseña de tu cuenta.',
		],
		secondFactorOn: () => [
			'Se ha activado la verificación en dos pasos',
			'Se ha activado la verificación en dos pasos en tu cuenta de Tidemark.',
		],
		secondFactorOff: () => [
			'Se ha desactivado la verificación en dos pasos',
			'Se ha desactivado la verificación en dos pasos en tu cuenta de Tidemark.',
		],
		advice:
			'Si has sido tú, no tienes que hacer nada. Si no, cambia tu contraseña, cierra la sesión en los demás navegadores y revoca las claves de API que no reconozcas:',
	},
	fr: {
		signIn: ({ browser, os }) => [
			'Nouvelle connexion à votre compte Tidemark',
			browser === ''
				? 'Quelqu’un s’est connecté à votre compte avec un navigateur qui n’avait pas encore été utilisé.'
				: `Quelqu’un s’est connecté à votre compte avec ${browser} sur ${os}, un navigateur qui n’avait pas encore été utilisé.`,
		],
		newKey: ({ ending }) => [
			'Nouvelle clé d’API dans votre compte Tidemark',
			`Une clé d’API se terminant par ${ending} a été créée dans votre compte.`,
		],
		password: () => [
			'Votre mot de passe Tidemark a été modifié',
			'Le mot de passe de votre compte a été modifié.',
		],
		secondFactorOn: () => [
			'La double authentification a été activée',
			'La double authentification a été activée pour votre compte Tidemark.',
		],
		secondFactorOff: () => [
			'La double authentification a été désactivée',
			'La double authentification a été désactivée pour votre compte Tidemark.',
		],
		advice:
			'Si c’était vous, vous n’avez rien à faire. Sinon, changez votre mot de passe, déconnectez tous les autres navigateurs et révoquez les clés d’API que vous ne reconnaissez pas :',
	},
	it: {
		signIn: ({ browser, os }) => [
			'Nuovo accesso al tuo account Tidemark',
			browser === ''
				? 'Qualcuno ha effettuato l’accesso al tuo account con un browser mai usato prima.'
				: `Qualcuno ha effettuato l’accesso al tuo account con ${browser} su ${os}, un browser mai usato prima.`,
		],
		newKey: ({ ending }) => [
			'Nuova chiave API nel tuo account Tidemark',
			`Nel tuo account è stata creata una chiave API che termina con ${ending}.`,
		],
		password: () => [
			'La tua password di Tidemark è stata cambiata',
			'La password del tuo account è stata cambiata.',
		],
		secondFactorOn: () => [
			'La verifica in due passaggi è stata attivata',
			'La verifica in due passaggi è stata attivata per il tuo account Tidemark.',
		],
		secondFactorOff: () => [
			'La verifica in due passaggi è stata disattivata',
			'La verifica in due passaggi è stata disattivata per il tuo account Tidemark.',
		],
		advice:
			'Se sei stato tu, non devi fare nulla. Altrimenti cambia la password, disconnetti tutti gli altri browser e revoca le chiavi API che non riconosci:',
	},
	ja: {
		signIn: ({ browser, os }) => [
			'Tidemark アカウントへの新しいログイン',
			browser === ''
				? 'これまで使われていないブラウザからアカウントへのログインがありました。'
				: `これまで使われていないブラウザ（${os} の ${browser}）からアカウントへのログインがありました。`,
		],
		newKey: ({ ending }) => [
			'Tidemark アカウントの新しい API キー',
			`末尾が ${ending} の API キーがアカウントに作成されました。`,
		],
		password: () => ['Tidemark のパスワードが変更されました', 'アカウントのパスワードが変更されました。'],
		secondFactorOn: () => [
			'2 段階認証が有効になりました',
			'Tidemark アカウントの 2 段階認証が有効になりました。',
		],
		secondFactorOff: () => [
			'2 段階認証が無効になりました',
			'Tidemark アカウントの 2 段階認証が無効になりました。',
		],
		advice:
			'ご自身の操作であれば、対応は不要です。心当たりがない場合は、パスワードを変更し、他のすべてのブラウザをログアウトし、見覚えのない API キーを無効にしてください。',
	},
	pl: {
		signIn: ({ browser, os }) => [
			'Nowe logowanie do konta Tidemark',
			browser === ''
				? 'Ktoś zalogował się na Twoje konto w przeglądarce, która nie była wcześniej używana.'
				: `Ktoś zalogował się na Twoje konto w przeglądarce ${browser} (${os}), która nie była wcześniej używana.`,
		],
		newKey: ({ ending }) => [
			'Nowy klucz API na koncie Tidemark',
			`Na Twoim koncie utworzono klucz API kończący się na ${ending}.`,
		],
		password: () => ['Hasło do Tidemark zostało zmienione', 'Hasło do Twojego konta zostało zmienione.'],
		secondFactorOn: () => [
			'Włączono logowanie dwuetapowe',
			'Na Twoim koncie Tidemark włączono logowanie dwuetapowe.',
		],
		secondFactorOff: () => [
			'Wyłączono logowanie dwuetapowe',
			'Na Twoim koncie Tidemark wyłączono logowanie dwuetapowe.',
		],
		advice:
			'Jeśli to Ty, nie musisz nic robić. Jeśli nie, zmień hasło, wyloguj wszystkie inne przeglądarki i unieważnij klucze API, których nie rozpoznajesz:',
	},
	pt: {
		signIn: ({ browser, os }) => [
			'Novo acesso à sua conta do Tidemark',
			browser === ''
				? 'Alguém entrou na sua conta com um navegador que não tinha sido usado antes.'
				: `Alguém entrou na sua conta com ${browser} no ${os}, um navegador que não tinha sido usado antes.`,
		],
		newKey: ({ ending }) => [
			'Nova chave de API na sua conta do Tidemark',
			`Uma chave de API terminada em ${ending} foi criada na sua conta.`,
		],
		password: () => ['Sua senha do Tidemark foi alterada', 'A senha da sua conta foi alterada.'],
		secondFactorOn: () => [
			'A verificação em duas etapas foi ativada',
			'A verificação em duas etapas foi ativada na sua conta do Tidemark.',
		],
		secondFactorOff: () => [
			'A verificação em duas etapas foi desativada',
			'A verificação em duas etapas foi desativada na sua conta do Tidemark.',
		],
		advice:
			'Se foi você, não é preciso fazer nada. Caso contrário, altere sua senha, encerre a sessão nos outros navegadores e revogue as chaves de API que não reconhecer:',
	},
	zh: {
		signIn: ({ browser, os }) => [
			'你的 Tidemark 账户有新的登录',
			browser === ''
				? '有人使用以前未用过的浏览器登录了你的账户。'
				: `有人使用以前未用过的浏览器（${os} 上的 ${browser}）登录了你的账户。`,
		],
		newKey: ({ ending }) => [
			'你的 Tidemark 账户有新的 API 密钥',
			`你的账户中创建了一个以 ${ending} 结尾的 API 密钥。`,
		],
		password: () => ['你的 Tidemark 密码已更改', '你的账户密码已更改。'],
		secondFactorOn: () => ['两步验证已开启', '你的 Tidemark 账户已开启两步验证。'],
		secondFactorOff: () => ['两步验证已关闭', '你的 Tidemark 账户已关闭两步验证。'],
		advice: '如果是你本人操作，无需处理。否则请更改密码，退出所有其他浏览器，并撤销你不认识的 API 密钥：',
	},
};
