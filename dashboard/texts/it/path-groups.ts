import type { Texts } from '../texts.ts';

export const pathGroups: Texts['pathGroups'] = {
	rules: {
		title: 'Regole',
		text: 'Raggruppa le pagine i cui percorsi contengono ID o date. Si applica la prima regola corrispondente. Le regole valgono anche per i dati passati.',
		hint: '* corrisponde a parte di un segmento del percorso, ** alla fine corrisponde al resto del percorso. $1 in un gruppo conserva ciò che ha trovato il primo *.',
		add: 'Aggiungi regola',
		none: 'Ancora nessuna regola. Ogni percorso è un gruppo a sé.',
		pattern: 'Modello',
		target: 'Gruppo',
		patternOf: 'Modello della regola {{rule}}',
		targetOf: 'Gruppo della regola {{rule}}',
		up: 'Sposta in alto la regola {{rule}}',
		down: 'Sposta in basso la regola {{rule}}',
		remove: 'Elimina la regola {{rule}}',
		bad: 'Controlla questa regola. Un modello inizia con / e ha al massimo un * per segmento; ** è consentito solo alla fine.',
		count: 'Percorsi: {{paths}} · Visualizzazioni: {{views}}',
		period: 'Anteprima degli ultimi 30 giorni.',
		partial: 'Anteprima degli ultimi 30 giorni, per i {{compared}} percorsi più visti su {{paths}}.',
		examples: 'Esempi',
		unmatched: 'Percorsi senza regola',
	},
	undo: {
		title: 'Annulla',
		text: 'Ripristina le regole precedenti. Le statistiche mostrano quindi gli stessi numeri di prima della modifica.',
		button: 'Annulla l’ultima modifica',
		done: 'L’ultima modifica è stata annullata.',
	},
	proposals: {
		title: 'Suggerimenti',
		text: 'In base ai percorsi degli ultimi 30 giorni a cui non corrisponde nessuna regola.',
		use: 'Usa',
		useOne: 'Usa la regola per {{pattern}}',
		none: 'Nessun suggerimento.',
	},
};
