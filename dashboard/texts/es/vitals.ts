import type { Texts } from '../texts.ts';

export const vitals: Texts['vitals'] = {
	title: 'Métricas web esenciales',
	text: 'Tres de cada cuatro páginas vistas fueron tan buenas como estos valores, o mejores.',
	names: { lcp: 'Mayor elemento visible', inp: 'Respuesta más lenta', cls: 'Cambio de diseño' },
	definitions: {
		lcp: 'LCP: cuánto tardó en mostrarse la parte más grande de la página. Bueno hasta {{good}}, malo por encima de {{poor}}.',
		inp: 'INP: cuánto tardó la página en responder a la acción más lenta. Bueno hasta {{good}}, malo por encima de {{poor}}.',
		cls: 'CLS: cuánto se movió la página por sí sola. Bueno hasta {{good}}, malo por encima de {{poor}}.',
	},
	ratings: { good: 'Bueno', needs_improvement: 'Mejorable', poor: 'Malo' },
	rating: 'Valoración',
	p75: 'Percentil 75',
	samples: 'Páginas vistas',
	caption: 'Métricas web esenciales: el percentil 75 y el reparto de las páginas vistas',
	pages: '{{name}} por página',
	refused:
		'Estas métricas son de páginas vistas sueltas. Se pueden filtrar por página, host, país, dispositivo, navegador y sistema operativo; quita los demás filtros para verlas.',
	from: 'Las mediciones anteriores se eliminaron; estas empiezan el {{date}}.',
};
