import type { Texts } from '../texts.ts';

export const settings: Texts['settings'] = {
	title: 'Impostazioni',
	chooseTab: 'Impostazioni: {{tab}}',
	readOnly:
		'Hai accesso in sola lettura. Gli editor e gli admin di questo sito possono modificare queste impostazioni.',
	adminsOnly: 'Solo gli amministratori di questo sito possono modificare queste impostazioni.',
	tabs: {
		general: {
			title: 'Generali',
			text: 'Dominio, fuso orario, hostname ed etichette.',
		},
		privacy: {
			title: 'Visibilità',
			text: 'Chi può vedere le statistiche di questo sito.',
		},
		goals: {
			title: 'Obiettivi',
			text: 'Pagine ed eventi che contano come conversioni.',
		},
		exclusions: {
			title: 'Esclusioni',
			text: 'Traffico che non viene contato.',
		},
		drops: {
			title: 'Traffico escluso',
			text: 'Richieste non contate, per motivo.',
		},
		alerts: {
			title: 'Avvisi',
			text: 'Notifiche su picchi, traffico assente e obiettivi.',
		},
		reports: {
			title: 'Rapporti',
			text: 'Riepiloghi settimanali e mensili.',
		},
		people: {
			title: 'Membri',
			text: 'Chi ha accesso a questo sito e a chi appartiene.',
		},
		changes: {
			title: 'Registro attività',
			text: 'Tutte le modifiche a questo sito. Le voci non possono essere modificate.',
		},
		data: {
			title: 'Dati',
			text: 'Conservazione, importazione, esportazione ed eliminazione.',
		},
	},
	domain: {
		title: 'Dominio',
		text: 'Rinominando, il sito mantiene il suo ID ({{id}}), le statistiche e lo snippet. Da quel momento contano solo le pagine del nuovo dominio.',
		hint: 'Per continuare a contare anche il vecchio dominio, indicali entrambi nei nomi host.',
		rename: 'Rinomina sito',
		taken: 'Hai già un sito {{domain}}.',
		bad: 'Inserisci un dominio valido, ad esempio example.com.',
	},
	install: {
		title: 'Snippet',
		text: 'L’ID di questo sito è {{id}}.',
		link: 'Snippet e guide',
	},
	zone: {
		title: 'Fuso orario',
		unknown: 'Inserisci un fuso orario valido, ad esempio Europe/Rome.',
		text: 'Definisce quando inizia e finisce un giorno. I giorni passati mantengono il loro fuso orario.',
	},
	hostnames: {
		title: 'Nomi host',
		text: '{{domain}} conta sempre. Contano anche i sottodomini, a meno che tu non indichi qui altri host.',
		label: 'Hostname consentiti (uno per riga)',
		bad: 'La riga {{line}} non è un nome host come example.com, *.example.com, !old.example.com o localhost.',
		hint: '*.example.com consente tutti i sottodomini, !old.example.com esclude un hostname, localhost consente il tuo computer.',
	},
	labels: {
		title: 'Etichette',
		text: 'Raggruppa i siti con le tue etichette.',
		hint: 'Separa le etichette con virgole (fino a 20).',
		bad: 'Al massimo 20 etichette, di al massimo 50 caratteri ciascuna.',
	},
	favorite: {
		title: 'Preferito',
		label: 'Fissa in cima all’elenco dei siti',
	},
	privacy: {
		title: 'Visibilità',
		text: 'Le modifiche si applicano subito, anche alle pagine aperte.',
		modes: {
			public: {
				title: 'Pubblico',
				text: 'Chiunque abbia il link può vedere le statistiche, ma non le impostazioni.',
			},
			private: {
				title: 'Privato',
				text: 'Solo tu e i membri invitati potete vedere le statistiche.',
			},
			password: {
				title: 'Password',
				text: 'Chiunque abbia il link e la password può vedere le statistiche. L’accesso dura un giorno.',
			},
		},
		password: 'Password',
		passwordHint: 'La vedi qui mentre scrivi, e poi da nessuna parte.',
		newPassword: 'Nuova password',
		keep: 'Lascia vuoto per mantenere la password impostata. Una nuova esclude tutti quelli che conoscevano la vecchia.',
		needed: 'Inserisci una password.',
		leftOver: 'È ancora salvata una password, che in questa modalità non viene usata.',
		remove: 'Rimuovi la password',
		off: 'Le statistiche pubbliche sono disattivate su questo server (TIDEMARK_PUBLIC_STATS). Tutti i siti sono trattati come privati.',
	},
	address: {
		title: 'Link di condivisione',
		label: 'Link alle statistiche',
		text: {
			public: 'Chiunque abbia questo link può vedere le statistiche.',
			private: 'Questo sito è privato. Cambia la visibilità per condividerlo.',
			password: 'I visitatori devono inserire la password. Inviala separatamente.',
		},
	},
	engines: {
		title: 'Motori di ricerca',
		label: 'Consenti ai motori di ricerca di indicizzare queste statistiche',
		hint: 'Se disattivato, la pagina invia noindex.',
		publicOnly: 'Vale solo finché il sito è pubblico.',
	},
	email: {
		title: 'E-mail',
		label: 'Rapporti via e-mail',
		hint: 'Un riepilogo di queste statistiche via e-mail.',
	},
	bots: {
		title: 'Bot',
		label: 'Escludi i bot',
		hint: 'Crawler, strumenti di monitoraggio e browser headless.',
	},
	signals: {
		title: 'Segnali di privacy',
		label: 'Rispetta Global Privacy Control e Do Not Track',
		hint: 'I visitatori il cui browser invia un segnale di privacy non vengono contati.',
	},
	addresses: {
		title: 'Indirizzi IP',
		hidden: 'Solo gli editor e gli amministratori di questo sito possono vedere questi indirizzi.',
		text: 'Il traffico da questi indirizzi IP e reti viene ignorato.',
		label: 'Indirizzi IP e reti (uno per riga)',
		hint: 'IPv4 o IPv6, reti come 10.0.0.0/8.',
		addMine: 'Aggiungi il mio indirizzo IP',
		bad: 'La riga {{line}} non è un indirizzo né una rete come 10.0.0.0/8.',
		added: '{{address}} è stato aggiunto. Salva per mantenerlo.',
		known: '{{address}} è già nell’elenco.',
	},
	ownVisits: {
		title: 'Le tue visite',
		text: 'Gli indirizzi IP cambiano. Apri questo link una volta in un browser per escluderlo da questo sito.',
		label: 'Link di esclusione per questo browser',
		back: 'Con #tidemark-count al posto di #tidemark-ignore viene contato di nuovo.',
	},
	params: {
		title: 'Parametri della query',
		text: 'Questi parametri di query vengono tolti dagli indirizzi prima di salvare qualsiasi cosa.',
		label: 'Nomi dei parametri (uno per riga)',
		hint: 'Inserisci & per rimuovere tutti i parametri.',
	},
	goals: {
		add: 'Aggiungi un obiettivo',
		edit: 'Modifica l’obiettivo',
		none: 'Non ci sono ancora obiettivi',
		noneText:
			'Un obiettivo conta le visite che raggiungono una pagina o inviano un evento: una pagina di ringraziamento, un’iscrizione.',
		name: 'Nome',
		kind: 'Tipo',
		kinds: {
			page: {
				title: 'Pagina',
				text: 'Viene vista una pagina.',
				bad: 'Un percorso inizia con / o *, e contiene * al massimo cinque volte.',
				pattern: 'Percorso della pagina',
			},
			event: {
				title: 'Evento',
				text: 'Viene inviato un evento personalizzato.',
				bad: 'Un nome contiene * al massimo cinque volte.',
				pattern: 'Nome dell’evento',
			},
		},
		wildcard: '* sta per qualsiasi carattere, fino a cinque volte.',
		property: 'Proprietà (facoltativa)',
		propertyHint: 'L’evento deve averla con questo valore.',
		value: 'Valore',
		valueNeeded: 'Una proprietà ha bisogno di un valore.',
		nameNeeded: 'Un obiettivo ha bisogno di un nome.',
		nameTaken: 'Esiste già un obiettivo con questo nome.',
		editOne: 'Modifica {{name}}',
		deleteOne: 'Elimina {{name}}',
		deleteTitle: 'Eliminare {{name}}?',
		deleteText: 'Gli eventi restano. Un obiettivo con la stessa regola mostra di nuovo gli stessi numeri.',
	},
	drops: {
		period: 'Periodo',
		periods: {
			'7d': 'Ultimi 7 giorni',
			'30d': 'Ultimi 30 giorni',
			'12months': 'Ultimi 12 mesi',
		},
		none: 'Nessun traffico escluso',
		noneText: 'Tutte le richieste di questo periodo sono state contate.',
		total_one: '{{total}} richiesta non è stata contata.',
		total_many: '{{total}} richieste non sono state contate.',
		total_other: '{{total}} richieste non sono state contate.',
		byReason: 'Per motivo',
		byDay: 'Per giorno',
		day: 'Giorno',
		why: 'Perché',
		hits: 'Richieste',
		hostnames: 'Hostname sconosciuti',
		hostnamesText:
			'Questi hostname hanno inviato richieste ma non sono consentiti. Consentine uno per contarlo d’ora in poi.',
		countThis: 'Consenti',
		countThisName: 'Consenti {{hostname}}',
		countsNow: 'Consentito',
		reasons: {
			prefetch: {
				title: 'Caricata in anticipo',
				text: 'Il browser ha precaricato la pagina. Viene contata quando è mostrata.',
			},
			bot: {
				title: 'Bot',
				text: 'Un bot, uno strumento o un browser senza finestra. Nelle esclusioni puoi scegliere di contarli.',
			},
			excluded_address: {
				title: 'Indirizzo IP escluso',
				text: 'L’indirizzo è nel tuo elenco nelle esclusioni.',
			},
			foreign_hostname: {
				title: 'Hostname sconosciuto',
				text: 'La pagina è su un host che non è del sito: una copia, una prova o la pagina di qualcun altro con il tuo snippet.',
			},
			privacy_signal: {
				title: 'Segnale di privacy',
				text: 'Il browser ha inviato Global Privacy Control o Do Not Track. Puoi cambiarlo in Esclusioni.',
			},
			bad_url: {
				title: 'URL non valido',
				text: 'Non c’era l’indirizzo di una pagina http o https: una pagina salvata, un’app o una chiamata errata.',
			},
			late: {
				title: 'Troppo tardi',
				text: 'È arrivato troppo tardi per essere associato a un visitatore. I server devono inviare gli eventi entro sette giorni.',
			},
			erased: {
				title: 'Prima dello svuotamento',
				text: 'È avvenuto prima dell’azzeramento delle statistiche.',
			},
			over_budget: {
				title: 'Limite di frequenza superato',
				text: 'Il sito ha ricevuto più richieste di quante ne consenta il limite. Le pagine riprovano fino a tre volte, quindi alcune sono state contate più tardi. Se è traffico reale, chiedi un limite più alto al gestore del server.',
			},
		},
	},
	retention: {
		title: 'Conservazione dei dati',
		text: 'Elimina eventi e visite dopo un periodo stabilito. I totali giornalieri restano, quindi anche i grafici storici.',
		label: 'Conservazione in mesi',
		placeholder: 'Per sempre',
		forever: 'Lascia vuoto per conservare eventi e visite per sempre.',
		deletes: 'Gli eventi e le visite prima del {{date}} saranno eliminati definitivamente entro un giorno.',
		range: 'Indica mesi interi da 1 a 120, oppure nulla.',
		saveAndDelete: 'Salva ed elimina i dati più vecchi',
	},
	reset: {
		title: 'Azzera statistiche',
		text: 'Elimina tutti i dati raccolti. Il sito, le impostazioni e gli obiettivi restano, e il conteggio continua.',
		button: 'Azzera',
		warning: 'Tutte le statistiche di {{domain}} verranno eliminate. Non si può annullare.',
		confirm: 'Azzera statistiche',
		done: 'Statistiche azzerate.',
	},
	delete: {
		title: 'Elimina il sito',
		text: 'Il sito, le impostazioni e tutte le statistiche vengono eliminati. Il suo ID non verrà mai riassegnato.',
		button: 'Elimina',
		warning: '{{domain}} e tutte le sue statistiche verranno eliminati. Non si può annullare.',
		confirm: 'Elimina il sito',
	},
	typed: {
		label: 'Scrivi {{domain}} per confermare',
		wrong: 'Questo non è {{domain}}.',
	},
	embed: {
		frame: 'Incorpora',
		frameText:
			'Incorpora la pagina delle statistiche in un iframe, chiaro o scuro. Solo le origini qui sotto possono incorporarla.',
		origins: 'Origini consentite (una per riga)',
		originsHint:
			'Ad esempio https://example.com o https://*.example.com. Lascia vuoto per disattivare l’incorporamento.',
		frameCode: 'Codice di incorporamento',
		badge: 'Badge',
		badgeText:
			'Un’immagine con i visitatori degli ultimi 30 giorni. Con look=counter è più grande, con theme=dark più scura.',
		badgeCode: 'Codice del badge',
	},
};
