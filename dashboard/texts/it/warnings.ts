import type { Texts } from '../texts.ts';

export const warnings: Texts['warnings'] = {
	otherAddress: 'Hai aperto {{here}}, ma l’URL pubblico è {{address}}. Snippet e link usano l’URL pubblico.',
	proxyWarning:
		'Tidemark è dietro un proxy non attendibile, quindi tutti i visitatori sembrano avere l’indirizzo IP del proxy. Imposta TIDEMARK_TRUSTED_PROXIES={{proxy}} e riavvia il server.',
	proxyPerhaps:
		'Alcune richieste contengono un’intestazione X-Forwarded-For non attendibile. Se Tidemark è dietro il tuo proxy, imposta TIDEMARK_TRUSTED_PROXIES sul suo indirizzo e riavvia il server. Altrimenti puoi ignorare questo avviso.',
	unconfirmed: {
		text: 'Conferma il tuo indirizzo e-mail con il link inviato a {{email}}. Fino ad allora non puoi ricevere rapporti, avvisi né siti trasferiti.',
		noMail:
			'Il tuo indirizzo e-mail {{email}} non è confermato, quindi non puoi ricevere rapporti, avvisi né siti trasferiti. Chiedi al gestore del server di confermarlo.',
		again: 'Invia di nuovo l’e-mail di conferma',
		sent: 'Conferma inviata a {{email}}.',
	},
};
