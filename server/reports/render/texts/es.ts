import { createPlural } from './plural.ts';
import type { Against, ReportTexts } from './texts.ts';

const plural = createPlural('es');
const than: Record<Against, string> = {
	week: 'que la semana anterior',
	month: 'que el mes anterior',
	year: 'que hace un año',
};

export const es: ReportTexts = {
	metrics: {
		visitors: 'Visitantes',
		visits: 'Visitas',
		pageviews: 'Páginas vistas',
		bounce_rate: 'Tasa de rebote',
		visit_duration: 'Duración de la visita',
		revenue: 'Ingresos',
	},
	visitors: (count, shown) => `${shown} ${plural(count, { one: 'visitante', other: 'visitantes' })}`,
	subject: {
		week: ({ name, visitors, change }) => `${name}: ${visitors} la semana pasada${change}`,
		month: ({ name, visitors, change, month }) => `${name}: ${visitors} en ${month}${change}`,
	},
	websites: (count, shown) => `${shown} ${plural(count, { one: 'sitio', other: 'sitios' })}`,
	title: { week: 'Informe semanal', month: 'Informe mensual' },
	before: { week: 'Semana anterior', month: 'Mes anterior', year: 'Hace un año' },
	change: {
		more: (by, against) => `${by} más ${than[against]}`,
		fewer: (by, against) => `${by} menos ${than[against]}`,
		same: (against) => `igual ${than[against]}`,
		points: (count, shown) => `${shown} ${plural(count, { one: 'punto', other: 'puntos' })}`,
		before: (before) => `antes ${before}`,
		unchanged: 'sin cambios',
		new: 'nuevo',
	},
	chart: {
		title: 'Visitantes por día',
		legend: {
			week: { now: 'esta semana', before: 'semana anterior' },
			month: { now: 'este mes', before: 'mes anterior' },
		},
		summary: ({ most, mostVisitors, least, leastVisitors }) =>
			`Mejor día: ${most} (${mostVisitors}). Día más tranquilo: ${least} (${leastVisitors}).`,
	},
	lists: {
		pages: 'Páginas',
		sources: 'Fuentes',
		countries: 'Países',
		goals: 'Objetivos',
		changed: 'Qué ha cambiado',
	},
	columns: { website: 'Sitio', conversions: 'Conversiones', rate: 'Tasa' },
	changed: {
		page: ({ value, visitors, before }) => `Página ${value}: ${visitors}, antes ${before}.`,
		source: ({ value, visitors, before }) => `Fuente ${value}: ${visitors}, antes ${before}.`,
		newPage: ({ value, visitors }) => `Nueva página ${value}: ${visitors}.`,
		newSource: ({ value, visitors }) => `Nueva fuente ${value}: ${visitors}.`,
		goal: ({ value, count, before: then }) => `Conversiones de ${value}: ${count}, antes ${then}.`,
	},
	values: { direct: 'Directo', unknown: 'Desconocido' },
	nobody: { week: 'Sin visitantes esta semana.', month: 'Sin visitantes este mes.' },
	provisional:
		'Provisional: algunos de estos días aún se estaban procesando cuando se creó este informe. El panel muestra los datos más recientes.',
	open: { week: 'Abrir esta semana', month: 'Abrir este mes' },
	openAll: 'Abrir todos los sitios',
	others: (count, shown) => `y ${shown} ${plural(count, { one: 'sitio más', other: 'sitios más' })}`,
	why: {
		week: ({ name }) => `Recibes este correo porque los informes semanales de ${name} están activados.`,
		month: ({ name }) => `Recibes este correo porque los informes mensuales de ${name} están activados.`,
	},
	whyDigest: {
		week: 'Recibes este correo porque los informes semanales de estos sitios están activados.',
		month: 'Recibes este correo porque los informes mensuales de estos sitios están activados.',
	},
	unsubscribe: 'Darse de baja',
	foot: {
		zone: (zone) => `Zona horaria: ${zone}.`,
		visitor: 'Los visitantes se cuentan por día. Quien vuelve otro día se cuenta de nuevo.',
	},
	poweredBy: 'Con la tecnología de Tidemark',
	feed: { title: (name) => `Informes de ${name}` },
};
