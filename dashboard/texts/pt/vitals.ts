import type { Texts } from '../texts.ts';

export const vitals: Texts['vitals'] = {
	title: 'Métricas essenciais da Web',
	text: '75% das visualizações foram pelo menos tão boas quanto estes valores.',
	names: {
		lcp: 'Largest Contentful Paint',
		inp: 'Interaction to Next Paint',
		cls: 'Cumulative Layout Shift',
	},
	definitions: {
		lcp: 'LCP: tempo até o maior elemento da página ser renderizado. Bom até {{good}}, ruim acima de {{poor}}.',
		inp: 'INP: tempo que a página leva para responder à interação mais lenta. Bom até {{good}}, ruim acima de {{poor}}.',
		cls: 'CLS: quanto o layout muda inesperadamente. Bom até {{good}}, ruim acima de {{poor}}.',
	},
	ratings: {
		good: 'Bom',
		needs_improvement: 'Precisa melhorar',
		poor: 'Ruim',
	},
	rating: 'Avaliação',
	p75: 'Percentil 75',
	samples: 'Visualizações',
	caption: 'Métricas essenciais da Web: percentil 75 e distribuição das visualizações',
	pages: '{{name}} por página',
	refused:
		'As métricas essenciais da Web só podem ser filtradas por página, nome de host, país, dispositivo, navegador e sistema operacional. Remova os outros filtros para vê-las.',
	from: 'As medições anteriores foram excluídas. Os dados começam em {{date}}.',
};
