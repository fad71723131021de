import type { Texts } from '../texts.ts';

export const reports: Texts['reports'] = {
	title: 'Rapporti',
	text: 'Riepiloghi settimanali e mensili di questo sito.',
	none: 'Ancora nessun rapporto',
	noneText: 'Il primo rapporto viene creato alla fine della settimana o del mese.',
	week: 'Settimana',
	month: 'Mese',
	provisional: 'provvisorio',
	changed: 'Che cosa è cambiato',
	visitors_one: '{{count}} visitatore',
	visitors_other: '{{count}} visitatori',
	pages: 'Paginazione',
	schedule: 'Pianificazione',
	mail: 'E-mail',
	all: 'Tutti i rapporti',
	listLabel: 'Rapporti, dal più recente',
	feed: {
		title: 'Feed',
		text: 'Iscriviti ai rapporti di questo sito in un lettore di feed. Chiunque abbia l’URL può leggerli, quindi tienilo segreto.',
		make: 'Crea URL del feed',
		label: 'URL del feed',
		once: 'Copialo ora. Viene mostrato una sola volta.',
		since:
			'Un URL del feed è stato creato il {{date}}. È stato mostrato una sola volta. Uno nuovo lo sostituisce.',
		renew: 'Crea nuovo URL del feed',
		remove: 'Rimuovi URL del feed',
		renewTitle: 'Creare un nuovo URL del feed?',
		removeTitle: 'Rimuovere l’URL del feed?',
		gone: 'L’URL attuale smette subito di funzionare.',
	},
	settings: {
		title: 'Rapporti',
		text: 'Inviati alle 7 nel fuso orario di ogni sito, per i siti con i rapporti via e-mail attivi.',
		schedule: 'Frequenza',
		schedules: {
			none: 'Mai',
			week: 'Settimanale, il lunedì',
			month: 'Mensile, il giorno 1',
			both: 'Settimanale e mensile',
		},
		digest: 'Raccogli tutti i siti in un’e-mail',
		digestHint: 'Una riga per sito invece di e-mail separate.',
	},
	previewTitle: 'Anteprima',
	preview:
		'Gli ultimi 7 giorni, come li mostrerà il report settimanale. Il primo report viene creato alla fine della settimana.',
};
