import type { Texts } from '../texts.ts';

export const deletions: Texts['deletions'] = {
	counting: 'Conteggio degli eventi corrispondenti…',
	none: 'Nessun evento corrisponde.',
	matches_one: '{{total}} evento ({{kinds}}) {{days}} verrà nascosto.',
	matches_many: '{{total}} di eventi ({{kinds}}) {{days}} verranno nascosti.',
	matches_other: '{{total}} eventi ({{kinds}}) {{days}} verranno nascosti.',
	pageviews_one: '{{total}} visualizzazione di pagina',
	pageviews_many: '{{total}} di visualizzazioni di pagina',
	pageviews_other: '{{total}} visualizzazioni di pagina',
	customEvents_one: '{{total}} evento personalizzato',
	customEvents_many: '{{total}} di eventi personalizzati',
	customEvents_other: '{{total}} eventi personalizzati',
	measurements_one: '{{total}} misurazione di coinvolgimento o segnali web',
	measurements_many: '{{total}} di misurazioni di coinvolgimento e segnali web',
	measurements_other: '{{total}} misurazioni di coinvolgimento e segnali web',
	days_one: 'del {{from}}',
	days_many: 'in {{total}} di giorni dal {{from}} al {{to}}',
	days_other: 'in {{total}} giorni dal {{from}} al {{to}}',
	totalsBefore:
		'I totali precedenti al {{date}} non cambiano, perché i loro eventi sono già stati eliminati allo scadere della conservazione dei dati.',
	earlierValues_one:
		'{{total}} valore verrà rimosso dalle ripartizioni dei giorni i cui eventi non sono più conservati e dei giorni importati. I totali di questi giorni non cambiano.',
	earlierValues_many:
		'{{total}} di valori verranno rimossi dalle ripartizioni dei giorni i cui eventi non sono più conservati e dei giorni importati. I totali di questi giorni non cambiano.',
	earlierValues_other:
		'{{total}} valori verranno rimossi dalle ripartizioni dei giorni i cui eventi non sono più conservati e dei giorni importati. I totali di questi giorni non cambiano.',
	alreadyHidden_one:
		'{{total}} evento corrispondente è già nascosto da un’altra eliminazione. Verrà conteggiato di nuovo solo se entrambe vengono annullate e verrà eliminato dal disco con la prima.',
	alreadyHidden_many:
		'{{total}} di eventi corrispondenti sono già nascosti da un’altra eliminazione. Verranno conteggiati di nuovo solo se entrambe vengono annullate e verranno eliminati dal disco con la prima.',
	alreadyHidden_other:
		'{{total}} eventi corrispondenti sono già nascosti da un’altra eliminazione. Verranno conteggiati di nuovo solo se entrambe vengono annullate e verranno eliminati dal disco con la prima.',
	referrers_one:
		'{{total}} evento di un’altra pagina contiene un percorso corrispondente nel referrer e viene conservato. Per eliminarlo, usa un filtro sul referrer.',
	referrers_many:
		'{{total}} di eventi di altre pagine contengono un percorso corrispondente nel referrer e vengono conservati. Per eliminarli, usa un filtro sul referrer.',
	referrers_other:
		'{{total}} eventi di altre pagine contengono un percorso corrispondente nel referrer e vengono conservati. Per eliminarli, usa un filtro sul referrer.',
	keeps:
		'Gli eventi vengono subito nascosti da tutte le statistiche. Puoi ripristinarli fino al {{date}}. Poi vengono eliminati dal disco.',
	keepsNone:
		'Gli eventi vengono subito nascosti da tutte le statistiche ed eliminati dal disco appena possibile. L’operazione non può essere annullata.',
	keepsValues: 'I valori vengono subito nascosti. Puoi ripristinarli fino al {{date}}.',
	keepsValuesNone: 'I valori vengono eliminati appena possibile. L’operazione non può essere annullata.',
	tooLarge:
		'Al traffico precedente si possono applicare al massimo 1.000 valori per un totale di 60.000 caratteri. Suddividili in più regole o eliminazioni.',
	limit:
		'Troppe eliminazioni possono ancora essere annullate. Ripristinane una o attendi che scada il suo periodo.',
	newEvents: 'I nuovi eventi non sono interessati.',
	exclude: 'Escludi il nuovo traffico',
	undo: 'Ripristina',
	valuesDeleted: '(valori eliminati)',
	states: {
		hidden: 'Nascosti. Ripristinabili fino al {{date}}.',
		due: 'Nascosti. Verranno presto eliminati dal disco.',
		deleted: 'Eliminati dal disco il {{date}}.',
		undone: 'Ripristinati il {{date}}.',
	},
	rule: {
		apply: 'Applica al traffico precedente',
		applyOne: 'Applica al traffico precedente: {{name}}',
		title: 'Applicare {{name}} al traffico precedente?',
		text: 'Gli eventi precedenti che corrispondono a questa regola vengono subito nascosti da tutte le statistiche.',
		textUntil:
			'Gli eventi precedenti che corrispondono a questa regola vengono subito nascosti da tutte le statistiche. Puoi ripristinarli fino al {{date}}. Poi vengono eliminati dal disco.',
		textFinal:
			'Gli eventi precedenti che corrispondono a questa regola vengono subito nascosti da tutte le statistiche ed eliminati dal disco appena possibile. L’operazione non può essere annullata.',
		action: 'Nascondi traffico precedente',
		hidden_one: '{{total}} evento precedente nascosto. Ripristinabile fino al {{date}}.',
		hidden_many: '{{total}} di eventi precedenti nascosti. Ripristinabili fino al {{date}}.',
		hidden_other: '{{total}} eventi precedenti nascosti. Ripristinabili fino al {{date}}.',
		due_one: '{{total}} evento precedente nascosto. Verrà presto eliminato dal disco.',
		due_many: '{{total}} di eventi precedenti nascosti. Verranno presto eliminati dal disco.',
		due_other: '{{total}} eventi precedenti nascosti. Verranno presto eliminati dal disco.',
		staysHidden:
			'Il traffico precedente nascosto da questa regola resta nascosto. Gli amministratori possono ripristinarlo in Dati.',
	},
	filter: {
		title: 'Elimina dati per filtro',
		text: 'Elimina gli eventi precedenti che soddisfano delle condizioni, ad esempio dati personali inviati per errore da una pagina. Prima vedrai un’anteprima. I nuovi eventi non sono interessati.',
		dialogText: 'Seleziona gli eventi. Prima di eliminare, vedrai un’anteprima.',
		conditions: 'Eventi che soddisfano tutte le condizioni',
		condition: 'Condizione {{number}}',
		field: 'Campo',
		query: 'Stringa di query',
		perLine: 'Uno per riga. Basta che uno corrisponda.',
		badValue: 'Il valore {{number}} non è valido per questo campo.',
		propertyNeeded: 'Inserisci il nome della proprietà.',
		add: 'Aggiungi condizione',
		remove: 'Rimuovi condizione {{number}}',
		allDays: 'Lascia vuoto per tutti i giorni.',
		keep: 'Periodo di ripristino',
		keepDays: '{{days}} giorni',
		keepNone: 'Nessuno: elimina appena possibile',
		preview: 'Anteprima',
		action_one: 'Elimina {{total}} evento',
		action_many: 'Elimina {{total}} di eventi',
		action_other: 'Elimina {{total}} eventi',
		confirm_one: 'Eliminare {{total}} evento?',
		confirm_many: 'Eliminare {{total}} di eventi?',
		confirm_other: 'Eliminare {{total}} eventi?',
		done: 'Eventi rimossi da tutte le statistiche.',
	},
	elsewhere: {
		title: 'Gli stessi dati possono trovarsi anche in',
		reports_one: '{{total}} rapporto salvato su questi giorni',
		reports_many: '{{total}} di rapporti salvati su questi giorni',
		reports_other: '{{total}} rapporti salvati su questi giorni',
		deadLetters_one: 'Messaggi non recapitati: {{total}} evento che non è stato possibile scrivere',
		deadLetters_many: 'Messaggi non recapitati: {{total}} di eventi che non è stato possibile scrivere',
		deadLetters_other: 'Messaggi non recapitati: {{total}} eventi che non è stato possibile scrivere',
		backup: 'Backup prima di un aggiornamento, creato il {{made}}, scade il {{expires}}',
		own: 'Le esportazioni e i backup che hai creato tu non vengono modificati.',
	},
	list: {
		title: 'Dati eliminati',
		rule: 'Regola di traffico: {{name}}',
		and: 'e',
		events_one: '{{total}} evento {{days}}',
		events_many: '{{total}} di eventi {{days}}',
		events_other: '{{total}} eventi {{days}}',
		values_one: '{{total}} valore nelle ripartizioni di totali precedenti',
		values_many: '{{total}} di valori nelle ripartizioni di totali precedenti',
		values_other: '{{total}} valori nelle ripartizioni di totali precedenti',
		noEvents: 'Nessun evento',
		all: 'Mostra tutto',
	},
};
