/** What is said to people who get mail without having an account: the mail that asks them, and the small pages behind its links. */
import { inLanguage, type Message } from './messages.ts';

type Asking = { by: string; domain: string | null; url: string; stopUrl: string };

export type PageTexts = {
	/** `by` asks; of one website or of all. */
	askTitle: string;
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
	/** After the question: what to do, the link, and what else can be done. */
	mail(of: { url: string; stopUrl: string }): string;
};

const texts: Record<string, Texts> = {
	en: {
		subject: 'Do you want reports of website statistics?',
		mail: ({ url, stopUrl }) =>
			`Press the button on this page to say yes. The link works once, for seven days:\n\n${url}\n\nIf you do nothing, you get no more mail. To never be asked again by this sender:\n\n${stopUrl}\n`,
		askTitle: 'Do you want these mails?',
		ask: (by, domain) =>
			domain === null
				? `${by} would like to send you reports and alerts of website statistics.`
				: `${by} would like to send you reports and alerts of the statistics of ${domain}.`,
		agree: 'Yes, send them',
		agreedTitle: 'You will get these mails',
		agreed: 'Every one of them has a link to stop them.',
		deadTitle: 'This link is no longer good',
		dead: 'It was used, has expired, or another one has taken its place. Whoever sent it can ask you again.',
		stopTitle: 'Stop these mails?',
		stop: (address) => `Reports and alerts like the one that you got will no longer be sent to ${address}.`,
		stopButton: 'Stop these mails',
		stoppedTitle: 'These mails have stopped',
		stopped: 'You can close this page.',
	},
	de: {
		subject: 'Möchtest du Berichte über Website-Statistiken?',
		mail: ({ url, stopUrl }) =>
			`Wenn ja, drücke den Knopf auf dieser Seite. Der Link gilt einmal und sieben Tage lang:\n\n${url}\n\nWenn du nichts tust, bekommst du keine weitere Mail. Damit du von diesem Absender nie wieder gefragt wirst:\n\n${stopUrl}\n`,
		askTitle: 'Möchtest du diese Mails?',
		ask: (by, domain) =>
			domain === null
				? `${by} möchte dir Berichte und Warnungen zu Website-Statistiken schicken.`
				: `${by} möchte dir Berichte und Warnungen zu den Statistiken von ${domain} schicken.`,
		agree: 'Ja, gern',
		agreedTitle: 'Du bekommst diese Mails',
		agreed: 'In jeder steht ein Link, mit dem du sie abbestellst.',
		deadTitle: 'Dieser Link gilt nicht mehr',
		dead: 'Er wurde benutzt, ist abgelaufen oder wurde durch einen neuen ersetzt. Wer ihn geschickt hat, kann dich noch einmal fragen.',
		stopTitle: 'Diese Mails abbestellen?',
		stop: (address) =>
			`Berichte und Warnungen wie die, die du bekommen hast, gehen dann nicht mehr an ${address}.`,
		stopButton: 'Abbestellen',
		stoppedTitle: 'Diese Mails sind abbestellt',
		stopped: 'Du kannst diese Seite schließen.',
	},
	fr: {
		subject: 'Souhaitez-vous recevoir des rapports de statistiques ?',
		mail: ({ url, stopUrl }) =>
			`Si oui, appuyez sur le bouton de cette page. Le lien fonctionne une seule fois, pendant sept jours :\n\n${url}\n\nSi vous ne faites rien, vous ne recevrez plus rien. Pour ne plus jamais être sollicité par cet expéditeur :\n\n${stopUrl}\n`,
		askTitle: 'Souhaitez-vous recevoir ces e-mails ?',
		ask: (by, domain) =>
			domain === null
				? `${by} souhaite vous envoyer des rapports et des alertes de statistiques de sites web.`
				: `${by} souhaite vous envoyer des rapports et des alertes sur les statistiques de ${domain}.`,
		agree: 'Oui, je les veux',
		agreedTitle: 'Vous recevrez ces e-mails',
		agreed: 'Chacun contient un lien pour les arrêter.',
		deadTitle: 'Ce lien n’est plus valable',
		dead: 'Il a été utilisé, a expiré ou a été remplacé. La personne qui l’a envoyé peut vous redemander.',
		stopTitle: 'Arrêter ces e-mails ?',
		stop: (address) =>
			`Les rapports et alertes comme celui que vous avez reçu ne seront plus envoyés à ${address}.`,
		stopButton: 'Arrêter ces e-mails',
		stoppedTitle: 'Ces e-mails sont arrêtés',
		stopped: 'Vous pouvez fermer cette page.',
	},
	es: {
		subject: '¿Quieres recibir informes de estadísticas web?',
		mail: ({ url, stopUrl }) =>
			`Si es así, pulsa el botón de esta página. El enlace funciona una sola vez, durante siete días:\n\n${url}\n\nSi no haces nada, no recibirás más correos. Para que este remitente no vuelva a preguntarte:\n\n${stopUrl}\n`,
		askTitle: '¿Quieres recibir estos correos?',
		ask: (by, domain) =>
			domain === null
				? `${by} quiere enviarte informes y alertas de estadísticas web.`
				: `${by} quiere enviarte informes y alertas de las estadísticas de ${domain}.`,
		agree: 'Sí, quiero recibirlos',
		agreedTitle: 'Recibirás estos correos',
		agreed: 'Cada uno lleva un enlace para darte de baja.',
		deadTitle: 'Este enlace ya no es válido',
		dead: 'Se ha usado, ha caducado o se ha sustituido por otro. Quien lo envió puede volver a preguntarte.',
		stopTitle: '¿Dejar de recibir estos correos?',
		stop: (address) => `Los informes y alertas como el que has recibido dejarán de enviarse a ${address}.`,
		stopButton: 'Darme de baja',
		stoppedTitle: 'Ya no recibirás estos correos',
		stopped: 'Puedes cerrar esta página.',
	},
	pt: {
		subject: 'Você quer receber relatórios de estatísticas de sites?',
		mail: ({ url, stopUrl }) =>
			`Se sim, clique no botão desta página. O link funciona uma única vez, por sete dias:\n\n${url}\n\nSe você não fizer nada, não receberá mais e-mails. Para que este remetente nunca mais pergunte:\n\n${stopUrl}\n`,
		askTitle: 'Você quer receber estes e-mails?',
		ask: (by, domain) =>
			domain === null
				? `${by} quer enviar a você relatórios e alertas de estatísticas de sites.`
				: `${by} quer enviar a você relatórios e alertas das estatísticas de ${domain}.`,
		agree: 'Sim, quero receber',
		agreedTitle: 'Você receberá estes e-mails',
		agreed: 'Cada um deles traz um link para cancelar.',
		deadTitle: 'Este link não vale mais',
		dead: 'Ele foi usado, expirou ou foi substituído por outro. Quem o enviou pode perguntar de novo.',
		stopTitle: 'Parar de receber estes e-mails?',
		stop: (address) =>
			`Relatórios e alertas como o que você recebeu não serão mais enviados para ${address}.`,
		stopButton: 'Parar estes e-mails',
		stoppedTitle: 'Estes e-mails foram cancelados',
		stopped: 'Você pode fechar esta página.',
	},
	it: {
		subject: 'Vuoi ricevere rapporti sulle statistiche di siti web?',
		mail: ({ url, stopUrl }) =>
			`Se sì, premi il pulsante in questa pagina. Il link funziona una volta sola, per sette giorni:\n\n${url}\n\nSe non fai nulla, non riceverai altre e-mail. Per non ricevere mai più richieste da questo mittente:\n\n${stopUrl}\n`,
		askTitle: 'Vuoi ricevere queste e-mail?',
		ask: (by, domain) =>
			domain === null
				? `${by} vorrebbe inviarti rapporti e avvisi sulle statistiche di siti web.`
				: `${by} vorrebbe inviarti rapporti e avvisi sulle statistiche di ${domain}.`,
		agree: 'Sì, inviatele',
		agreedTitle: 'Riceverai queste e-mail',
		agreed: 'Ognuna contiene un link per interromperle.',
		deadTitle: 'Questo link non è più valido',
		dead: 'È stato usato, è scaduto o è stato sostituito da un altro. Chi lo ha inviato può chiedertelo di nuovo.',
		stopTitle: 'Interrompere queste e-mail?',
		stop: (address) => `Rapporti e avvisi come quello che hai ricevuto non saranno più inviati a ${address}.`,
		stopButton: 'Interrompi queste e-mail',
		stoppedTitle: 'Queste e-mail sono interrotte',
		stopped: 'Puoi chiudere questa pagina.',
	},
	pl: {
		subject: 'Czy chcesz otrzymywać raporty statystyk stron?',
		mail: ({ url, stopUrl }) =>
			`Jeśli tak, naciśnij przycisk na tej stronie. Link działa raz, przez siedem dni:\n\n${url}\n\nJeśli nic nie zrobisz, nie dostaniesz więcej wiadomości. Aby ten nadawca nigdy więcej nie pytał:\n\n${stopUrl}\n`,
		askTitle: 'Czy chcesz otrzymywać te wiadomości?',
		ask: (by, domain) =>
			domain === null
				? `${by} chce wysyłać Ci raporty i alerty ze statystyk stron.`
				: `${by} chce wysyłać Ci raporty i alerty ze statystyk ${domain}.`,
		agree: 'Tak, chcę',
		agreedTitle: 'Będziesz otrzymywać te wiadomości',
		agreed: 'W każdej jest link, który je wyłącza.',
		deadTitle: 'Ten link już nie działa',
		dead: 'Został użyty, wygasł albo zastąpił go inny. Nadawca może zapytać ponownie.',
		stopTitle: 'Wyłączyć te wiadomości?',
		stop: (address) => `Raporty i alerty takie jak ten nie będą już wysyłane na adres ${address}.`,
		stopButton: 'Wyłącz te wiadomości',
		stoppedTitle: 'Te wiadomości są wyłączone',
		stopped: 'Możesz zamknąć tę stronę.',
	},
	ja: {
		subject: 'ウェブサイト統計のレポートを受け取りますか？',
		mail: ({ url, stopUrl }) =>
			`受け取る場合は、次のページのボタンを押してください。リンクは 7 日間、1 回だけ使えます。\n\n${url}\n\n何もしなければ、これ以上メールは届きません。この送信者から今後一切確認を受けない場合はこちら：\n\n${stopUrl}\n`,
		askTitle: 'これらのメールを受け取りますか？',
		ask: (by, domain) =>
			domain === null
				? `${by} さんがウェブサイト統計のレポートとアラートを送りたいと考えています。`
				: `${by} さんが ${domain} の統計のレポートとアラートを送りたいと考えています。`,
		agree: '受け取る',
		agreedTitle: 'これらのメールをお届けします',
		agreed: '各メールには配信を停止するリンクがあります。',
		deadTitle: 'このリンクはもう使えません',
		dead: '使用済み、期限切れ、または新しいリンクに置き換えられました。送信者はもう一度確認を送ることができます。',
		stopTitle: 'これらのメールを停止しますか？',
		stop: (address) => `今後、このようなレポートとアラートは ${address} に送信されません。`,
		stopButton: 'メールを停止する',
		stoppedTitle: 'メールを停止しました',
		stopped: 'このページを閉じてください。',
	},
	zh: {
		subject: '是否接收网站统计报告？',
		mail: ({ url, stopUrl }) =>
			`如果愿意，请在此页面上点击按钮。链接七天内有效，仅可使用一次：\n\n${url}\n\n如果不做任何操作，将不会再收到邮件。若不想再被此发件人询问：\n\n${stopUrl}\n`,
		askTitle: '是否接收这些邮件？',
		ask: (by, domain) =>
			domain === null
				? `${by} 希望向你发送网站统计的报告和提醒。`
				: `${by} 希望向你发送 ${domain} 的统计报告和提醒。`,
		agree: '是，请发送',
		agreedTitle: '你将收到这些邮件',
		agreed: '每封邮件中都有停止接收的链接。',
		deadTitle: '此链接已失效',
		dead: '它已被使用、已过期或已被新的链接取代。发件人可以再次询问。',
		stopTitle: '停止接收这些邮件？',
		stop: (address) => `此类报告和提醒将不再发送到 ${address}。`,
		stopButton: '停止接收',
		stoppedTitle: '已停止发送这些邮件',
		stopped: '你可以关闭此页面。',
	},
};

/** In the language of whoever asks: of the other one nothing is known. A name is one line, whatever it holds. */
export function confirmationMessage(locale: string, { by, domain, url, stopUrl }: Asking): Message {
	const { subject, ask, mail } = inLanguage(texts, locale);
	return { subject, text: `${ask(by.replace(/\s+/g, ' '), domain)}\n\n${mail({ url, stopUrl })}` };
}

export const pageTexts = (locale: string): PageTexts => inLanguage(texts, locale);
