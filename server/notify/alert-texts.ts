/** What alerts say, in the language of the website's owner. */
import { inLanguage } from './mail/messages.ts';

/** What happened. `back`: a silence is over. `test`: nothing, but somebody wants to see how it looks. */
export type AlertEvent =
	| { type: 'spike'; visitors: number; usual: number }
	| { type: 'silence'; hours: number; since: string }
	| { type: 'back'; since: string }
	| { type: 'goal'; goal: { id: number; name: string } }
	| { type: 'test' };

type Said = { title: string; text: string };

type Texts = {
	spike(of: { domain: string; visitors: string; usual: string }): Said;
	silence(of: { domain: string; hours: number; since: string }): Said;
	back(of: { domain: string; since: string }): Said;
	goal(of: { domain: string; goal: string }): Said;
	test(of: { domain: string }): Said;
	/** Above the link that stops these mails. */
	stop: string;
};

const texts: Record<string, Texts> = {
	en: {
		spike: ({ domain, visitors, usual }) => ({
			title: `Many visitors on ${domain}`,
			text: `${domain} had ${visitors} visitors in the last hour. At this time of the week ${usual} are usual.`,
		}),
		silence: ({ domain, hours, since }) => ({
			title: `No visits on ${domain}`,
			text: `Nothing has been counted on ${domain} since ${since}, for more than ${hours} h. Usually there is something at this time: perhaps the tracker is gone from the pages.`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} is counted again`,
			text: `Visits on ${domain} are counted again. Nothing had come since ${since}.`,
		}),
		goal: ({ domain, goal }) => ({
			title: `“${goal}” was reached`,
			text: `The goal “${goal}” was reached on ${domain} for the first time.`,
		}),
		test: ({ domain }) => ({
			title: `A test from ${domain}`,
			text: `This is how an alert about ${domain} looks. Nothing has happened.`,
		}),
		stop: 'To stop these mails:',
	},
	de: {
		spike: ({ domain, visitors, usual }) => ({
			title: `Viele Besucher auf ${domain}`,
			text: `${domain} hatte in der letzten Stunde ${visitors} Besucher. Üblich sind um diese Zeit der Woche ${usual}.`,
		}),
		silence: ({ domain, hours, since }) => ({
			title: `Keine Besuche auf ${domain}`,
			text: `Auf ${domain} wurde seit ${since} nichts gezählt, seit mehr als ${hours} Std. Sonst ist um diese Zeit immer etwas los: Vielleicht fehlt das Skript auf den Seiten.`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} wird wieder gezählt`,
			text: `Besuche auf ${domain} werden wieder gezählt. Seit ${since} war nichts gekommen.`,
		}),
		goal: ({ domain, goal }) => ({
			title: `„${goal}“ wurde erreicht`,
			text: `Das Ziel „${goal}“ wurde auf ${domain} zum ersten Mal erreicht.`,
		}),
		test: ({ domain }) => ({
			title: `Ein Test von ${domain}`,
			text: `So sieht eine Warnung zu ${domain} aus. Es ist nichts passiert.`,
		}),
		stop: 'Diese Mails abbestellen:',
	},
	fr: {
		spike: ({ domain, visitors, usual }) => ({
			title: `Beaucoup de visiteurs sur ${domain}`,
			text: `${domain} a eu ${visitors} visiteurs au cours de la dernière heure. À ce moment de la semaine, ${usual} est habituel.`,
		}),
		silence: ({ domain, hours, since }) => ({
			title: `Aucune visite sur ${domain}`,
			text: `Rien n’a été compté sur ${domain} depuis ${since}, soit plus de ${hours} h. D’habitude il y a des visites à cette heure : le script a peut-être disparu des pages.`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} est de nouveau compté`,
			text: `Les visites de ${domain} sont de nouveau comptées. Rien n’était arrivé depuis ${since}.`,
		}),
		goal: ({ domain, goal }) => ({
			title: `« ${goal} » est atteint`,
			text: `L’objectif « ${goal} » a été atteint sur ${domain} pour la première fois.`,
		}),
		test: ({ domain }) => ({
			title: `Un essai de ${domain}`,
			text: `Voici à quoi ressemble une alerte de ${domain}. Il ne s’est rien passé.`,
		}),
		stop: 'Pour arrêter ces e-mails :',
	},
	es: {
		spike: ({ domain, visitors, usual }) => ({
			title: `Muchos visitantes en ${domain}`,
			text: `${domain} tuvo ${visitors} visitantes en la última hora. A esta hora de la semana lo habitual es ${usual}.`,
		}),
		silence: ({ domain, hours, since }) => ({
			title: `Sin visitas en ${domain}`,
			text: `No se ha contado nada en ${domain} desde ${since}, más de ${hours} h. A esta hora suele haber visitas: quizá falte el script en las páginas.`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} vuelve a contarse`,
			text: `Las visitas de ${domain} se cuentan de nuevo. No había llegado nada desde ${since}.`,
		}),
		goal: ({ domain, goal }) => ({
			title: `Se alcanzó «${goal}»`,
			text: `El objetivo «${goal}» se alcanzó en ${domain} por primera vez.`,
		}),
		test: ({ domain }) => ({
			title: `Una prueba de ${domain}`,
			text: `Así se ve una alerta de ${domain}. No ha pasado nada.`,
		}),
		stop: 'Para dejar de recibir estos correos:',
	},
	pt: {
		spike: ({ domain, visitors, usual }) => ({
			title: `Muitos visitantes em ${domain}`,
			text: `${domain} teve ${visitors} visitantes na última hora. Neste horário da semana o normal é ${usual}.`,
		}),
		silence: ({ domain, hours, since }) => ({
			title: `Nenhuma visita em ${domain}`,
			text: `Nada foi contado em ${domain} desde ${since}, há mais de ${hours} h. Normalmente há visitas neste horário: talvez o script tenha sumido das páginas.`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} voltou a ser contado`,
			text: `As visitas de ${domain} voltaram a ser contadas. Nada havia chegado desde ${since}.`,
		}),
		goal: ({ domain, goal }) => ({
			title: `“${goal}” foi alcançada`,
			text: `A meta “${goal}” foi alcançada em ${domain} pela primeira vez.`,
		}),
		test: ({ domain }) => ({
			title: `Um teste de ${domain}`,
			text: `É assim que um alerta de ${domain} aparece. Nada aconteceu.`,
		}),
		stop: 'Para parar estes e-mails:',
	},
	it: {
		spike: ({ domain, visitors, usual }) => ({
			title: `Molti visitatori su ${domain}`,
			text: `${domain} ha avuto ${visitors} visitatori nell’ultima ora. In questo momento della settimana sono di solito ${usual}.`,
		}),
		silence: ({ domain, hours, since }) => ({
			title: `Nessuna visita su ${domain}`,
			text: `Su ${domain} non è stato contato nulla da ${since}, da più di ${hours} h. Di solito a quest’ora c’è qualcosa: forse lo script non è più nelle pagine.`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} viene contato di nuovo`,
			text: `Le visite di ${domain} vengono contate di nuovo. Non era arrivato nulla da ${since}.`,
		}),
		goal: ({ domain, goal }) => ({
			title: `“${goal}” è stato raggiunto`,
			text: `L’obiettivo “${goal}” è stato raggiunto su ${domain} per la prima volta.`,
		}),
		test: ({ domain }) => ({
			title: `Una prova da ${domain}`,
			text: `Ecco come appare un avviso di ${domain}. Non è successo nulla.`,
		}),
		stop: 'Per interrompere queste e-mail:',
	},
	pl: {
		spike: ({ domain, visitors, usual }) => ({
			title: `Dużo odwiedzających na ${domain}`,
			text: `Odwiedzający na ${domain} w ostatniej godzinie: ${visitors}. Zwykle o tej porze tygodnia: ${usual}.`,
		}),
		silence: ({ domain, hours, since }) => ({
			title: `Brak wizyt na ${domain}`,
			text: `Na ${domain} nic nie policzono od ${since}, ponad ${hours} godz. Zwykle o tej porze coś się dzieje: być może na stronach brakuje skryptu.`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} znów jest liczona`,
			text: `Wizyty na ${domain} są znów liczone. Od ${since} nic nie przyszło.`,
		}),
		goal: ({ domain, goal }) => ({
			title: `Osiągnięto „${goal}”`,
			text: `Cel „${goal}” został po raz pierwszy osiągnięty na ${domain}.`,
		}),
		test: ({ domain }) => ({
			title: `Test z ${domain}`,
			text: `Tak wygląda alert z ${domain}. Nic się nie stało.`,
		}),
		stop: 'Aby wyłączyć te wiadomości:',
	},
	ja: {
		spike: ({ domain, visitors, usual }) => ({
			title: `${domain} の訪問者が急増しています`,
			text: `過去 1 時間の ${domain} の訪問者は ${visitors} 人です。この曜日・時間帯の通常は ${usual} 人です。`,
		}),
		silence: ({ domain, hours, since }) => ({
			title: `${domain} に訪問がありません`,
			text: `${domain} では ${since} 以降、${hours} 時間以上何も計測されていません。通常この時間帯には訪問があります。ページからスクリプトがなくなっている可能性があります。`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} の計測が再開しました`,
			text: `${domain} の訪問が再び計測されています。${since} 以降は何も届いていませんでした。`,
		}),
		goal: ({ domain, goal }) => ({
			title: `「${goal}」が達成されました`,
			text: `${domain} で目標「${goal}」が初めて達成されました。`,
		}),
		test: ({ domain }) => ({
			title: `${domain} からのテスト`,
			text: `${domain} のアラートはこのように表示されます。何も起きていません。`,
		}),
		stop: 'これらのメールを停止するには：',
	},
	zh: {
		spike: ({ domain, visitors, usual }) => ({
			title: `${domain} 访客激增`,
			text: `过去一小时 ${domain} 有 ${visitors} 位访客。每周此时通常为 ${usual} 位。`,
		}),
		silence: ({ domain, hours, since }) => ({
			title: `${domain} 没有访问`,
			text: `自 ${since} 起，${domain} 已超过 ${hours} 小时没有任何统计。通常此时会有访问：页面上的脚本可能已丢失。`,
		}),
		back: ({ domain, since }) => ({
			title: `${domain} 已恢复统计`,
			text: `${domain} 的访问已恢复统计。自 ${since} 起没有收到任何数据。`,
		}),
		goal: ({ domain, goal }) => ({
			title: `已达成“${goal}”`,
			text: `${domain} 首次达成目标“${goal}”。`,
		}),
		test: ({ domain }) => ({
			title: `来自 ${domain} 的测试`,
			text: `${domain} 的提醒就是这个样子。没有发生任何事情。`,
		}),
		stop: '停止接收这些邮件：',
	},
};

/** One line of title and one of text, whatever a goal is called. `zone`: the website's, for times. */
export function renderAlert(
	happening: AlertEvent,
	{ domain, locale, zone }: { domain: string; locale: string; zone: string },
): Said {
	const of = inLanguage(texts, locale);
	const number = (count: number) => new Intl.NumberFormat(locale).format(count);
	const time = (iso: string) =>
		new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(
			new Date(iso),
		);
	switch (happening.type) {
		case 'spike':
			return of.spike({ domain, visitors: number(happening.visitors), usual: number(happening.usual) });
		case 'silence':
			return of.silence({ domain, hours: happening.hours, since: time(happening.since) });
		case 'back':
			return of.back({ domain, since: time(happening.since) });
		case 'goal':
			return of.goal({ domain, goal: happening.goal.name.replace(/\s+/g, ' ') });
		case 'test':
			return of.test({ domain });
	}
}

export const stopText = (locale: string): string => inLanguage(texts, locale).stop;
