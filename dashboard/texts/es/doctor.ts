import type { Texts } from '../texts.ts';

export const doctor: Texts['doctor'] = {
	title: 'Estado del sistema',
	heading: 'Estado del sistema',
	text: 'Última comprobación: {{date}}. Los mismos resultados que tidemark doctor.',
	again: 'Volver a comprobar',
	looking:
		'Comprobando los ajustes, el disco, las bases de datos y los últimos días. Puede tardar hasta medio minuto.',
	todo: 'Recomendación: {{advice}}',
	fine: 'Todas las comprobaciones son correctas',
	problems_one: '{{count}} problema',
	problems_many: '{{count}} problemas',
	problems_other: '{{count}} problemas',
	notices_one: '{{count}} advertencia',
	notices_many: '{{count}} advertencias',
	notices_other: '{{count}} advertencias',
	states: {
		ok: 'Correcto',
		notice: 'Advertencia',
		problem: 'Problema',
	},
	checks: {
		settings: 'Ajustes',
		address: 'URL y proxies',
		clock: 'Reloj',
		disk: 'Disco',
		mail: 'Correo',
		engines: 'Bases de datos',
		geolocation: 'Geolocalización',
		event_log: 'Registro de eventos',
		duplicates: 'Eventos duplicados',
		derived: 'Totales derivados',
		certificates: 'Certificados',
		versions: 'Versiones',
		leftovers: 'Datos dañados y sin escribir',
	},
};
