/** Security notices to people. They contain no link with a token, no text chosen by users and no IP address. */
import { randomUUID } from 'node:crypto';
import type { Attempts } from '../../accounts/attempts.ts';
import { listOwners } from '../../accounts/owners.ts';
import { findPersonalMailAddress } from '../../accounts/people.ts';
import { AppError } from '../../lib/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Queries } from '../../store/postgres.ts';
import { inLanguage, type Message } from './messages.ts';
import { queueMail } from './queue.ts';

export type Notice =
	/** From a new browser. */
	| { kind: 'signIn'; browser: string; os: string }
	| { kind: 'newKey'; ending: string }
	/** More permissions, a later expiry or more networks. */
	| { kind: 'widerKey'; ending: string }
	| { kind: 'password' }
	| { kind: 'secondFactorOn' }
	| { kind: 'secondFactorOff' }
	| { kind: 'recoveryCodes' }
	| { kind: 'passkeyAdded' }
	| { kind: 'passkeyRemoved' }
	/** It was refused, because its counter went back. */
	| { kind: 'passkeyCopied' }
	/** Sent to the old address. */
	| { kind: 'address' }
	/** The label that the operator gave it. */
	| { kind: 'provider'; label: string }
	| { kind: 'providerRemoved'; label: string };

export type AccountNotices = {
	/** Queues nothing without a mail server or for an unconfirmed address. */
	queue(tx: Queries, personId: number, notice: Notice): Promise<void>;
	/** To all owners of an account. */
	queueToOwners(tx: Queries, accountId: number, notice: Notice): Promise<void>;
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
	async function isOverLimit(tx: Queries, personId: number): Promise<boolean> {
		try {
			await attemptsIn(tx).take([{ name: `notices to ${personId}`, free: 20, maxDelaySeconds: 3_600 }]);
			return false;
		} catch (error) {
			if (error instanceof AppError && error.code === 'too_many_requests') return true;
			throw error;
		}
	}
	async function queue(tx: Queries, personId: number, notice: Notice): Promise<void> {
		const to = hasMail ? await findPersonalMailAddress(tx, personId) : undefined;
		if (!to || (await isOverLimit(tx, personId))) return;
		const mail = { to: to.address, ...noticeMessage(to.locale, notice, publicAddress.current()) };
		await queueMail(tx, now, { key: `notice ${randomUUID()}`, mail });
	}
	return {
		queue,
		async queueToOwners(tx, accountId, notice) {
			for (const { personId } of await listOwners(tx, accountId)) await queue(tx, personId, notice);
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
		widerKey: ({ ending }) => [
			'More permissions for an API key in your Tidemark account',
			`An API key ending in ${ending} in your account was given more permissions, a later expiry or more networks.`,
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
		address: () => [
			'The email address of your Tidemark account was changed',
			'The email address that you sign in with was changed. If this was not you, contact the operator of this service.',
		],
		passkeyAdded: () => ['New passkey in your Tidemark account', 'A passkey was added to your account.'],
		passkeyRemoved: () => [
			'Passkey removed from your Tidemark account',
			'A passkey was removed from your account.',
		],
		passkeyCopied: () => [
			'Passkey of your Tidemark account was refused',
			'A sign-in with one of your passkeys was refused because the passkey may have been copied. Remove it and add a new one.',
		],
		recoveryCodes: () => [
			'New recovery codes for your Tidemark account',
			'New recovery codes were generated for your account. The previous ones no longer work.',
		],
		provider: ({ label }) => [
			'An identity provider was linked to your Tidemark account',
			`${label} was linked to your account. It can be used to sign in from now on.`,
		],
		providerRemoved: ({ label }) => [
			'An identity provider was unlinked from your Tidemark account',
			`${label} can no longer be used to sign in to your account.`,
		],
		advice:
			'If this was you, there is nothing to do. If not, change your password, sign out all other browsers, and remove the passkeys and API keys that you do not recognize:',
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
		widerKey: ({ ending }) => [
			'Mehr Rechte für einen API-Schlüssel in deinem Tidemark-Konto',
			`Ein API-Schlüssel in deinem Konto, der auf ${ending} endet, hat mehr Rechte, ein späteres Ablaufdatum oder mehr Netzwerke erhalten.`,
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
		address: () => [
			'Die E-Mail-Adresse deines Tidemark-Kontos wurde geändert',
			'Die E-Mail-Adresse, mit der du dich anmeldest, wurde geändert. Wenn du das nicht warst, wende dich an den Betreiber dieses Dienstes.',
		],
		passkeyAdded: () => [
			'Neuer Passkey in deinem Tidemark-Konto',
			'Deinem Konto wurde ein Passkey hinzugefügt.',
		],
		passkeyRemoved: () => [
			'Passkey aus deinem Tidemark-Konto entfernt',
			'Aus deinem Konto wurde ein Passkey entfernt.',
		],
		passkeyCopied: () => [
			'Passkey deines Tidemark-Kontos abgelehnt',
			'Eine Anmeldung mit einem deiner Passkeys wurde abgelehnt, weil er möglicherweise kopiert wurde. Entferne ihn und füge einen neuen hinzu.',
		],
		recoveryCodes: () => [
			'Neue Wiederherstellungscodes für dein Tidemark-Konto',
			'Für dein Konto wurden neue Wiederherstellungscodes erstellt. Die bisherigen funktionieren nicht mehr.',
		],
		provider: ({ label }) => [
			'Ein Identitätsanbieter wurde mit deinem Tidemark-Konto verknüpft',
			`${label} wurde mit deinem Konto verknüpft und kann ab jetzt zur Anmeldung verwendet werden.`,
		],
		providerRemoved: ({ label }) => [
			'Ein Identitätsanbieter wurde von deinem Tidemark-Konto getrennt',
			`${label} kann nicht mehr zur Anmeldung in deinem Konto verwendet werden.`,
		],
		advice:
			'Wenn du das warst, musst du nichts tun. Andernfalls ändere dein Passwort, melde alle anderen Browser ab und entferne die Passkeys und API-Schlüssel, die du nicht kennst:',
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
		widerKey: ({ ending }) => [
			'Más permisos para una clave de API de tu cuenta de Tidemark',
			`Una clave de API de tu cuenta que termina en ${ending} ha recibido más permisos, una caducidad posterior o más redes.`,
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
		address: () => [
			'Se ha cambiado la dirección de correo de tu cuenta de Tidemark',
			'La dirección de correo con la que inicias sesión ha cambiado. Si no has sido tú, contacta con el operador de este servicio.',
		],
		passkeyAdded: () => [
			'Nueva llave de acceso en tu cuenta de Tidemark',
			'Se ha añadido una llave de acceso a tu cuenta.',
		],
		passkeyRemoved: () => [
			'Se ha eliminado una llave de acceso de tu cuenta de Tidemark',
			'Se ha eliminado una llave de acceso de tu cuenta.',
		],
		passkeyCopied: () => [
			'Se ha rechazado una llave de acceso de tu cuenta de Tidemark',
			'Se ha rechazado un inicio de sesión con una de tus llaves de acceso porque es posible que se haya copiado. Elimínala y añade una nueva.',
		],
		recoveryCodes: () => [
			'Nuevos códigos de recuperación para tu cuenta de Tidemark',
			'Se han generado nuevos códigos de recuperación para tu cuenta. Los anteriores ya no funcionan.',
		],
		provider: ({ label }) => [
			'Se ha vinculado un proveedor de identidad a tu cuenta de Tidemark',
			`Se ha vinculado ${label} a tu cuenta. Desde ahora sirve para iniciar sesión.`,
		],
		providerRemoved: ({ label }) => [
			'Se ha desvinculado un proveedor de identidad de tu cuenta de Tidemark',
			`${label} ya no sirve para iniciar sesión en tu cuenta.`,
		],
		advice:
			'Si has sido tú, no tienes que hacer nada. Si no, cambia tu contraseña, cierra la sesión en los demás navegadores y elimina las llaves de acceso y las claves de API que no reconozcas:',
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
		widerKey: ({ ending }) => [
			'Plus d’autorisations pour une clé d’API de votre compte Tidemark',
			`Une clé d’API de votre compte se terminant par ${ending} a reçu plus d’autorisations, une expiration plus tardive ou plus de réseaux.`,
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
		address: () => [
			'L’adresse e-mail de votre compte Tidemark a été modifiée',
			'L’adresse e-mail avec laquelle vous vous connectez a été modifiée. Si ce n’était pas vous, contactez l’opérateur de ce service.',
		],
		passkeyAdded: () => [
			'Nouvelle clé d’accès dans votre compte Tidemark',
			'Une clé d’accès a été ajoutée à votre compte.',
		],
		passkeyRemoved: () => [
			'Clé d’accès supprimée de votre compte Tidemark',
			'Une clé d’accès a été supprimée de votre compte.',
		],
		passkeyCopied: () => [
			'Clé d’accès de votre compte Tidemark refusée',
			'Une connexion avec l’une de vos clés d’accès a été refusée, car elle a peut-être été copiée. Supprimez-la et ajoutez-en une nouvelle.',
		],
		recoveryCodes: () => [
			'Nouveaux codes de récupération pour votre compte Tidemark',
			'De nouveaux codes de récupération ont été générés pour votre compte. Les précédents ne fonctionnent plus.',
		],
		provider: ({ label }) => [
			'Un fournisseur d’identité a été lié à votre compte Tidemark',
			`${label} a été lié à votre compte et permet désormais de se connecter.`,
		],
		providerRemoved: ({ label }) => [
			'Un fournisseur d’identité a été dissocié de votre compte Tidemark',
			`${label} ne permet plus de se connecter à votre compte.`,
		],
		advice:
			'Si c’était vous, vous n’avez rien à faire. Sinon, changez votre mot de passe, déconnectez tous les autres navigateurs et supprimez les clés d’accès et les clés d’API que vous ne reconnaissez pas :',
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
		widerKey: ({ ending }) => [
			'Più autorizzazioni per una chiave API del tuo account Tidemark',
			`Una chiave API del tuo account che termina con ${ending} ha ricevuto più autorizzazioni, una scadenza successiva o più reti.`,
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
		address: () => [
			'L’indirizzo e-mail del tuo account Tidemark è stato cambiato',
			'L’indirizzo e-mail con cui accedi è stato cambiato. Se non sei stato tu, contatta il gestore di questo servizio.',
		],
		passkeyAdded: () => [
			'Nuova passkey nel tuo account Tidemark',
			'Al tuo account è stata aggiunta una passkey.',
		],
		passkeyRemoved: () => [
			'Passkey rimossa dal tuo account Tidemark',
			'Dal tuo account è stata rimossa una passkey.',
		],
		passkeyCopied: () => [
			'Una passkey del tuo account Tidemark è stata rifiutata',
			'Un accesso con una delle tue passkey è stato rifiutato perché potrebbe essere stata copiata. Rimuovila e aggiungine una nuova.',
		],
		recoveryCodes: () => [
			'Nuovi codici di recupero per il tuo account Tidemark',
			'Per il tuo account sono stati generati nuovi codici di recupero. Quelli precedenti non funzionano più.',
		],
		provider: ({ label }) => [
			'Un provider di identità è stato collegato al tuo account Tidemark',
			`${label} è stato collegato al tuo account e da ora può essere usato per accedere.`,
		],
		providerRemoved: ({ label }) => [
			'Un provider di identità è stato scollegato dal tuo account Tidemark',
			`${label} non può più essere usato per accedere al tuo account.`,
		],
		advice:
			'Se sei stato tu, non devi fare nulla. Altrimenti cambia la password, disconnetti tutti gli altri browser e rimuovi le passkey e le chiavi API che non riconosci:',
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
		widerKey: ({ ending }) => [
			'Tidemark アカウントの API キーの権限が拡大されました',
			`末尾が ${ending} の API キーの権限、有効期限、または許可されたネットワークが拡大されました。`,
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
		address: () => [
			'Tidemark アカウントのメールアドレスが変更されました',
			'ログインに使用するメールアドレスが変更されました。心当たりがない場合は、このサービスの運営者に連絡してください。',
		],
		passkeyAdded: () => ['Tidemark アカウントの新しいパスキー', 'アカウントにパスキーが追加されました。'],
		passkeyRemoved: () => [
			'Tidemark アカウントのパスキーが削除されました',
			'アカウントからパスキーが削除されました。',
		],
		passkeyCopied: () => [
			'Tidemark アカウントのパスキーが拒否されました',
			'パスキーが複製された可能性があるため、そのパスキーによるログインを拒否しました。パスキーを削除し、新しいものを追加してください。',
		],
		recoveryCodes: () => [
			'Tidemark アカウントの新しいリカバリーコード',
			'アカウントの新しいリカバリーコードが生成されました。以前のコードは使えなくなりました。',
		],
		provider: ({ label }) => [
			'Tidemark アカウントに ID プロバイダーが連携されました',
			`${label} がアカウントに連携されました。今後のログインに使用できます。`,
		],
		providerRemoved: ({ label }) => [
			'Tidemark アカウントから ID プロバイダーの連携が解除されました',
			`${label} でアカウントにログインすることはできなくなりました。`,
		],
		advice:
			'ご自身の操作であれば、対応は不要です。心当たりがない場合は、パスワードを変更し、他のすべてのブラウザをログアウトし、見覚えのないパスキーと API キーを削除してください。',
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
		widerKey: ({ ending }) => [
			'Większe uprawnienia klucza API na koncie Tidemark',
			`Klucz API na Twoim koncie kończący się na ${ending} otrzymał większe uprawnienia, późniejszą datę wygaśnięcia lub więcej sieci.`,
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
		address: () => [
			'Adres e-mail Twojego konta Tidemark został zmieniony',
			'Adres e-mail, którym się logujesz, został zmieniony. Jeśli to nie Ty, skontaktuj się z operatorem tej usługi.',
		],
		passkeyAdded: () => ['Nowy klucz dostępu na koncie Tidemark', 'Do Twojego konta dodano klucz dostępu.'],
		passkeyRemoved: () => [
			'Usunięto klucz dostępu z konta Tidemark',
			'Z Twojego konta usunięto klucz dostępu.',
		],
		passkeyCopied: () => [
			'Odrzucono klucz dostępu do konta Tidemark',
			'Logowanie jednym z Twoich kluczy dostępu zostało odrzucone, ponieważ klucz mógł zostać skopiowany. Usuń go i dodaj nowy.',
		],
		recoveryCodes: () => [
			'Nowe kody odzyskiwania do konta Tidemark',
			'Dla Twojego konta wygenerowano nowe kody odzyskiwania. Poprzednie już nie działają.',
		],
		provider: ({ label }) => [
			'Połączono dostawcę tożsamości z kontem Tidemark',
			`${label} połączono z Twoim kontem. Od teraz można się przez niego logować.`,
		],
		providerRemoved: ({ label }) => [
			'Odłączono dostawcę tożsamości od konta Tidemark',
			`Przez ${label} nie można się już logować na Twoje konto.`,
		],
		advice:
			'Jeśli to Ty, nie musisz nic robić. Jeśli nie, zmień hasło, wyloguj wszystkie inne przeglądarki i usuń klucze dostępu i klucze API, których nie rozpoznajesz:',
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
		widerKey: ({ ending }) => [
			'Mais permissões para uma chave de API da sua conta do Tidemark',
			`Uma chave de API da sua conta terminada em ${ending} recebeu mais permissões, uma expiração posterior ou mais redes.`,
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
		address: () => [
			'O endereço de e-mail da sua conta Tidemark foi alterado',
			'O endereço de e-mail que você usa para entrar foi alterado. Se não foi você, fale com o operador deste serviço.',
		],
		passkeyAdded: () => [
			'Nova chave de acesso na sua conta do Tidemark',
			'Uma chave de acesso foi adicionada à sua conta.',
		],
		passkeyRemoved: () => [
			'Chave de acesso removida da sua conta do Tidemark',
			'Uma chave de acesso foi removida da sua conta.',
		],
		passkeyCopied: () => [
			'Uma chave de acesso da sua conta do Tidemark foi recusada',
			'Um acesso com uma das suas chaves de acesso foi recusado porque ela pode ter sido copiada. Remova-a e adicione uma nova.',
		],
		recoveryCodes: () => [
			'Novos códigos de recuperação para a sua conta do Tidemark',
			'Novos códigos de recuperação foram gerados para a sua conta. Os anteriores não funcionam mais.',
		],
		provider: ({ label }) => [
			'Um provedor de identidade foi vinculado à sua conta do Tidemark',
			`${label} foi vinculado à sua conta e pode ser usado para entrar a partir de agora.`,
		],
		providerRemoved: ({ label }) => [
			'Um provedor de identidade foi desvinculado da sua conta do Tidemark',
			`${label} não pode mais ser usado para entrar na sua conta.`,
		],
		advice:
			'Se foi você, não é preciso fazer nada. Caso contrário, altere sua senha, encerre a sessão nos outros navegadores e remova as chaves de acesso e as chaves de API que não reconhecer:',
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
		widerKey: ({ ending }) => [
			'你的 Tidemark 账户中有 API 密钥的权限已扩大',
			`你的账户中以 ${ending} 结尾的 API 密钥获得了更多权限、更晚的过期时间或更多允许的网络。`,
		],
		password: () => ['你的 Tidemark 密码已更改', '你的账户密码已更改。'],
		secondFactorOn: () => ['两步验证已开启', '你的 Tidemark 账户已开启两步验证。'],
		secondFactorOff: () => ['两步验证已关闭', '你的 Tidemark 账户已关闭两步验证。'],
		address: () => [
			'你的 Tidemark 账户的电子邮件地址已更改',
			'你用于登录的电子邮件地址已更改。如果不是你本人操作，请联系此服务的运营者。',
		],
		passkeyAdded: () => ['你的 Tidemark 账户有新的通行密钥', '你的账户中添加了一个通行密钥。'],
		passkeyRemoved: () => ['你的 Tidemark 账户移除了一个通行密钥', '你的账户中移除了一个通行密钥。'],
		passkeyCopied: () => [
			'你的 Tidemark 账户的一个通行密钥被拒绝',
			'使用你的一个通行密钥的登录已被拒绝，因为该密钥可能已被复制。请移除它并添加新的通行密钥。',
		],
		recoveryCodes: () => [
			'你的 Tidemark 账户有新的恢复代码',
			'你的账户已生成新的恢复代码。之前的恢复代码不再有效。',
		],
		provider: ({ label }) => [
			'你的 Tidemark 账户已关联身份提供商',
			`${label} 已关联到你的账户，今后可用于登录。`,
		],
		providerRemoved: ({ label }) => [
			'你的 Tidemark 账户已取消关联身份提供商',
			`${label} 不再可用于登录你的账户。`,
		],
		advice:
			'如果是你本人操作，无需处理。否则请更改密码，退出所有其他浏览器，并移除你不认识的通行密钥和 API 密钥：',
	},
};
