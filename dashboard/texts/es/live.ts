import type { Texts } from '../texts.ts';

export const live: Texts['live'] = {
	title: 'Tiempo real',
	heading: 'Tiempo real: {{domain}}',
	here_one: 'visitante en los últimos 5 minutos',
	here_many: 'de visitantes en los últimos 5 minutos',
	here_other: 'visitantes en los últimos 5 minutos',
	lastHalfHour: 'Visitantes en los últimos 30 minutos',
	visitors: 'Visitantes',
	pageviews: 'Páginas vistas',
	time: 'Hora',
	now: 'ahora',
	halfHourAgo: 'hace 30 minutos',
	quarterAgo: '15',
	pages: 'Páginas',
	sources: 'Fuentes',
	countries: 'Países',
	nobody: 'Ahora mismo no hay nadie. En cuanto alguien abra una página, aparecerá aquí por sí sola.',
	noRows: 'Nada por ahora',
	fewer:
		'Las filas con menos de 3 visitantes no se muestran y la imagen puede tener hasta cinco minutos: así no trata de nadie en particular.',
	ways: {
		stream: 'Se actualiza sola, en 2 segundos como mucho',
		polling: 'Se consulta cada 5 segundos, porque la transmisión no llega',
	},
};
