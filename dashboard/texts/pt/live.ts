import type { Texts } from '../texts.ts';

export const live: Texts['live'] = {
	title: 'Ao vivo',
	heading: 'Ao vivo: {{domain}}',
	here_one: 'visitante atual',
	here_many: 'visitantes atuais',
	here_other: 'visitantes atuais',
	lastHalfHour: 'Visitantes nos últimos 30 minutos',
	visitors: 'Visitantes',
	pageviews: 'Visualizações',
	time: 'Hora',
	now: 'agora',
	pages: 'Páginas',
	sources: 'Origens',
	countries: 'Países',
	nobody: 'Nenhum visitante no momento. Novas visitas aparecem aqui automaticamente.',
	noRows: 'Ainda sem dados',
	fewer:
		'Para proteger a privacidade, linhas com menos de 3 visitantes ficam ocultas e os dados têm até cinco minutos de atraso.',
	ways: {
		stream: 'Atualiza a cada 2 segundos',
		polling: 'Atualiza a cada 5 segundos (streaming indisponível)',
	},
	currentPages: 'Páginas atuais',
	devices: 'Dispositivos',
	feed: 'Atividade',
	noEvents: 'Nenhum evento nos últimos 30 minutos.',
	from: 'de {{source}}',
};
