import type { Texts } from '../texts.ts';

export const pathGroups: Texts['pathGroups'] = {
	rules: {
		title: 'Reglas',
		text: 'Agrupa páginas cuyas rutas contienen identificadores o fechas. Se aplica la primera regla que coincide. Las reglas también se aplican a los datos anteriores.',
		hint: '* coincide con parte de un segmento de la ruta, ** al final coincide con el resto de la ruta. $1 en un grupo conserva lo que encontró el primer *.',
		add: 'Añadir regla',
		none: 'Aún no hay reglas. Cada ruta es su propio grupo.',
		pattern: 'Patrón',
		target: 'Grupo',
		patternOf: 'Patrón de la regla {{rule}}',
		targetOf: 'Grupo de la regla {{rule}}',
		up: 'Subir la regla {{rule}}',
		down: 'Bajar la regla {{rule}}',
		remove: 'Eliminar la regla {{rule}}',
		bad: 'Revisa esta regla. Un patrón empieza por / y tiene como máximo un * por segmento; ** solo se permite al final.',
		count: 'Rutas: {{paths}} · Páginas vistas: {{views}}',
		period: 'Vista previa de los últimos 30 días.',
		partial: 'Vista previa de los últimos 30 días, para las {{compared}} rutas más vistas de {{paths}}.',
		examples: 'Ejemplos',
		unmatched: 'Rutas sin regla',
	},
	undo: {
		title: 'Deshacer',
		text: 'Restaura las reglas anteriores. Las estadísticas muestran entonces las mismas cifras que antes del cambio.',
		button: 'Deshacer el último cambio',
		done: 'Se ha deshecho el último cambio.',
	},
	proposals: {
		title: 'Sugerencias',
		text: 'A partir de las rutas de los últimos 30 días con las que no coincide ninguna regla.',
		use: 'Usar',
		useOne: 'Usar la regla para {{pattern}}',
		none: 'No hay sugerencias.',
	},
};
