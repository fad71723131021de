import type { Texts } from '../texts.ts';

export const providers: Texts['providers'] = {
	continue: 'Continua con {{provider}}',
	or: 'oppure',
	only: 'Accedi con il provider di identità della tua organizzazione.',
	start: '{{provider}} non è raggiungibile. Riprova più tardi.',
	refusals: {
		expired:
			'L’accesso ha richiesto troppo tempo o è stato avviato in un altro browser o a un altro indirizzo. Riprova.',
		denied: 'Il provider non ha effettuato l’accesso. Riprova o usa un altro account.',
		unavailable: 'Il provider non è raggiungibile. Riprova più tardi.',
		invalid:
			'La risposta del provider non ha superato i controlli di sicurezza. Avvisa l’operatore di questo server: il motivo è nel log.',
		unverified: 'Il provider non ha verificato il tuo indirizzo e-mail. Verificalo lì e riprova.',
		domain: 'Gli indirizzi e-mail di questo dominio non sono accettati. Usa un altro account.',
		unknown:
			'Non hai un account qui. Chiedi a un proprietario di invitarti con l’indirizzo e-mail del tuo account presso il provider.',
		disabled: 'Il tuo account è disattivato. Contatta l’operatore di questo server.',
		taken:
			'Questo account del provider è collegato a un’altra persona, oppure ne hai già collegato un altro. Scollegalo prima.',
	},
	proof: {
		title: 'Sei tu?',
		link: '{{provider}} ha confermato {{email}} ed esiste un account con questo indirizzo. Inserisci una volta la sua password per collegare {{provider}}.',
		code: 'Inserisci un codice della tua app di autenticazione o un codice di recupero.',
		submit: 'Collega e accedi',
		submitCode: 'Accedi',
		forgotten: 'Se non hai una password, impostane una con «Password dimenticata?».',
		taken: 'Questo account è già collegato a un altro account presso {{provider}}.',
	},
	account: {
		title: 'Provider di identità',
		text: 'Accedi con un account che hai altrove.',
		linked: 'Collegato {{made}}, ultimo utilizzo {{used}}',
		none: 'Non collegato',
		link: 'Collega',
		unlink: 'Scollega',
		linkLabel: 'Collega {{provider}}',
		unlinkLabel: 'Scollega {{provider}}',
		unlinkText: 'Non potrai più accedere con {{provider}} e perderai i ruoli assegnati dai suoi gruppi.',
		onlyOne: 'È il tuo unico modo di accedere.',
		done: 'Il provider è collegato. Da ora puoi usarlo per accedere.',
		noPassword:
			'Non hai una password. Alcune modifiche, come collegare un provider o creare una chiave API, la richiedono.',
		noMail: 'Chiedi all’operatore di questo server un link per impostare una password.',
		setPassword: 'Inviami un link per impostare una password',
		mailed: 'Un link per impostare una password è stato inviato a {{email}}.',
	},
	join: 'Il tuo account viene creato quando accedi.',
};
