import type { Texts } from '../texts.ts';

export const trafficRules: Texts['trafficRules'] = {
	title: 'Regole di traffico',
	text: 'Escludi richieste per percorso, nome host, paese, referrer, campagna, user agent, rete IP o operatore di rete. Le regole valgono per il nuovo traffico. La maggior parte si può applicare anche al traffico precedente.',
	textForEditors:
		'Escludi richieste per percorso, nome host, paese, referrer, campagna, user agent, rete IP o operatore di rete. Le regole valgono per il nuovo traffico. Gli amministratori possono applicarne la maggior parte anche al traffico precedente.',
	add: 'Aggiungi regola',
	edit: 'Modifica regola',
	none: 'Ancora nessuna regola.',
	noDrops: 'Nessuna richiesta esclusa negli ultimi 30 giorni',
	dropped_one: '{{total}} richiesta esclusa negli ultimi 30 giorni',
	dropped_many: '{{total}} di richieste escluse negli ultimi 30 giorni',
	dropped_other: '{{total}} richieste escluse negli ultimi 30 giorni',
	kind: 'Escludi per',
	kinds: {
		path: 'Percorso',
		hostname: 'Nome host',
		country: 'Paese',
		referrer: 'Referrer',
		campaign: 'Campagna (utm_campaign)',
		user_agent: 'User agent',
		network: 'Indirizzo o rete IP',
		operator: 'Operatore di rete',
	},
	domain: 'è il dominio o un sottodominio di',
	values: 'Valori',
	perLine: 'Uno per riga. Una richiesta che corrisponde a uno di essi viene esclusa.',
	country: 'Codici paese di due lettere, uno per riga.',
	operatorNumbers: 'Numeri AS come AS64500, uno per riga.',
	operatorNames: 'Parti di nomi, una per riga. Maiuscole e minuscole non vengono distinte.',
	operatorsMissing:
		'Questa regola non corrisponde a nulla, perché il database degli operatori di rete non è installato. Per installarlo, esegui {{command}} sul server.',
	firstPage:
		'Esclude solo le richieste con questo referrer o questa campagna, di solito la prima visualizzazione della visita. Le altre pagine della visita vengono contate.',
	applies: 'Vale per il nuovo traffico. Una volta salvata, si può applicare anche al traffico precedente.',
	appliesForEditors:
		'Vale per il nuovo traffico. Gli amministratori possono applicarla anche al traffico precedente.',
	appliesToNew:
		'Vale solo per il nuovo traffico, perché gli indirizzi IP, gli operatori di rete e gli user agent non vengono salvati.',
	matches_one: '{{total}} visita degli ultimi 30 giorni corrisponde.',
	matches_many: '{{total}} di visite degli ultimi 30 giorni corrispondono.',
	matches_other: '{{total}} visite degli ultimi 30 giorni corrispondono.',
	noMatch: 'Nessuna visita degli ultimi 30 giorni corrisponde.',
	loading: 'Conteggio delle visite corrispondenti…',
	reasons: {
		not_stored:
			'Nessuna anteprima: gli indirizzi IP, gli operatori di rete e gli user agent non vengono salvati, quindi le visite precedenti non si possono verificare.',
		too_many_values: 'Nessuna anteprima oltre 1.000 valori.',
		not_available: 'Nessuna anteprima: i dati delle visite non coprono gli ultimi 30 giorni.',
	},
	nameTaken: 'Esiste già una regola con questo nome.',
	valuesNeeded: 'Inserisci almeno un valore.',
	badValue: 'Il valore {{number}} non è valido per questo tipo di regola.',
	deleteText:
		'Il nuovo traffico che corrisponde alla regola verrà di nuovo contato. Le richieste escluse non vengono ripristinate.',
	byRule: 'Per regola del traffico',
};
