import type { Texts } from '../texts.ts';

export const vitals: Texts['vitals'] = {
	title: 'Métricas essenciais da Web',
	text: 'Três de cada quatro visualizações foram tão boas quanto estes valores, ou melhores.',
	names: { lcp: 'Maior elemento visível', inp: 'Resposta mais lenta', cls: 'Mudança de layout' },
	definitions: {
		lcp: 'LCP: quanto tempo levou até a maior parte da página aparecer. Bom até {{good}}, ruim acima de {{poor}}.',
		inp: 'INP: quanto tempo a página levou para responder à ação mais lenta. Bom até {{good}}, ruim acima de {{poor}}.',
		cls: 'CLS: quanto a página se moveu sozinha. Bom até {{good}}, ruim acima de {{poor}}.',
	},
	ratings: { good: 'Bom', needs_improvement: 'Precisa melhorar', poor: 'Ruim' },
	rating: 'Avaliação',
	p75: 'Percentil 75',
	samples: 'Visualizações',
	caption: 'Métricas essenciais da Web: o percentil 75 e a distribuição das visualizações',
	pages: '{{name}} por página',
	refused:
		'Estas métricas são de visualizações isoladas. Podem ser filtradas por página, host, país, dispositivo, navegador e sistema operacional; remova os outros filtros para vê-las.',
	from: 'Medições anteriores foram excluídas; estas começam em {{date}}.',
};
