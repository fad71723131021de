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
		lcp: 'LCP: quanto tempo levou até a maior parte da página aparecer. Bom até {{good}}, ruim acima de {{poor}}.',
		inp: 'INP: quanto tempo a página levou para responder à ação mais lenta. Bom até {{good}}, ruim acima de {{poor}}.',
		cls: 'CLS: quanto a página se moveu sozinha. Bom até {{good}}, ruim acima de {{poor}}.',
	},
	ratings: {
		good: 'Bom',
		needs_improvement: 'Precisa melhorar',
		poor: 'Ruim',
	},
	rating: 'Avaliação',
	p75: 'Percentil 75',
	samples: 'Visualizações',
	caption: 'Métricas essenciais da Web: o percentil 75 e a distribuição das visualizações',
	pages: '{{name}} por página',
	refused:
		'Os Web Vitals só podem ser filtrados por página, nome de host, país, dispositivo, navegador e sistema operacional. Remova os outros filtros para vê-los.',
	from: 'As medições anteriores foram excluídas. Os dados começam em {{date}}.',
};
