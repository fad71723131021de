import type { Texts } from '../texts.ts';

export const live: Texts['live'] = {
	title: 'Ao vivo',
	heading: 'Ao vivo: {{domain}}',
	here_one: 'visitante nos últimos 5 minutos',
	here_many: 'visitantes nos últimos 5 minutos',
	here_other: 'visitantes nos últimos 5 minutos',
	lastHalfHour: 'Visitantes nos últimos 30 minutos',
	visitors: 'Visitantes',
	pageviews: 'Visualizações',
	time: 'Hora',
	now: 'agora',
	halfHourAgo: 'há 30 minutos',
	quarterAgo: '15',
	pages: 'Páginas',
	sources: 'Origens',
	countries: 'Países',
	nobody: 'Não há ninguém aqui agora. Assim que alguém abrir uma página, ela aparece aqui sozinha.',
	noRows: 'Nada ainda',
	fewer:
		'Linhas com menos de 3 visitantes não são mostradas, e os dados têm até cinco minutos de atraso, para que não se refiram a ninguém em particular.',
	ways: {
		stream: 'Atualiza sozinho em até 2 segundos',
		polling: 'Consultado a cada 5 segundos, porque a transmissão contínua não chega',
	},
};
