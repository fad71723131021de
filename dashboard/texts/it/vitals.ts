import type { Texts } from '../texts.ts';

export const vitals: Texts['vitals'] = {
	title: 'Segnali web essenziali',
	text: 'Il 75% delle visualizzazioni era almeno buono quanto questi valori.',
	names: {
		lcp: 'Largest Contentful Paint',
		inp: 'Interaction to Next Paint',
		cls: 'Cumulative Layout Shift',
	},
	definitions: {
		lcp: 'LCP: tempo necessario per visualizzare l’elemento più grande della pagina. Buono fino a {{good}}, scarso oltre {{poor}}.',
		inp: 'INP: tempo di risposta della pagina all’interazione più lenta. Buono fino a {{good}}, scarso oltre {{poor}}.',
		cls: 'CLS: entità degli spostamenti imprevisti del layout. Buono fino a {{good}}, scarso oltre {{poor}}.',
	},
	ratings: {
		good: 'Buono',
		needs_improvement: 'Da migliorare',
		poor: 'Scarso',
	},
	rating: 'Valutazione',
	p75: '75º percentile',
	samples: 'Visualizzazioni',
	caption: 'Segnali web essenziali: 75º percentile e distribuzione delle visualizzazioni',
	pages: '{{name}} per pagina',
	refused:
		'I segnali web essenziali si possono filtrare solo per pagina, nome host, paese, dispositivo, browser e sistema operativo. Rimuovi gli altri filtri per vederli.',
	from: 'Le misurazioni precedenti sono state eliminate. I dati iniziano il {{date}}.',
};
