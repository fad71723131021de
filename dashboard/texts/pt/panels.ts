import type { Texts } from '../texts.ts';

export const panels: Texts['panels'] = {
	visits: 'Visitas',
	visitors: 'Visitantes',
	availableFrom:
		'As visitas individuais são conhecidas a partir de {{date}}; estes dados existem desde esse dia.',
	map: {
		label: 'Mapa-múndi: visitantes por país',
		caption: 'Visitantes por país',
		country: 'País',
		elsewhere: 'Países pequenos e locais desconhecidos estão na lista de países.',
	},
	hours: {
		caption: 'Visitas por dia da semana e hora em que começaram, no horário do site',
		only: 'Apenas {{day}}',
		lastYear: 'Deste longo período, são mostradas as últimas 52 semanas.',
	},
	goals: {
		nothing: 'Nenhuma meta foi alcançada neste período',
		noneText:
			'Uma meta é uma página a que se chega ou um evento que acontece: um cadastro, uma venda, um download.',
		add: 'Adicionar meta',
		caption: 'Metas e suas conversões',
	},
	keys: {
		title: 'Teclado',
		text: 'Funcionam sempre que você não está digitando.',
		open: 'Atalhos',
		groups: { periods: 'Períodos', page: 'Nesta página', go: 'Ir para' },
		today: 'Hoje',
		week: 'Últimos 7 dias',
		month: 'Últimos 30 dias',
		year: 'Este ano',
		all: 'Todo o período',
		earlier: 'Anterior',
		later: 'Posterior',
		filter: 'Adicionar filtro',
		search: 'Buscar em todas as linhas',
		tile: '{{metric}} no gráfico',
		live: 'Visão ao vivo',
		statistics: 'Estatísticas',
		help: 'Mostrar esta lista',
	},
	embed: { foot: 'Contado pelo Tidemark, sem cookies' },
};
