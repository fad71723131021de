import type { Texts } from '../texts.ts';

export const panels: Texts['panels'] = {
	visits: 'Visitas',
	visitors: 'Visitantes',
	availableFrom: 'Los datos por visita empiezan el {{date}}.',
	map: {
		label: 'Mapa del mundo: visitantes por país',
		caption: 'Visitantes por país',
		country: 'País',
		unlisted: 'Los países pequeños y las ubicaciones desconocidas solo aparecen en la lista de países.',
	},
	hours: {
		caption: 'Visitas por día de la semana y hora, en la zona horaria del sitio',
		only: 'Solo {{day}}',
		lastYear: 'Se muestran solo las últimas 52 semanas.',
	},
	goals: {
		nothing: 'No se alcanzó ningún objetivo en este periodo',
		caption: 'Objetivos y conversiones',
		rate: 'Tasa',
	},
	keys: {
		title: 'Atajos de teclado',
		text: 'Los atajos funcionan cuando no hay ningún campo activo.',
		open: 'Atajos de teclado',
		groups: {
			periods: 'Periodos',
			page: 'En esta página',
			go: 'Navegación',
		},
		today: 'Hoy',
		week: 'Últimos 7 días',
		month: 'Últimos 30 días',
		year: 'Este año',
		all: 'Desde el principio',
		earlier: 'Periodo anterior',
		later: 'Periodo siguiente',
		filter: 'Añadir filtro',
		search: 'Buscar en todas las filas',
		tile: 'Mostrar {{metric}} en el gráfico',
		live: 'Vista en tiempo real',
		statistics: 'Estadísticas',
		help: 'Mostrar los atajos de teclado',
	},
	embed: {
		foot: 'Estadísticas sin cookies de Tidemark',
	},
};
