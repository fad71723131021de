import type { Texts } from '../texts.ts';

export const templates: Texts['templates'] = {
	label: 'Plantilla',
	none: 'Sin plantilla',
	hint: 'Copia los ajustes, objetivos, embudos, segmentos, grupos de páginas y reglas de tráfico de la plantilla.',
	manage: 'Gestionar plantillas',
	manageText: 'Cambiar el nombre de una plantilla o eliminarla no modifica ningún sitio.',
	rename: 'Cambiar nombre',
	renameOne: 'Cambiar nombre: {{name}}',
	name: 'Nombre de la plantilla',
	empty: 'Aún no hay plantillas.',
	save: {
		title: 'Guardar como plantilla',
		text: 'Los sitios nuevos pueden empezar con los ajustes, objetivos, embudos, segmentos, grupos de páginas y reglas de tráfico de este sitio. No se copian contraseñas, nombres de host ni destinatarios.',
		done: 'Plantilla guardada. Puedes elegirla al añadir un sitio.',
	},
	bulk: {
		open: 'Cambiar varios',
		title: 'Cambiar varios sitios',
		text: 'Los sitios de esta página de la lista.',
		selectAll: 'Seleccionar todo',
		selectNone: 'No seleccionar ninguno',
		noneSelected: 'Selecciona al menos un sitio.',
		add: 'Añadir etiquetas',
		remove: 'Quitar etiquetas',
		template: 'Aplicar una plantilla',
		templateHint:
			'Aplica los ajustes de la plantilla y añade sus objetivos y otros elementos. No se elimina nada.',
		send: 'Aplicar',
	},
};
