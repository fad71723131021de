import type { Texts } from '../texts.ts';

export const deletions: Texts['deletions'] = {
	counting: 'Contando los eventos que coinciden…',
	none: 'Ningún evento coincide.',
	matches_one: 'Se ocultará {{total}} evento ({{kinds}}) {{days}}.',
	matches_many: 'Se ocultarán {{total}} de eventos ({{kinds}}) {{days}}.',
	matches_other: 'Se ocultarán {{total}} eventos ({{kinds}}) {{days}}.',
	pageviews_one: '{{total}} página vista',
	pageviews_many: '{{total}} de páginas vistas',
	pageviews_other: '{{total}} páginas vistas',
	customEvents_one: '{{total}} evento personalizado',
	customEvents_many: '{{total}} de eventos personalizados',
	customEvents_other: '{{total}} eventos personalizados',
	measurements_one: '{{total}} medición de interacción o métricas web',
	measurements_many: '{{total}} de mediciones de interacción y métricas web',
	measurements_other: '{{total}} mediciones de interacción y métricas web',
	days_one: 'del {{from}}',
	days_many: 'de {{total}} de días, del {{from}} al {{to}}',
	days_other: 'de {{total}} días, del {{from}} al {{to}}',
	totalsBefore:
		'Los totales anteriores al {{date}} no cambian, porque sus eventos ya se eliminaron por la retención de datos.',
	earlierValues_one:
		'Se quitará {{total}} valor de los desgloses de los días cuyos eventos ya no están guardados y de los días importados. Los totales de esos días no cambian.',
	earlierValues_many:
		'Se quitarán {{total}} de valores de los desgloses de los días cuyos eventos ya no están guardados y de los días importados. Los totales de esos días no cambian.',
	earlierValues_other:
		'Se quitarán {{total}} valores de los desgloses de los días cuyos eventos ya no están guardados y de los días importados. Los totales de esos días no cambian.',
	alreadyHidden_one:
		'Otra eliminación ya oculta {{total}} evento que coincide. Solo volverá a contar si se deshacen ambas, y se eliminará del disco con la primera.',
	alreadyHidden_many:
		'Otra eliminación ya oculta {{total}} de eventos que coinciden. Solo volverán a contar si se deshacen ambas, y se eliminarán del disco con la primera.',
	alreadyHidden_other:
		'Otra eliminación ya oculta {{total}} eventos que coinciden. Solo volverán a contar si se deshacen ambas, y se eliminarán del disco con la primera.',
	referrers_one:
		'{{total}} evento de otra página tiene una ruta que coincide en su referencia y se conserva. Para eliminarlo también, usa un filtro por referencia.',
	referrers_many:
		'{{total}} de eventos de otras páginas tienen una ruta que coincide en su referencia y se conservan. Para eliminarlos también, usa un filtro por referencia.',
	referrers_other:
		'{{total}} eventos de otras páginas tienen una ruta que coincide en su referencia y se conservan. Para eliminarlos también, usa un filtro por referencia.',
	keeps:
		'Los eventos se ocultan de inmediato en todas las estadísticas. Puedes deshacerlo hasta el {{date}}. Después se eliminan del disco.',
	keepsNone:
		'Los eventos se ocultan de inmediato en todas las estadísticas y se eliminan del disco lo antes posible. Esta acción no se puede deshacer.',
	keepsValues: 'Los valores se ocultan de inmediato. Puedes deshacerlo hasta el {{date}}.',
	keepsValuesNone: 'Los valores se eliminan lo antes posible. Esta acción no se puede deshacer.',
	tooLarge:
		'Al tráfico anterior se pueden aplicar como máximo 1000 valores con 60 000 caracteres en total. Repártelos en varias reglas o eliminaciones.',
	limit:
		'Hay demasiadas eliminaciones que aún se pueden deshacer. Deshaz una o espera a que termine su plazo.',
	newEvents: 'Los eventos nuevos no se ven afectados.',
	exclude: 'Excluir el tráfico nuevo',
	undo: 'Deshacer',
	valuesDeleted: '(valores eliminados)',
	states: {
		hidden: 'Oculto. Se puede deshacer hasta el {{date}}.',
		due: 'Oculto. Se eliminará pronto del disco.',
		deleted: 'Eliminado del disco el {{date}}.',
		undone: 'Deshecho el {{date}}.',
	},
	rule: {
		apply: 'Aplicar al tráfico anterior',
		applyOne: 'Aplicar al tráfico anterior: {{name}}',
		title: '¿Aplicar {{name}} al tráfico anterior?',
		text: 'Los eventos anteriores que coinciden con esta regla se ocultan de inmediato en todas las estadísticas.',
		textUntil:
			'Los eventos anteriores que coinciden con esta regla se ocultan de inmediato en todas las estadísticas. Puedes deshacerlo hasta el {{date}}. Después se eliminan del disco.',
		textFinal:
			'Los eventos anteriores que coinciden con esta regla se ocultan de inmediato en todas las estadísticas y se eliminan del disco lo antes posible. Esta acción no se puede deshacer.',
		action: 'Ocultar tráfico anterior',
		hidden_one: '{{total}} evento anterior oculto. Se puede deshacer hasta el {{date}}.',
		hidden_many: '{{total}} de eventos anteriores ocultos. Se puede deshacer hasta el {{date}}.',
		hidden_other: '{{total}} eventos anteriores ocultos. Se puede deshacer hasta el {{date}}.',
		due_one: '{{total}} evento anterior oculto. Se eliminará pronto del disco.',
		due_many: '{{total}} de eventos anteriores ocultos. Se eliminarán pronto del disco.',
		due_other: '{{total}} eventos anteriores ocultos. Se eliminarán pronto del disco.',
		staysHidden:
			'El tráfico anterior que oculta esta regla sigue oculto. Los administradores pueden deshacerlo en Datos.',
	},
	filter: {
		title: 'Eliminar datos por filtro',
		text: 'Elimina los eventos anteriores que cumplen unas condiciones, por ejemplo datos personales que una página envió por error. Antes verás una vista previa. Los eventos nuevos no se ven afectados.',
		dialogText: 'Selecciona los eventos. Antes de eliminar nada, verás una vista previa.',
		conditions: 'Eventos que cumplen todas las condiciones',
		condition: 'Condición {{number}}',
		field: 'Campo',
		query: 'Cadena de consulta',
		perLine: 'Uno por línea. Basta con que coincida uno.',
		badValue: 'El valor {{number}} no es válido para este campo.',
		propertyNeeded: 'Introduce el nombre de la propiedad.',
		add: 'Añadir condición',
		remove: 'Quitar la condición {{number}}',
		allDays: 'Déjalo vacío para todos los días.',
		keep: 'Plazo para deshacer',
		keepDays: '{{days}} días',
		keepNone: 'Ninguno: eliminar lo antes posible',
		preview: 'Vista previa',
		action_one: 'Eliminar {{total}} evento',
		action_many: 'Eliminar {{total}} de eventos',
		action_other: 'Eliminar {{total}} eventos',
		confirm_one: '¿Eliminar {{total}} evento?',
		confirm_many: '¿Eliminar {{total}} de eventos?',
		confirm_other: '¿Eliminar {{total}} eventos?',
		done: 'Eventos retirados de todas las estadísticas.',
	},
	elsewhere: {
		title: 'Los mismos datos también pueden estar en',
		reports_one: '{{total}} informe guardado sobre estos días',
		reports_many: '{{total}} de informes guardados sobre estos días',
		reports_other: '{{total}} informes guardados sobre estos días',
		deadLetters_one: 'Mensajes fallidos: {{total}} evento que no se pudo escribir',
		deadLetters_many: 'Mensajes fallidos: {{total}} de eventos que no se pudieron escribir',
		deadLetters_other: 'Mensajes fallidos: {{total}} eventos que no se pudieron escribir',
		backup: 'Copia de seguridad previa a una actualización, creada el {{made}}, caduca el {{expires}}',
		own: 'Las exportaciones y copias de seguridad que hayas creado tú no se modifican.',
	},
	list: {
		title: 'Datos eliminados',
		rule: 'Regla de tráfico: {{name}}',
		and: 'y',
		events_one: '{{total}} evento {{days}}',
		events_many: '{{total}} de eventos {{days}}',
		events_other: '{{total}} eventos {{days}}',
		values_one: '{{total}} valor en desgloses de totales anteriores',
		values_many: '{{total}} de valores en desgloses de totales anteriores',
		values_other: '{{total}} valores en desgloses de totales anteriores',
		noEvents: 'Ningún evento',
		all: 'Mostrar todo',
	},
};
