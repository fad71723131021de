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
		lcp: 'LCP: cuánto tardó en mostrarse la parte más grande de la página. Bueno hasta {{good}}, malo por encima de {{poor}}.',
		inp: 'INP: cuánto tardó la página en responder a la acción más lenta. Bueno hasta {{good}}, malo por encima de {{poor}}.',
		cls: 'CLS: cuánto se movió la página por sí sola. Bueno hasta {{good}}, malo por encima de {{poor}}.',
	},
	ratings: {
		good: 'Bueno',
		needs_improvement: 'Mejorable',
		poor: 'Malo',
	},
	rating: 'Valoración',
	p75: 'Percentil 75',
	samples: 'Páginas vistas',
	caption: 'Métricas web esenciales: el percentil 75 y el reparto de las páginas vistas',
	pages: '{{name}} por página',
	refused:
		'Las métricas web solo se pueden filtrar por página, host, país, dispositivo, navegador y sistema operativo. Quita los demás filtros para verlas.',
	from: 'Las mediciones anteriores se eliminaron. Los datos empiezan el {{date}}.',
};
