/** Texts of alerts, in nine languages. */
import { type ChangeFacts, changeSentence } from '../../presentation/change-sentence.ts';
import { inLanguage } from './mail/messages.ts';

/** `back`: the website receives data again after a silence. */
export type AlertEvent =
	/** `change`: compared with the same hour a week ago, if a value stands for most of it. */
	| { type: 'spike'; visitors: number; usual: number; change?: ChangeFacts }
	| { type: 'silence'; hours: number; since: string }
	| { type: 'back'; since: string }
	| { type: 'goal'; goal: { id: number; name: string } }
	| { type: 'test' };

type AlertMessage = { title: string; text: string };

type Texts = {
	spike(values: { domain: string; visitors: string; usual: string }): AlertMessage;
	/** Before the sentence about a change. */
	weekAgo: string;
	silence(values: { domain: string; hours: number; since: string }): AlertMessage;
	back(values: { domain: string; since: string }): AlertMessage;
	goal(values: { domain: string; goal: string }): AlertMessage;
	test(values: { domain: string }): AlertMessage;
	/** Followed by the unsubscribe link. */
	stop: string;
};

const texts: Record<string, Texts> = {
	en: {
		spike: ({ domain, visitors, usual }) => ({
			title: `Traffic spike on ${domain}`,
			text: `${domain} had ${visitors} visitors in the last hour. The usual number at this time of the week is ${usual}.`,
		}),
		weekAgo: 'Compared with the same hour a week ago:',
		silence: ({ domain, hours, since }) => ({
			title: `No traffic on ${domain}`,
			text: `${domain} has received no visits since ${since}, for more than ${hours} h. It usually has traffic at this time. Check that the tracking script is still installed.`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} is receiving data again`,
			text: `${domain} is receiving visits again. There were none since ${since}.`,
		}),
		goal: ({ domain, goal }) => ({
			title: `Goal “${goal}” reached`,
			text: `The goal “${goal}” was reached on ${domain} for the first time.`,
		}),
		test: ({ domain }) => ({
			title: `Test alert for ${domain}`,
			text: `This is a test of your alerts for ${domain}. No action is needed.`,
		}),
		stop: 'Unsubscribe from these emails:',
	},
	de: {
		spike: ({ domain, visitors, usual }) => ({
			title: `Besucheranstieg auf ${domain}`,
			text: `${domain} hatte in der letzten Stunde ${visitors} Besucher. Üblich sind zu dieser Zeit ${usual}.`,
		}),
		weekAgo: 'Gegenüber derselben Stunde vor einer Woche –',
		silence: ({ domain, hours, since }) => ({
			title: `Keine Besuche auf ${domain}`,
			text: `${domain} hat seit ${since} keine Besuche erhalten, seit mehr als ${hours} Std. Normalerweise gibt es zu dieser Zeit Besuche. Prüfe, ob das Tracking-Skript noch eingebunden ist.`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} empfängt wieder Daten`,
			text: `${domain} erhält wieder Besuche. Seit ${since} gab es keine.`,
		}),
		goal: ({ domain, goal }) => ({
			title: `Ziel „${goal}“ erreicht`,
			text: `Das Ziel „${goal}“ wurde auf ${domain} zum ersten Mal erreicht.`,
		}),
		test: ({ domain }) => ({
			title: `Testwarnung für ${domain}`,
			text: `Dies ist ein Test deiner Warnungen für ${domain}. Du musst nichts tun.`,
		}),
		stop: 'Diese E-Mails abbestellen:',
	},
	fr: {
		spike: ({ domain, visitors, usual }) => ({
			title: `Pic de trafic sur ${domain}`,
			text: `${domain} a eu ${visitors} visiteurs au cours de la dernière heure. Le nombre habituel à ce moment de la semaine est de ${usual}.`,
		}),
		weekAgo: 'Par rapport à la même heure il y a une semaine –',
		silence: ({ domain, hours, since }) => ({
			title: `Aucune visite sur ${domain}`,
			text: `${domain} n’a reçu aucune visite depuis ${since}, soit plus de ${hours} h. Il y a habituellement du trafic à cette heure. Vérifiez que le script de suivi est toujours installé.`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} reçoit de nouveau des données`,
			text: `${domain} reçoit de nouveau des visites. Il n’y en avait aucune depuis ${since}.`,
		}),
		goal: ({ domain, goal }) => ({
			title: `Objectif « ${goal} » atteint`,
			text: `L’objectif « ${goal} » a été atteint sur ${domain} pour la première fois.`,
		}),
		test: ({ domain }) => ({
			title: `Alerte de test pour ${domain}`,
			text: `Ceci est un test de vos alertes pour ${domain}. Aucune action n’est nécessaire.`,
		}),
		stop: 'Se désabonner de ces e-mails :',
	},
	es: {
		spike: ({ domain, visitors, usual }) => ({
			title: `Pico de tráfico en ${domain}`,
			text: `${domain} tuvo ${visitors} visitantes en la última hora. Lo habitual en este momento de la semana es ${usual}.`,
		}),
		weekAgo: 'En comparación con la misma hora de hace una semana –',
		silence: ({ domain, hours, since }) => ({
			title: `Sin visitas en ${domain}`,
			text: `${domain} no ha recibido visitas desde ${since}, hace más de ${hours} h. A esta hora suele haber tráfico. Comprueba que el script de seguimiento sigue instalado.`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} vuelve a recibir datos`,
			text: `${domain} vuelve a recibir visitas. No había ninguna desde ${since}.`,
		}),
		goal: ({ domain, goal }) => ({
			title: `Objetivo «${goal}» alcanzado`,
			text: `El objetivo «${goal}» se alcanzó en ${domain} por primera vez.`,
		}),
		test: ({ domain }) => ({
			title: `Alerta de prueba de ${domain}`,
			text: `Esta es una prueba de tus alertas de ${domain}. No tienes que hacer nada.`,
		}),
		stop: 'Darse de baja de estos correos:',
	},
	pt: {
		spike: ({ domain, visitors, usual }) => ({
			title: `Pico de tráfego em ${domain}`,
			text: `${domain} teve ${visitors} visitantes na última hora. O normal neste horário da semana é ${usual}.`,
		}),
		weekAgo: 'Em comparação com a mesma hora há uma semana –',
		silence: ({ domain, hours, since }) => ({
			title: `Nenhuma visita em ${domain}`,
			text: `${domain} não recebe visitas desde ${since}, há mais de ${hours} h. Normalmente há tráfego neste horário. Verifique se o script de rastreamento ainda está instalado.`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} voltou a receber dados`,
			text: `${domain} voltou a receber visitas. Não havia nenhuma desde ${since}.`,
		}),
		goal: ({ domain, goal }) => ({
			title: `Meta “${goal}” alcançada`,
			text: `A meta “${goal}” foi alcançada em ${domain} pela primeira vez.`,
		}),
		test: ({ domain }) => ({
			title: `Alerta de teste de ${domain}`,
			text: `Este é um teste dos seus alertas de ${domain}. Nenhuma ação é necessária.`,
		}),
		stop: 'Cancelar o recebimento destes e-mails:',
	},
	it: {
		spike: ({ domain, visitors, usual }) => ({
			title: `Picco di traffico su ${domain}`,
			text: `${domain} ha avuto ${visitors} visitatori nell’ultima ora. Di solito in questo momento della settimana sono ${usual}.`,
		}),
		weekAgo: 'Rispetto alla stessa ora di una settimana fa –',
		silence: ({ domain, hours, since }) => ({
			title: `Nessuna visita su ${domain}`,
			text: `${domain} non riceve visite da ${since}, da più di ${hours} h. Di solito a quest’ora c’è traffico. Verifica che lo script di tracciamento sia ancora installato.`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} riceve di nuovo dati`,
			text: `${domain} riceve di nuovo visite. Non ce n’erano da ${since}.`,
		}),
		goal: ({ domain, goal }) => ({
			title: `Obiettivo “${goal}” raggiunto`,
			text: `L’obiettivo “${goal}” è stato raggiunto su ${domain} per la prima volta.`,
		}),
		test: ({ domain }) => ({
			title: `Avviso di prova per ${domain}`,
			text: `Questo è un test dei tuoi avvisi per ${domain}. Non devi fare nulla.`,
		}),
		stop: 'Annulla l’iscrizione a queste e-mail:',
	},
	pl: {
		spike: ({ domain, visitors, usual }) => ({
			title: `Wzrost ruchu na ${domain}`,
			text: `Odwiedzający na ${domain} w ostatniej godzinie: ${visitors}. Zwykle o tej porze tygodnia: ${usual}.`,
		}),
		weekAgo: 'W porównaniu z tą samą godziną tydzień temu –',
		silence: ({ domain, hours, since }) => ({
			title: `Brak wizyt na ${domain}`,
			text: `Brak wizyt na ${domain} od ${since}, ponad ${hours} godz. Zwykle o tej porze jest ruch. Sprawdź, czy skrypt śledzący jest nadal zainstalowany.`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} znów odbiera dane`,
			text: `Na ${domain} znów są wizyty. Nie było ich od ${since}.`,
		}),
		goal: ({ domain, goal }) => ({
			title: `Osiągnięto cel „${goal}”`,
			text: `Cel „${goal}” został po raz pierwszy osiągnięty na ${domain}.`,
		}),
		test: ({ domain }) => ({
			title: `Alert testowy: ${domain}`,
			text: `To jest test alertów dla ${domain}. Nie musisz nic robić.`,
		}),
		stop: 'Zrezygnuj z tych wiadomości:',
	},
	ja: {
		spike: ({ domain, visitors, usual }) => ({
			title: `${domain} の訪問者が急増しています`,
			text: `過去 1 時間の ${domain} の訪問者は ${visitors} 人です。この曜日・時間帯の通常は ${usual} 人です。`,
		}),
		weekAgo: '1 週間前の同じ時間帯との比較：',
		silence: ({ domain, hours, since }) => ({
			title: `${domain} に訪問がありません`,
			text: `${domain} には ${since} 以降、${hours} 時間以上訪問がありません。通常この時間帯には訪問があります。トラッキングスクリプトが設置されているか確認してください。`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} のデータ受信が再開しました`,
			text: `${domain} に再び訪問があります。${since} 以降は訪問がありませんでした。`,
		}),
		goal: ({ domain, goal }) => ({
			title: `目標「${goal}」を達成しました`,
			text: `${domain} で目標「${goal}」が初めて達成されました。`,
		}),
		test: ({ domain }) => ({
			title: `${domain} のテストアラート`,
			text: `これは ${domain} のアラートのテストです。対応は不要です。`,
		}),
		stop: '配信を停止する：',
	},
	zh: {
		spike: ({ domain, visitors, usual }) => ({
			title: `${domain} 访客激增`,
			text: `过去一小时 ${domain} 有 ${visitors} 位访客。每周此时通常为 ${usual} 位。`,
		}),
		weekAgo: '与一周前同一小时相比：',
		silence: ({ domain, hours, since }) => ({
			title: `${domain} 没有访问`,
			text: `自 ${since} 起，${domain} 已超过 ${hours} 小时没有访问。通常此时会有访问。请检查跟踪脚本是否仍已安装。`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} 已恢复接收数据`,
			text: `${domain} 已恢复访问。自 ${since} 起没有任何访问。`,
		}),
		goal: ({ domain, goal }) => ({
			title: `已达成目标“${goal}”`,
			text: `${domain} 首次达成目标“${goal}”。`,
		}),
		test: ({ domain }) => ({
			title: `${domain} 的测试提醒`,
			text: `这是 ${domain} 提醒的测试，无需任何操作。`,
		}),
		stop: '退订这些邮件：',
	},
};

/** Title and text are one line each. `zone`: time zone of the website. */
export function renderAlert(
	event: AlertEvent,
	{ domain, locale, zone }: { domain: string; locale: string; zone: string },
): AlertMessage {
	const messages = inLanguage(texts, locale);
	const number = (count: number) => new Intl.NumberFormat(locale).format(count);
	const time = (iso: string) =>
		new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(
			new Date(iso),
		);
	switch (event.type) {
		case 'spike':
			return withChange(
				messages.spike({ domain, visitors: number(event.visitors), usual: number(event.usual) }),
				event.change && `${messages.weekAgo} ${changeSentence(event.change, locale)}`,
			);
		case 'silence':
			return messages.silence({ domain, hours: event.hours, since: time(event.since) });
		case 'back':
			return messages.back({ domain, since: time(event.since) });
		case 'goal':
			return messages.goal({ domain, goal: event.goal.name.replace(/\s+/g, ' ') });
		case 'test':
			return messages.test({ domain });
	}
}

const withChange = (message: AlertMessage, why: string | undefined): AlertMessage =>
	why === undefined ? message : { ...message, text: `${message.text} ${why}` };

export const stopText = (locale: string): string => inLanguage(texts, locale).stop;
