import type { Texts } from '../texts.ts';

export const live: Texts['live'] = {
	title: 'Tiempo real',
	heading: 'Tiempo real: {{domain}}',
	here_one: 'visitante actual',
	here_many: 'visitantes actuales',
	here_other: 'visitantes actuales',
	lastHalfHour: 'Visitantes en los últimos 30 minutos',
	visitors: 'Visitantes',
	pageviews: 'Páginas vistas',
	time: 'Hora',
	now: 'ahora',
	pages: 'Páginas',
	sources: 'Fuentes',
	countries: 'Países',
	nobody: 'No hay visitantes ahora mismo. Las visitas nuevas aparecen aquí automáticamente.',
	noRows: 'Aún no hay datos',
	fewer:
		'Para proteger la privacidad, las filas con menos de 3 visitantes se ocultan y los datos llegan con hasta cinco minutos de retraso.',
	ways: {
		stream: 'Se actualiza cada 2 segundos',
		polling: 'Se actualiza cada 5 segundos (transmisión no disponible)',
	},
	currentPages: 'Páginas actuales',
	devices: 'Dispositivos',
	feed: 'Actividad',
	noEvents: 'Sin eventos en los últimos 30 minutos.',
	from: 'desde {{source}}',
};
