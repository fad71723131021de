/** Texts for recipients without an account: the email that asks for consent, and the pages that it links to. */
import { inLanguage, type Message } from './messages.ts';

type Asking = { by: string; domain: string | null; url: string; stopUrl: string };

export type PageTexts = {
	askTitle: string;
	/** `domain`: null for all websites of the account. */
	ask(by: string, domain: string | null): string;
	agree: string;
	agreedTitle: string;
	agreed: string;
	deadTitle: string;
	dead: string;
	stopTitle: string;
	stop(address: string): string;
	stopButton: string;
	stoppedTitle: string;
	stopped: string;
};

type Texts = PageTexts & {
	subject: string;
	/** Follows `ask` in the email. */
	mail(links: { url: string; stopUrl: string }): string;
};

const texts: Record<string, Texts> = {
	en: {
		subject: 'Confirm your subscription to website reports',
		mail: ({ url, stopUrl }) =>
			`To subscribe, open this page and click the button. The link works once and expires after seven days:\n\n${url}\n\nIf you do nothing, you will receive no more emails. To block further requests from this sender:\n\n${stopUrl}\n`,
		askTitle: 'Do you want to receive these emails?',
		ask: (by, domain) =>
			domain === null
				? `${by} would like to send you reports and alerts about website statistics.`
				: `${by} would like to send you reports and alerts about ${domain}.`,
		agree: 'Subscribe',
		agreedTitle: 'You are subscribed',
		agreed: 'Every email has an unsubscribe link.',
		deadTitle: 'This link is no longer valid',
		dead: 'It was already used, has expired, or was replaced by a newer link. The sender can send you a new one.',
		stopTitle: 'Unsubscribe from these emails?',
		stop: (address) => `Reports and alerts like the one you received will no longer be sent to ${address}.`,
		stopButton: 'Unsubscribe',
		stoppedTitle: 'You are unsubscribed',
		stopped: 'You can close this page.',
	},
	de: {
		subject: 'Abo von Website-Berichten bestätigen',
		mail: ({ url, stopUrl }) =>
			`Öffne zum Abonnieren diese Seite und klicke auf die Schaltfläche. Der Link funktioniert einmal und läuft nach sieben Tagen ab:\n\n${url}\n\nWenn du nichts tust, erhältst du keine weiteren E-Mails. Weitere Anfragen dieses Absenders blockieren:\n\n${stopUrl}\n`,
		askTitle: 'Möchtest du diese E-Mails erhalten?',
		ask: (by, domain) =>
			domain === null
				? `${by} möchte dir Berichte und Warnungen zu Website-Statistiken schicken.`
				: `${by} möchte dir Berichte und Warnungen zu ${domain} schicken.`,
		agree: 'Abonnieren',
		agreedTitle: 'Abo bestätigt',
		agreed: 'Jede E-Mail enthält einen Link zum Abbestellen.',
		deadTitle: 'Dieser Link ist nicht mehr gültig',
		dead: 'Er wurde bereits verwendet, ist abgelaufen oder wurde durch einen neueren ersetzt. Der Absender kann dir einen neuen schicken.',
		stopTitle: 'Diese E-Mails abbestellen?',
		stop: (address) => `Solche Berichte und Warnungen werden nicht mehr an ${address} gesendet.`,
		stopButton: 'Abbestellen',
		stoppedTitle: 'E-Mails abbestellt',
		stopped: 'Du kannst diese Seite schließen.',
	},
	fr: {
		subject: 'Confirmez votre abonnement aux rapports de statistiques',
		mail: ({ url, stopUrl }) =>
			`Pour vous abonner, ouvrez cette page et cliquez sur le bouton. Le lien fonctionne une seule fois et expire après sept jours :\n\n${url}\n\nSi vous ne faites rien, vous ne recevrez pas d’autre e-mail. Pour bloquer les demandes de cet expéditeur :\n\n${stopUrl}\n`,
		askTitle: 'Souhaitez-vous recevoir ces e-mails ?',
		ask: (by, domain) =>
			domain === null
				? `${by} souhaite vous envoyer des rapports et des alertes sur des statistiques de sites web.`
				: `${by} souhaite vous envoyer des rapports et des alertes sur ${domain}.`,
		agree: 'S’abonner',
		agreedTitle: 'Vous êtes abonné',
		agreed: 'Chaque e-mail contient un lien de désabonnement.',
		deadTitle: 'Ce lien n’est plus valide',
		dead: 'Il a déjà été utilisé, a expiré ou a été remplacé par un lien plus récent. L’expéditeur peut vous en envoyer un nouveau.',
		stopTitle: 'Se désabonner de ces e-mails ?',
		stop: (address) =>
			`Les rapports et alertes comme celui que vous avez reçu ne seront plus envoyés à ${address}.`,
		stopButton: 'Se désabonner',
		stoppedTitle: 'Vous êtes désabonné',
		stopped: 'Vous pouvez fermer cette page.',
	},
	es: {
		subject: 'Confirma tu suscripción a los informes web',
		mail: ({ url, stopUrl }) =>
			`Para suscribirte, abre esta página y pulsa el botón. El enlace funciona una sola vez y caduca a los siete días:\n\n${url}\n\nSi no haces nada, no recibirás más correos. Para bloquear más solicitudes de este remitente:\n\n${stopUrl}\n`,
		askTitle: '¿Quieres recibir estos correos?',
		ask: (by, domain) =>
			domain === null
				? `${by} quiere enviarte informes y alertas sobre estadísticas web.`
				: `${by} quiere enviarte informes y alertas sobre ${domain}.`,
		agree: 'Suscribirme',
		agreedTitle: 'Suscripción confirmada',
		agreed: 'Cada correo incluye un enlace para darte de baja.',
		deadTitle: 'Este enlace ya no es válido',
		dead: 'Ya se ha usado, ha caducado o se ha sustituido por uno más reciente. El remitente puede enviarte uno nuevo.',
		stopTitle: '¿Darte de baja de estos correos?',
		stop: (address) => `Los informes y alertas como el que has recibido dejarán de enviarse a ${address}.`,
		stopButton: 'Darme de baja',
		stoppedTitle: 'Te has dado de baja',
		stopped: 'Puedes cerrar esta página.',
	},
	pt: {
		subject: 'Confirme sua inscrição nos relatórios de sites',
		mail: ({ url, stopUrl }) =>
			`Para se inscrever, abra esta página e clique no botão. O link funciona uma única vez e expira após sete dias:\n\n${url}\n\nSe você não fizer nada, não receberá mais e-mails. Para bloquear novos pedidos deste remetente:\n\n${stopUrl}\n`,
		askTitle: 'Você quer receber estes e-mails?',
		ask: (by, domain) =>
			domain === null
				? `${by} quer enviar a você relatórios e alertas sobre estatísticas de sites.`
				: `${by} quer enviar a você relatórios e alertas sobre ${domain}.`,
		agree: 'Inscrever-se',
		agreedTitle: 'Inscrição confirmada',
		agreed: 'Cada e-mail inclui um link para cancelar a inscrição.',
		deadTitle: 'Este link não é mais válido',
		dead: 'Ele já foi usado, expirou ou foi substituído por um mais recente. O remetente pode enviar um novo.',
		stopTitle: 'Cancelar a inscrição nestes e-mails?',
		stop: (address) =>
			`Relatórios e alertas como o que você recebeu não serão mais enviados para ${address}.`,
		stopButton: 'Cancelar inscrição',
		stoppedTitle: 'Inscrição cancelada',
		stopped: 'Você pode fechar esta página.',
	},
	it: {
		subject: 'Conferma l’iscrizione ai rapporti sui siti web',
		mail: ({ url, stopUrl }) =>
			`Per iscriverti, apri questa pagina e fai clic sul pulsante. Il link funziona una volta sola e scade dopo sette giorni:\n\n${url}\n\nSe non fai nulla, non riceverai altre e-mail. Per bloccare altre richieste di questo mittente:\n\n${stopUrl}\n`,
		askTitle: 'Vuoi ricevere queste e-mail?',
		ask: (by, domain) =>
			domain === null
				? `${by} vorrebbe inviarti rapporti e avvisi sulle statistiche di siti web.`
				: `${by} vorrebbe inviarti rapporti e avvisi su ${domain}.`,
		agree: 'Iscriviti',
		agreedTitle: 'Iscrizione confermata',
		agreed: 'Ogni e-mail contiene un link per annullare l’iscrizione.',
		deadTitle: 'Questo link non è più valido',
		dead: 'È già stato usato, è scaduto o è stato sostituito da uno più recente. Il mittente può inviartene uno nuovo.',
		stopTitle: 'Annullare l’iscrizione a queste e-mail?',
		stop: (address) => `Rapporti e avvisi come quello che hai ricevuto non saranno più inviati a ${address}.`,
		stopButton: 'Annulla l’iscrizione',
		stoppedTitle: 'Iscrizione annullata',
		stopped: 'Puoi chiudere questa pagina.',
	},
	pl: {
		subject: 'Potwierdź subskrypcję raportów o witrynach',
		mail: ({ url, stopUrl }) =>
			`Aby zasubskrybować, otwórz tę stronę i kliknij przycisk. Link działa raz i wygasa po siedmiu dniach:\n\n${url}\n\nJeśli nic nie zrobisz, nie dostaniesz więcej wiadomości. Aby zablokować kolejne prośby tego nadawcy:\n\n${stopUrl}\n`,
		askTitle: 'Czy chcesz otrzymywać te wiadomości?',
		ask: (by, domain) =>
			domain === null
				? `${by} chce wysyłać Ci raporty i alerty ze statystyk stron.`
				: `${by} chce wysyłać Ci raporty i alerty dotyczące ${domain}.`,
		agree: 'Subskrybuj',
		agreedTitle: 'Subskrypcja potwierdzona',
		agreed: 'Każda wiadomość zawiera link do rezygnacji.',
		deadTitle: 'Ten link już nie działa',
		dead: 'Został już użyty, wygasł albo zastąpił go nowszy. Nadawca może wysłać nowy link.',
		stopTitle: 'Zrezygnować z tych wiadomości?',
		stop: (address) => `Raporty i alerty takie jak ten nie będą już wysyłane na adres ${address}.`,
		stopButton: 'Zrezygnuj',
		stoppedTitle: 'Subskrypcja anulowana',
		stopped: 'Możesz zamknąć tę stronę.',
	},
	ja: {
		subject: 'ウェブサイトレポートの配信登録の確認',
		mail: ({ url, stopUrl }) =>
			`登録するには、次のページを開いてボタンをクリックしてください。リンクは 1 回だけ使用でき、7 日後に無効になります。\n\n${url}\n\n何もしなければ、これ以上メールは届きません。この送信者からの今後の依頼をブロックする：\n\n${stopUrl}\n`,
		askTitle: 'これらのメールを受け取りますか？',
		ask: (by, domain) =>
			domain === null
				? `${by} さんがウェブサイト統計のレポートとアラートを送りたいと考えています。`
				: `${by} さんが ${domain} のレポートとアラートを送りたいと考えています。`,
		agree: '登録する',
		agreedTitle: '登録が完了しました',
		agreed: '各メールに配信停止用のリンクがあります。',
		deadTitle: 'このリンクは無効です',
		dead: '使用済み、期限切れ、または新しいリンクに置き換えられました。送信者は新しいリンクを送ることができます。',
		stopTitle: 'これらのメールの配信を停止しますか？',
		stop: (address) => `今後、このようなレポートとアラートは ${address} に送信されません。`,
		stopButton: '配信を停止する',
		stoppedTitle: '配信を停止しました',
		stopped: 'このページを閉じてください。',
	},
	zh: {
		subject: '确认订阅网站报告',
		mail: ({ url, stopUrl }) =>
			`如需订阅，请打开此页面并点击按钮。链接仅可使用一次，七天后失效：\n\n${url}\n\n如果不做任何操作，将不会再收到邮件。如需屏蔽此发件人的后续请求：\n\n${stopUrl}\n`,
		askTitle: '是否接收这些邮件？',
		ask: (by, domain) =>
			domain === null
				? `${by} 希望向你发送网站统计的报告和提醒。`
				: `${by} 希望向你发送 ${domain} 的报告和提醒。`,
		agree: '订阅',
		agreedTitle: '订阅成功',
		agreed: '每封邮件中都有退订链接。',
		deadTitle: '此链接已失效',
		dead: '它已被使用、已过期或已被新的链接取代。发件人可以发送新的链接。',
		stopTitle: '退订这些邮件？',
		stop: (address) => `此类报告和提醒将不再发送到 ${address}。`,
		stopButton: '退订',
		stoppedTitle: '已退订',
		stopped: '你可以关闭此页面。',
	},
};

/** In the language of the sender, because the language of the recipient is unknown. */
export function confirmationMessage(locale: string, { by, domain, url, stopUrl }: Asking): Message {
	const { subject, ask, mail } = inLanguage(texts, locale);
	return { subject, text: `${ask(by.replace(/\s+/g, ' '), domain)}\n\n${mail({ url, stopUrl })}` };
}

export const pageTexts = (locale: string): PageTexts => inLanguage(texts, locale);
