import type { Texts } from '../texts.ts';

export const panels: Texts['panels'] = {
	visits: 'Visitas',
	visitors: 'Visitantes',
	availableFrom: 'Os dados por visita começam em {{date}}.',
	map: {
		label: 'Mapa-múndi: visitantes por país',
		caption: 'Visitantes por país',
		country: 'País',
		unlisted: 'Países pequenos e localizações desconhecidas aparecem apenas na lista de países.',
	},
	hours: {
		caption: 'Visitas por dia da semana e hora, no fuso horário do site',
		only: 'Apenas {{day}}',
		lastYear: 'Exibindo apenas as últimas 52 semanas.',
	},
	goals: {
		nothing: 'Nenhuma meta alcançada neste período',
		caption: 'Metas e conversões',
		rate: 'Taxa',
	},
	keys: {
		title: 'Atalhos de teclado',
		text: 'Os atalhos funcionam quando nenhum campo está ativo.',
		open: 'Atalhos de teclado',
		groups: {
			periods: 'Períodos',
			page: 'Nesta página',
			go: 'Navegação',
		},
		today: 'Hoje',
		week: 'Últimos 7 dias',
		month: 'Últimos 30 dias',
		year: 'Este ano',
		all: 'Todo o período',
		earlier: 'Período anterior',
		later: 'Próximo período',
		filter: 'Adicionar filtro',
		search: 'Buscar em todas as linhas',
		tile: 'Mostrar {{metric}} no gráfico',
		live: 'Visão ao vivo',
		statistics: 'Estatísticas',
		help: 'Mostrar atalhos de teclado',
	},
	embed: {
		foot: 'Estatísticas sem cookies por Tidemark',
	},
};
