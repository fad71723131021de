import { createPlural } from './plural.ts';
import type { Against, ReportTexts } from './texts.ts';

const plural = createPlural('pt');
const than: Record<Against, string> = {
	week: 'que na semana anterior',
	month: 'que no mês anterior',
	year: 'que há um ano',
};

export const pt: ReportTexts = {
	metrics: {
		visitors: 'Visitantes',
		visits: 'Visitas',
		pageviews: 'Visualizações',
		bounce_rate: 'Taxa de rejeição',
		visit_duration: 'Duração da visita',
		revenue: 'Receita',
	},
	visitors: (count, shown) => `${shown} ${plural(count, { one: 'visitante', other: 'visitantes' })}`,
	subject: {
		week: ({ name, visitors, change }) => `${name}: ${visitors} na semana passada${change}`,
		month: ({ name, visitors, change, month }) => `${name}: ${visitors} em ${month}${change}`,
	},
	websites: (count, shown) => `${shown} ${plural(count, { one: 'site', other: 'sites' })}`,
	title: { week: 'Relatório semanal', month: 'Relatório mensal' },
	before: { week: 'Semana anterior', month: 'Mês anterior', year: 'Há um ano' },
	change: {
		more: (by, against) => `${by} a mais ${than[against]}`,
		fewer: (by, against) => `${by} a menos ${than[against]}`,
		same: (against) => `o mesmo ${than[against]}`,
		points: (count, shown) => `${shown} ${plural(count, { one: 'ponto', other: 'pontos' })}`,
		before: (before) => `antes ${before}`,
		unchanged: 'sem alteração',
		new: 'novo',
	},
	chart: {
		title: 'Visitantes por dia',
		legend: {
			week: { now: 'esta semana', before: 'semana anterior' },
			month: { now: 'este mês', before: 'mês anterior' },
		},
		summary: ({ most, mostVisitors, least, leastVisitors }) =>
			`Melhor dia: ${most} (${mostVisitors}). Dia mais fraco: ${least} (${leastVisitors}).`,
	},
	lists: {
		pages: 'Páginas',
		sources: 'Origens',
		countries: 'Países',
		goals: 'Metas',
		changed: 'O que mudou',
	},
	columns: { website: 'Site', conversions: 'Conversões', rate: 'Taxa' },
	changed: {
		page: ({ value, visitors, before }) => `Página ${value}: ${visitors}, antes ${before}.`,
		source: ({ value, visitors, before }) => `Origem ${value}: ${visitors}, antes ${before}.`,
		newPage: ({ value, visitors }) => `Nova página ${value}: ${visitors}.`,
		newSource: ({ value, visitors }) => `Nova origem ${value}: ${visitors}.`,
		goal: ({ value, count, before: then }) => `Conversões de ${value}: ${count}, antes ${then}.`,
	},
	values: { direct: 'Direto', unknown: 'Desconhecido' },
	nobody: { week: 'Nenhum visitante nesta semana.', month: 'Nenhum visitante neste mês.' },
	provisional:
		'Provisório: alguns destes dias ainda estavam sendo processados quando este relatório foi criado. O painel mostra os dados mais recentes.',
	open: { week: 'Abrir esta semana', month: 'Abrir este mês' },
	openAll: 'Abrir todos os sites',
	others: (count, shown) => `e ${shown} ${plural(count, { one: 'outro site', other: 'outros sites' })}`,
	why: {
		week: ({ name }) => `Você recebe este e-mail porque os relatórios semanais de ${name} estão ativados.`,
		month: ({ name }) => `Você recebe este e-mail porque os relatórios mensais de ${name} estão ativados.`,
	},
	whyDigest: {
		week: 'Você recebe este e-mail porque os relatórios semanais destes sites estão ativados.',
		month: 'Você recebe este e-mail porque os relatórios mensais destes sites estão ativados.',
	},
	unsubscribe: 'Cancelar o recebimento',
	foot: {
		zone: (zone) => `Fuso horário: ${zone}.`,
		visitor: 'Os visitantes são contados por dia. Quem volta em outro dia é contado novamente.',
	},
	poweredBy: 'Desenvolvido com Tidemark',
	feed: { title: (name) => `Relatórios de ${name}` },
};
