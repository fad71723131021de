import type { Texts } from '../texts.ts';

export const trafficRules: Texts['trafficRules'] = {
	title: 'Reglas de tráfico',
	text: 'Excluye peticiones por ruta, nombre de host, país, referencia, campaña, agente de usuario, red IP u operador de red. Las reglas se aplican al tráfico nuevo. La mayoría también se puede aplicar al tráfico anterior.',
	textForEditors:
		'Excluye peticiones por ruta, nombre de host, país, referencia, campaña, agente de usuario, red IP u operador de red. Las reglas se aplican al tráfico nuevo. Los administradores también pueden aplicar la mayoría al tráfico anterior.',
	add: 'Añadir regla',
	edit: 'Editar regla',
	none: 'Aún no hay reglas.',
	noDrops: 'Ninguna petición excluida en los últimos 30 días',
	dropped_one: '{{total}} petición excluida en los últimos 30 días',
	dropped_many: '{{total}} de peticiones excluidas en los últimos 30 días',
	dropped_other: '{{total}} peticiones excluidas en los últimos 30 días',
	kind: 'Excluir por',
	kinds: {
		path: 'Ruta',
		hostname: 'Nombre de host',
		country: 'País',
		referrer: 'Referencia',
		campaign: 'Campaña (utm_campaign)',
		user_agent: 'Agente de usuario',
		network: 'Dirección o red IP',
		operator: 'Operador de red',
	},
	domain: 'es el dominio o un subdominio de',
	values: 'Valores',
	perLine: 'Uno por línea. Se excluye toda petición que coincida con alguno.',
	country: 'Códigos de país de dos letras, uno por línea.',
	operatorNumbers: 'Números de AS como AS64500, uno por línea.',
	operatorNames: 'Partes de nombres, una por línea. No se distinguen mayúsculas y minúsculas.',
	operatorsMissing:
		'Esta regla no coincide con nada, porque la base de datos de operadores de red no está instalada. Para instalarla, ejecuta {{command}} en el servidor.',
	firstPage:
		'Solo excluye las peticiones con esta referencia o campaña, normalmente la primera página vista de una visita. Las demás páginas de la visita se cuentan.',
	applies: 'Se aplica al tráfico nuevo. Una vez guardada, también se puede aplicar al tráfico anterior.',
	appliesForEditors:
		'Se aplica al tráfico nuevo. Los administradores también pueden aplicarla al tráfico anterior.',
	appliesToNew:
		'Solo se aplica al tráfico nuevo, porque las direcciones IP, los operadores de red y los agentes de usuario no se guardan.',
	matches_one: '{{total}} visita de los últimos 30 días coincide.',
	matches_many: '{{total}} de visitas de los últimos 30 días coinciden.',
	matches_other: '{{total}} visitas de los últimos 30 días coinciden.',
	noMatch: 'Ninguna visita de los últimos 30 días coincide.',
	loading: 'Contando las visitas que coinciden…',
	reasons: {
		not_stored:
			'Sin vista previa: las direcciones IP, los operadores de red y los agentes de usuario no se guardan, así que no se pueden comprobar las visitas anteriores.',
		too_many_values: 'Sin vista previa para más de 1000 valores.',
		not_available: 'Sin vista previa: los datos de visitas no cubren los últimos 30 días.',
	},
	nameTaken: 'Ya existe una regla con este nombre.',
	valuesNeeded: 'Introduce al menos un valor.',
	badValue: 'El valor {{number}} no es válido para este tipo de regla.',
	deleteText:
		'El tráfico nuevo que coincida con la regla volverá a contarse. Las peticiones excluidas no se recuperan.',
	byRule: 'Por regla de tráfico',
};
