/** Emails to the owners of an account when Tidemark disables a webhook. Like notices, they contain no text chosen by users. */
import { listOwners } from '../../accounts/owners.ts';
import { findPersonalMailAddress } from '../../accounts/people.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Queries } from '../../store/postgres.ts';
import { inLanguage } from './messages.ts';
import { queueMail } from './queue.ts';

/** In the transaction that disables the webhook. */
export async function queueDisabledWebhookMails(
	tx: Queries,
	now: Clock,
	{ webhook, baseUrl }: { webhook: { id: number; accountId: number }; baseUrl: string },
): Promise<void> {
	for (const { personId } of await listOwners(tx, webhook.accountId)) {
		const to = await findPersonalMailAddress(tx, personId);
		if (!to) continue;
		const [subject, text] = inLanguage(texts, to.locale);
		await queueMail(tx, now, {
			key: `webhook ${webhook.id} disabled ${now().toISOString()} to ${personId}`,
			mail: { to: to.address, subject, text: `${text}\n\n${baseUrl}/account/webhooks\n` },
		});
	}
}

const texts: Record<string, readonly [subject: string, text: string]> = {
	en: [
		'A Tidemark webhook was disabled',
		'A webhook of your account was disabled because its calls failed for three days, or because the receiver wants no more calls. Events that were not delivered can be sent again for 30 days after you enable it:',
	],
	de: [
		'Ein Tidemark-Webhook wurde deaktiviert',
		'Ein Webhook deines Kontos wurde deaktiviert, weil seine Aufrufe drei Tage lang fehlschlugen oder der Empfänger keine Aufrufe mehr annimmt. Nicht zugestellte Ereignisse kannst du 30 Tage lang erneut senden, sobald du ihn wieder aktivierst:',
	],
	es: [
		'Se ha desactivado un webhook de Tidemark',
		'Se ha desactivado un webhook de tu cuenta porque sus llamadas fallaron durante tres días o porque el receptor no acepta más llamadas. Los eventos no entregados se pueden reenviar durante 30 días cuando lo actives:',
	],
	fr: [
		'Un webhook Tidemark a été désactivé',
		'Un webhook de votre compte a été désactivé parce que ses appels ont échoué pendant trois jours ou que le destinataire n’accepte plus d’appels. Les événements non remis peuvent être renvoyés pendant 30 jours une fois le webhook réactivé :',
	],
	it: [
		'Un webhook di Tidemark è stato disattivato',
		'Un webhook del tuo account è stato disattivato perché le sue chiamate non sono riuscite per tre giorni o perché il destinatario non accetta altre chiamate. Gli eventi non consegnati possono essere inviati di nuovo per 30 giorni dopo che lo avrai riattivato:',
	],
	ja: [
		'Tidemark の Webhook が無効になりました',
		'呼び出しが 3 日間失敗したか、受信側が呼び出しを受け付けなくなったため、アカウントの Webhook が無効になりました。有効にすると、配信されなかったイベントを 30 日間は再送信できます。',
	],
	pl: [
		'Webhook Tidemark został wyłączony',
		'Webhook Twojego konta został wyłączony, ponieważ jego wywołania nie udawały się przez trzy dni albo odbiorca nie przyjmuje kolejnych wywołań. Po włączeniu go niedostarczone zdarzenia można wysyłać ponownie przez 30 dni:',
	],
	pt: [
		'Um webhook do Tidemark foi desativado',
		'Um webhook da sua conta foi desativado porque as chamadas falharam por três dias ou porque o destinatário não aceita mais chamadas. Os eventos não entregues podem ser reenviados por 30 dias depois que você o ativar:',
	],
	zh: [
		'一个 Tidemark Webhook 已被停用',
		'您账户的一个 Webhook 已被停用，原因是其调用连续三天失败，或接收方不再接受调用。重新启用后，未送达的事件在 30 天内可以再次发送：',
	],
};
