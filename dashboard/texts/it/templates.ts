import type { Texts } from '../texts.ts';

export const templates: Texts['templates'] = {
	label: 'Modello',
	none: 'Nessun modello',
	hint: 'Copia impostazioni, obiettivi, funnel, segmenti, gruppi di pagine e regole di traffico del modello.',
	manage: 'Gestisci modelli',
	manageText: 'Rinominare o eliminare un modello non modifica alcun sito.',
	rename: 'Rinomina',
	renameOne: 'Rinomina: {{name}}',
	name: 'Nome del modello',
	empty: 'Ancora nessun modello.',
	save: {
		title: 'Salva come modello',
		text: 'I nuovi siti possono partire da impostazioni, obiettivi, funnel, segmenti, gruppi di pagine e regole di traffico di questo sito. Password, nomi host e destinatari non vengono copiati.',
		done: 'Modello salvato. Puoi sceglierlo quando aggiungi un sito.',
	},
	bulk: {
		open: 'Modifica più siti',
		title: 'Modifica più siti',
		text: 'I siti di questa pagina dell’elenco.',
		selectAll: 'Seleziona tutto',
		selectNone: 'Deseleziona tutto',
		noneSelected: 'Seleziona almeno un sito.',
		add: 'Aggiungi etichette',
		remove: 'Rimuovi etichette',
		template: 'Applica un modello',
		templateHint:
			'Applica le impostazioni del modello e aggiunge i suoi obiettivi e altri elementi. Non viene rimosso nulla.',
		send: 'Applica',
	},
};
