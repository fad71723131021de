import type { Texts } from '../texts.ts';

export const settings: Texts['settings'] = {
	title: 'Impostazioni',
	chooseTab: 'Impostazioni: {{tab}}',
	readOnly:
		'Hai accesso in sola lettura. Gli editor e gli amministratori di questo sito possono modificare queste impostazioni.',
	adminsOnly: 'Solo gli amministratori di questo sito possono modificare queste impostazioni.',
	tabs: {
		general: {
			title: 'Generali',
			text: 'Dominio, fuso orario, nomi host ed etichette.',
		},
		sharing: {
			title: 'Condivisione',
			text: 'Chi può vedere le statistiche e come mostrarle su altre pagine.',
		},
		goals: {
			title: 'Obiettivi',
			text: 'Pagine ed eventi che contano come conversioni.',
		},
		paths: {
			title: 'Gruppi di pagine',
			text: 'Regole che raggruppano le pagine, ad esempio tutte le pagine prodotto.',
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
	unsaved: {
		title: 'Modifiche non salvate',
		discard: 'Annulla modifiche',
		save: 'Salva modifiche',
		leaveTitle: 'Uscire senza salvare?',
		leaveText: 'Le modifiche non sono salvate: {{titles}}.',
		leave: 'Esci',
	},
	domain: {
		title: 'Dominio',
		text: 'Rinominando, il sito mantiene il suo ID ({{id}}), le statistiche e lo snippet. Da quel momento contano solo le pagine del nuovo dominio.',
		hint: 'Per continuare a contare il vecchio dominio, aggiungi entrambi in Nomi host.',
		taken: 'Hai già un sito {{domain}}.',
		bad: 'Inserisci un dominio valido, ad esempio example.com.',
	},
	install: {
		title: 'Snippet',
		text: 'L’ID di questo sito è {{id}}.',
		link: 'Guide all’installazione',
	},
	zone: {
		title: 'Fuso orario',
		unknown: 'Inserisci un fuso orario valido, ad esempio Europe/Rome.',
		text: 'Definisce quando inizia e finisce un giorno. I giorni passati mantengono il loro fuso orario.',
	},
	hostnames: {
		title: 'Nomi host',
		text: '{{domain}} conta sempre. Contano anche i sottodomini, a meno che tu non indichi qui altri nomi host.',
		label: 'Nomi host consentiti (uno per riga)',
		bad: 'La riga {{line}} non è un nome host valido. Esempi: example.com, *.example.com, !old.example.com, localhost.',
		hint: '*.example.com consente tutti i sottodomini, !old.example.com esclude un nome host, localhost consente il tuo computer.',
	},
	labels: {
		title: 'Etichette',
		text: 'Raggruppa i siti con le tue etichette.',
		hint: 'Separa le etichette con virgole (fino a 20).',
		bad: 'Inserisci al massimo 20 etichette di 50 caratteri ciascuna.',
	},
	favorite: {
		title: 'Preferito',
		label: 'Fissa in cima all’elenco dei siti',
	},
	privacy: {
		title: 'Visibilità',
		text: 'Le modifiche salvate valgono anche per le pagine già aperte.',
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
		passwordHint: 'Visibile mentre scrivi. In seguito non potrà più essere mostrata.',
		newPassword: 'Nuova password',
		keep: 'Lascia vuoto per mantenere la password attuale. Una nuova password revoca l’accesso a tutti quelli che usavano la vecchia.',
		needed: 'Inserisci una password.',
		leftOver: 'La password salvata non viene usata in questa modalità.',
		remove: 'Rimuovi password',
		off: 'Le statistiche pubbliche sono disattivate su questo server (TIDEMARK_PUBLIC_STATS). Tutti i siti sono trattati come privati.',
	},
	address: {
		title: 'Pagina pubblica',
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
		hint: 'Se disattivato, ai motori di ricerca viene chiesto di non indicizzare questa pagina.',
		publicOnly: 'Si applica solo finché il sito è pubblico.',
	},
	email: {
		title: 'E-mail',
		label: 'Rapporti via e-mail',
		hint: 'Un riepilogo di queste statistiche via e-mail.',
	},
	bots: {
		title: 'Bot',
		label: 'Escludi bot',
		hint: 'Crawler, strumenti di monitoraggio e browser headless.',
	},
	signals: {
		title: 'Segnali di privacy',
		label: 'Rispetta Global Privacy Control e Do Not Track',
		hint: 'I visitatori il cui browser invia un segnale di privacy non vengono contati.',
	},
	addresses: {
		title: 'Indirizzi IP',
		hidden: 'Solo gli editor e gli amministratori di questo sito possono vedere questo elenco.',
		text: 'Il traffico da questi indirizzi IP e reti viene ignorato.',
		label: 'Indirizzi IP e reti (uno per riga)',
		hint: 'IPv4 o IPv6; reti in notazione CIDR, ad esempio 10.0.0.0/8.',
		addMine: 'Aggiungi il mio indirizzo IP',
		bad: 'La riga {{line}} non è un indirizzo IP né una rete valida, ad esempio 10.0.0.0/8.',
		added: '{{address}} aggiunto. Salva per applicare.',
		known: '{{address}} è già nell’elenco.',
	},
	ownVisits: {
		title: 'Le tue visite',
		text: 'Gli indirizzi IP cambiano. Apri questo link una volta in un browser per escluderlo da questo sito.',
		label: 'Link di esclusione per questo browser',
		back: 'Usa #tidemark-count al posto di #tidemark-ignore per contare di nuovo il browser.',
	},
	params: {
		title: 'Parametri della query',
		text: 'Questi parametri vengono rimossi dagli URL prima del salvataggio.',
		label: 'Nomi dei parametri (uno per riga)',
		hint: 'Inserisci & per rimuovere tutti i parametri.',
	},
	goals: {
		add: 'Aggiungi obiettivo',
		edit: 'Modifica obiettivo',
		none: 'Ancora nessun obiettivo',
		noneText:
			'Un obiettivo conta le visite che raggiungono una pagina o attivano un evento, ad esempio una pagina di ringraziamento o un’iscrizione.',
		name: 'Nome',
		kind: 'Tipo',
		kinds: {
			page: {
				title: 'Pagina',
				text: 'Viene vista una pagina.',
				bad: 'Un percorso inizia con / o * e contiene al massimo cinque *.',
				pattern: 'Percorso della pagina',
			},
			event: {
				title: 'Evento',
				text: 'Viene inviato un evento personalizzato.',
				bad: 'Un nome contiene al massimo cinque *.',
				pattern: 'Nome dell’evento',
			},
		},
		wildcard: '* corrisponde a qualsiasi carattere (fino a cinque volte).',
		property: 'Proprietà (facoltativa)',
		propertyHint: 'L’evento deve avere anche questa proprietà, con un valore corrispondente.',
		value: 'Valore',
		valueNeeded: 'Inserisci un valore per la proprietà.',
		numberNeeded: 'Inserisci un numero, ad esempio 10 o 19,99.',
		nameNeeded: 'Inserisci un nome.',
		nameTaken: 'Esiste già un obiettivo con questo nome.',
		editOne: 'Modifica {{name}}',
		deleteOne: 'Elimina {{name}}',
		deleteTitle: 'Eliminare {{name}}?',
		deleteText:
			'Gli eventi vengono conservati. Un obiettivo con la stessa regola mostra di nuovo gli stessi numeri.',
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
		total_one: '{{total}} richiesta è stata esclusa.',
		total_many: '{{total}} richieste sono state escluse.',
		total_other: '{{total}} richieste sono state escluse.',
		byReason: 'Per motivo',
		byDay: 'Per giorno',
		day: 'Giorno',
		why: 'Motivo',
		hits: 'Richieste',
		hostnames: 'Nomi host sconosciuti',
		hostnamesText:
			'Questi nomi host hanno inviato richieste ma non sono consentiti. Consentine uno per contarlo d’ora in poi.',
		countThis: 'Consenti',
		countThisName: 'Consenti {{hostname}}',
		countsNow: 'Consentito',
		reasons: {
			prefetch: {
				title: 'Precaricamento',
				text: 'Il browser ha precaricato la pagina. Viene contata quando è mostrata.',
			},
			bot: {
				title: 'Bot',
				text: 'Un bot, uno strumento o un browser headless. Puoi contare i bot in Esclusioni.',
			},
			excluded_address: {
				title: 'Indirizzo IP escluso',
				text: 'L’indirizzo IP è nel tuo elenco in Esclusioni.',
			},
			foreign_hostname: {
				title: 'Nome host sconosciuto',
				text: 'La pagina non è su un nome host consentito: una copia, un ambiente di test o un altro sito con il tuo snippet.',
			},
			privacy_signal: {
				title: 'Segnale di privacy',
				text: 'Il browser ha inviato Global Privacy Control o Do Not Track. Puoi cambiarlo in Esclusioni.',
			},
			bad_url: {
				title: 'URL non valido',
				text: 'L’URL non era di una pagina http o https: una pagina salvata, un’app o una chiamata non valida.',
			},
			late: {
				title: 'Troppo tardi',
				text: 'È arrivato troppo tardi per essere associato a un visitatore. I server devono inviare gli eventi entro sette giorni.',
			},
			erased: {
				title: 'Prima dell’azzeramento',
				text: 'È avvenuto prima dell’azzeramento delle statistiche.',
			},
			over_budget: {
				title: 'Limite di frequenza superato',
				text: 'Il sito ha ricevuto più richieste di quante ne consenta il limite. Le pagine riprovano fino a tre volte, quindi alcune sono state contate più tardi. Se è traffico reale, chiedi un limite più alto al gestore del server.',
			},
			rule: {
				title: 'Regola del traffico',
				text: 'La richiesta corrispondeva a una regola del traffico. Puoi modificare le regole in Esclusioni.',
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
		range: 'Inserisci un numero intero da 1 a 120 o lascia vuoto.',
		saveAndDelete: 'Salva ed elimina i dati più vecchi',
	},
	reset: {
		title: 'Azzera statistiche',
		text: 'Elimina tutti i dati raccolti. Il sito, le impostazioni e gli obiettivi restano, e il conteggio continua.',
		warning: 'Tutte le statistiche di {{domain}} verranno eliminate. L’operazione non può essere annullata.',
		confirm: 'Azzera statistiche',
		done: 'Statistiche azzerate.',
	},
	delete: {
		title: 'Elimina sito',
		text: 'Elimina il sito, le impostazioni e tutte le statistiche. Il suo ID non verrà mai riutilizzato.',
		warning:
			'{{domain}} e tutte le sue statistiche verranno eliminati. L’operazione non può essere annullata.',
		confirm: 'Elimina sito',
	},
	typed: {
		label: 'Scrivi {{domain}} per confermare',
		wrong: 'Il nome non corrisponde a {{domain}}.',
	},
	embed: {
		frame: 'Incorpora',
		frameText:
			'Incorpora la pagina delle statistiche in un iframe, chiaro o scuro. Solo le origini qui sotto possono incorporarla.',
		origins: 'Origini consentite (una per riga)',
		originsHint:
			'Ad esempio https://example.com o https://*.example.com. Lascia vuoto per disattivare l’incorporamento.',
		page: 'Pagina',
		frameCode: 'Codice di incorporamento',
		badge: 'Badge',
		badgeText: 'Un’immagine con il numero di visitatori, aggiornata ogni minuto.',
		badgeCode: 'Codice del badge',
		title: 'Incorporamento e badge',
		publicOnly:
			'Si possono incorporare solo i siti pubblici e i link di condivisione senza password. Solo i siti pubblici hanno un badge.',
		preview: 'Anteprima',
		badgeLook: 'Stile',
		looks: {
			badge: 'Badge',
			counter: 'Contatore',
		},
	},
};
