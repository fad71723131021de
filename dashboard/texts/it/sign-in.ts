import type { Texts } from '../texts.ts';

export const signIn: Texts['signIn'] = {
	title: 'Accedi',
	email: 'Indirizzo e-mail',
	emailWrong: 'Questo non è un indirizzo e-mail.',
	password: 'Password',
	submit: 'Accedi',
	forgotten: 'Hai dimenticato la password?',
	toSignIn: 'Vai all’accesso',
	plainHttp:
		'Questa pagina usa http non cifrato: chi è sulla stessa rete può leggere ciò che scrivi, anche la password.',
	passwordSet: 'La password è impostata. Ora usala per accedere.',
	sessionLost:
		'Era tutto corretto, ma il browser non ha mantenuto l’accesso: Tidemark è configurato per https e questa pagina non lo è. Aprila al suo indirizzo https.',
	minimum: 'Almeno 10 caratteri. Alcune parole di fila sono facili da ricordare e difficili da indovinare.',
	tooShort: 'Una password ha almeno 10 caratteri.',
	code: {
		title: 'Ancora un passaggio',
		text: 'Inserisci il codice che l’app di autenticazione mostra per Tidemark.',
		label: 'Codice',
		wrong: 'Questo codice è errato o già usato. L’app ne mostra uno nuovo ogni mezzo minuto.',
		useRecovery: 'Usa un codice di recupero',
		recoveryText:
			'Inserisci uno dei dieci codici che hai conservato attivando la verifica in due passaggi. Ognuno funziona una volta.',
		recoveryLabel: 'Codice di recupero',
		recoveryWrong: 'Questo codice di recupero è errato o già usato.',
		useApp: 'Usa l’app',
	},
	forgottenPage: {
		title: 'Ottieni una nuova password',
		text: 'Chi gestisce questo servizio crea un link per te. Permette di impostare una nuova password, una volta ed entro mezz’ora.',
		mailText:
			'Ti inviamo un link per e-mail. Permette di impostare una nuova password, una volta ed entro mezz’ora.',
		mailSubmit: 'Inviami un link',
		mailed: 'Se esiste un account con questo indirizzo, un link è in arrivo.',
		command: 'Comando sul server',
		commandText: 'Esegui questo sul server in cui è installato Tidemark, con il tuo indirizzo e-mail:',
		notOperator: 'Non lo gestisci tu? Chiedi a chi lo fa e indica il tuo indirizzo e-mail.',
	},
	setPassword: {
		title: 'Imposta la password',
		reset: 'Scegli una nuova password. Tutti i browser connessi all’account verranno disconnessi.',
		invitation: 'Ti diamo il benvenuto in Tidemark. Scegli una password e puoi iniziare.',
		label: 'Nuova password',
		submit: 'Imposta la password e accedi',
	},
	deadLink: {
		title: 'Questo link non funziona più',
		text: 'È già stato usato, è scaduto o è stato sostituito da uno più recente.',
		again: 'Ottienine uno nuovo',
	},
	setUp: {
		title: 'Configura Tidemark',
		text: 'Qui si crea il primo account. Il link funziona una volta.',
		name: 'Il tuo nome',
		zone: 'Fuso orario',
		zoneHint: 'I giorni dei nuovi siti iniziano e finiscono in questo fuso.',
		address: 'Indirizzo pubblico',
		addressHint: 'Dove i browser raggiungono questo servizio. Snippet e link iniziano così.',
		addressFixed: 'Impostato da TIDEMARK_BASE_URL sul server.',
		addressWrong: 'Scrivi http:// o https:// e l’host, e nient’altro.',
		submit: 'Crea l’account',
		deadTitle: 'Questo link di configurazione non funziona più',
		dead: 'Esiste già un account, oppure il servizio è stato riavviato e ha mostrato un link più recente. Guarda la fine del suo output.',
		doneTitle: 'L’account è stato creato',
		done: 'Accedi all’indirizzo pubblico: {{address}}',
	},
};
