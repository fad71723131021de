import type { Texts } from '../texts.ts';

export const vitals: Texts['vitals'] = {
	title: 'Métricas web esenciales',
	text: 'El 75 % de las páginas vistas fueron al menos tan buenas como estos valores.',
	names: {
		lcp: 'Largest Contentful Paint',
		inp: 'Interaction to Next Paint',
		cls: 'Cumulative Layout Shift',
	},
	definitions: {
		lcp: 'LCP: tiempo hasta que se muestra el elemento más grande de la página. Bueno hasta {{good}}, malo por encima de {{poor}}.',
		inp: 'INP: tiempo que tarda la página en responder a la interacción más lenta. Bueno hasta {{good}}, malo por encima de {{poor}}.',
		cls: 'CLS: cuánto cambia inesperadamente el diseño de la página. Bueno hasta {{good}}, malo por encima de {{poor}}.',
	},
	ratings: {
		good: 'Bueno',
		needs_improvement: 'Mejorable',
		poor: 'Malo',
	},
	rating: 'Valoración',
	p75: 'Percentil 75',
	samples: 'Páginas vistas',
	caption: 'Métricas web esenciales: percentil 75 y distribución de las páginas vistas',
	pages: '{{name}} por página',
	refused:
		'Las métricas web esenciales solo se pueden filtrar por página, nombre de host, país, dispositivo, navegador y sistema operativo. Quita los demás filtros para verlas.',
	from: 'Las mediciones anteriores se eliminaron. Los datos empiezan el {{date}}.',
};
