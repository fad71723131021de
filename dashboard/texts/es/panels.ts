import type { Texts } from '../texts.ts';

export const panels: Texts['panels'] = {
	visits: 'Visitas',
	visitors: 'Visitantes',
	availableFrom: 'Las visitas individuales se conocen desde el {{date}}; estos datos existen desde ese día.',
	map: {
		label: 'Mapa del mundo: visitantes por país',
		caption: 'Visitantes por país',
		country: 'País',
		elsewhere: 'Los países pequeños y los lugares desconocidos están en la lista de países.',
	},
	hours: {
		caption: 'Visitas por día de la semana y hora en que empezaron, según el reloj del sitio',
		only: 'Solo {{day}}',
		lastYear: 'De este periodo tan largo se muestran las últimas 52 semanas.',
	},
	goals: {
		nothing: 'No se alcanzó ningún objetivo en este periodo',
		noneText:
			'Un objetivo es una página a la que se llega o un evento que ocurre: un registro, una venta, una descarga.',
		add: 'Añadir un objetivo',
		caption: 'Objetivos y sus conversiones',
	},
	keys: {
		title: 'Atajos de teclado',
		text: 'Funcionan siempre que no estés escribiendo.',
		open: 'Atajos',
		groups: { periods: 'Periodos', page: 'En esta página', go: 'Ir a' },
		today: 'Hoy',
		week: 'Últimos 7 días',
		month: 'Últimos 30 días',
		year: 'Este año',
		all: 'Desde el principio',
		earlier: 'Antes',
		later: 'Después',
		filter: 'Añadir un filtro',
		search: 'Buscar en todas las filas',
		tile: '{{metric}} en el gráfico',
		live: 'Vista en tiempo real',
		statistics: 'Estadísticas',
		help: 'Mostrar esta lista',
	},
	embed: { foot: 'Contado por Tidemark, sin cookies' },
};
