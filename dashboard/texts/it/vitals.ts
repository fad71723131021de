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
		lcp: 'LCP: quanto tempo è passato prima che apparisse la parte più grande della pagina. Buono fino a {{good}}, scarso oltre {{poor}}.',
		inp: 'INP: quanto tempo la pagina ha impiegato a rispondere all’azione più lenta. Buono fino a {{good}}, scarso oltre {{poor}}.',
		cls: 'CLS: quanto la pagina si è spostata da sola. Buono fino a {{good}}, scarso oltre {{poor}}.',
	},
	ratings: {
		good: 'Buono',
		needs_improvement: 'Da migliorare',
		poor: 'Scarso',
	},
	rating: 'Valutazione',
	p75: '75º percentile',
	samples: 'Visualizzazioni',
	caption: 'Segnali web essenziali: il 75º percentile e la distribuzione delle visualizzazioni',
	pages: '{{name}} per pagina',
	refused:
		'I Web Vitals si possono filtrare solo per pagina, hostname, paese, dispositivo, browser e sistema operativo. Rimuovi gli altri filtri per vederli.',
	from: 'Le misurazioni precedenti sono state eliminate. I dati iniziano il {{date}}.',
};
