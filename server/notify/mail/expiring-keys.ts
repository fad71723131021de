/** Emails to the owners of an account before an API key expires. Like notices, they contain no text chosen by users. */

import { type ApiKey, dueWarning, expiryWarningDays, getKey } from '../../accounts/keys.ts';
import { listOwners } from '../../accounts/owners.ts';
import { findPersonalMailAddress } from '../../accounts/people.ts';
import type { Clock } from '../../lib/clock.ts';
import { dayMs } from '../../lib/durations.ts';
import type { Postgres, Queries } from '../../store/postgres.ts';
import { sql, value } from '../../store/sql.ts';
import { inLanguage, type Message } from './messages.ts';
import { tryToQueue } from './queue.ts';

type Services = { postgres: Postgres; now: Clock; baseUrl(): string };

/** Each warning is queued once, in the transaction that records it. */
export async function warnOfExpiringKeys({ postgres, now, baseUrl }: Services): Promise<void> {
	const from = now();
	const until = new Date(from.getTime() + Math.max(...expiryWarningDays) * dayMs);
	const keys = await postgres.rows<{ id: number }>(sql`
		SELECT k.id FROM api_keys k JOIN accounts a ON a.id = k.account_id AND a.disabled_at IS NULL
		WHERE k.expires_at > ${value(from)} AND k.expires_at <= ${value(until)} ORDER BY k.id`);
	for (const { id } of keys) await postgres.transaction((tx) => warn(tx, id));

	async function warn(tx: Queries, id: number) {
		// It may have been extended, rotated or revoked since.
		const [row] = await tx.rows<{ warnedDays: number | null }>(sql`
			SELECT expiry_warned_days AS "warnedDays" FROM api_keys WHERE id = ${value(id)} FOR NO KEY UPDATE`);
		if (!row) return;
		const key = await getKey(tx, id);
		const due = dueWarning(now(), key.expiresAt);
		if (key.expiresAt === null || key.expiresAt <= now()) return;
		if (due === null || (row.warnedDays !== null && row.warnedDays <= due)) return;
		for (const { personId } of await listOwners(tx, key.accountId)) {
			const to = await findPersonalMailAddress(tx, personId);
			if (!to) continue;
			const mail = {
				to: to.address,
				...expiryMessage(to.locale, { ...key, expiresAt: key.expiresAt }, baseUrl()),
			};
			const name = `key ${id} expires ${key.expiresAt.toISOString()} ${due} to ${personId}`;
			// Too many emails are waiting: the next run tries again. Those that are queued have a key that is not used twice.
			if ((await tryToQueue(tx, now, { key: name, mail })) === 'full') return;
		}
		await tx.run(sql`UPDATE api_keys SET expiry_warned_days = ${value(due)} WHERE id = ${value(id)}`);
	}
}

function expiryMessage(
	locale: string,
	{ ending, expiresAt }: Pick<ApiKey, 'ending'> & { expiresAt: Date },
	publicAddress: string,
): Message {
	const date = new Intl.DateTimeFormat(locale, {
		dateStyle: 'long',
		timeStyle: 'short',
		timeZone: 'UTC',
	}).format(expiresAt);
	const [subject, text] = inLanguage(texts, locale)({ ending, date: `${date} (UTC)` });
	return { subject, text: `${text}\n\n${publicAddress}/account/keys\n` };
}

const texts: Record<
	string,
	(key: { ending: string; date: string }) => readonly [subject: string, text: string]
> = {
	en: ({ ending, date }) => [
		'A Tidemark API key expires soon',
		`The API key ending in ${ending} stops working on ${date}. To keep using it, change its expiry:`,
	],
	de: ({ ending, date }) => [
		'Ein Tidemark-API-Schlüssel läuft bald ab',
		`Der API-Schlüssel, der auf ${ending} endet, funktioniert nur noch bis ${date}. Wenn du ihn weiter verwenden möchtest, ändere sein Ablaufdatum:`,
	],
	es: ({ ending, date }) => [
		'Una clave de API de Tidemark caduca pronto',
		`La clave de API que termina en ${ending} dejará de funcionar el ${date}. Para seguir usándola, cambia su fecha de caducidad:`,
	],
	fr: ({ ending, date }) => [
		'Une clé d’API Tidemark expire bientôt',
		`La clé d’API se terminant par ${ending} cessera de fonctionner le ${date}. Pour continuer à l’utiliser, modifiez sa date d’expiration :`,
	],
	it: ({ ending, date }) => [
		'Una chiave API di Tidemark sta per scadere',
		`La chiave API che termina con ${ending} smetterà di funzionare il ${date}. Per continuare a usarla, modifica la sua scadenza:`,
	],
	ja: ({ ending, date }) => [
		'Tidemark の API キーの有効期限が近づいています',
		`末尾が ${ending} の API キーは ${date} に使用できなくなります。引き続き使用するには、有効期限を変更してください。`,
	],
	pl: ({ ending, date }) => [
		'Klucz API Tidemark wkrótce wygaśnie',
		`Klucz API kończący się na ${ending} przestanie działać ${date}. Aby dalej z niego korzystać, zmień datę wygaśnięcia:`,
	],
	pt: ({ ending, date }) => [
		'Uma chave de API do Tidemark expira em breve',
		`A chave de API terminada em ${ending} deixará de funcionar em ${date}. Para continuar a usá-la, altere a data de expiração:`,
	],
	zh: ({ ending, date }) => [
		'一个 Tidemark API 密钥即将过期',
		`以 ${ending} 结尾的 API 密钥将于 ${date} 失效。如需继续使用，请更改其过期时间：`,
	],
};
