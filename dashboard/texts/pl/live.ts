import type { Texts } from '../texts.ts';

export const live: Texts['live'] = {
	title: 'Na żywo',
	heading: 'Na żywo: {{domain}}',
	here_one: 'odwiedzający w ostatnich 5 minutach',
	here_few: 'odwiedzających w ostatnich 5 minutach',
	here_many: 'odwiedzających w ostatnich 5 minutach',
	here_other: 'odwiedzających w ostatnich 5 minutach',
	lastHalfHour: 'Odwiedzający w ostatnich 30 minutach',
	visitors: 'Odwiedzający',
	pageviews: 'Odsłony',
	time: 'Czas',
	now: 'teraz',
	halfHourAgo: '30 minut temu',
	quarterAgo: '15',
	pages: 'Strony',
	sources: 'Źródła',
	countries: 'Kraje',
	nobody: 'W tej chwili nikogo tu nie ma. Gdy ktoś otworzy stronę, od razu pojawi się tutaj.',
	noRows: 'Jeszcze nic',
	fewer:
		'Wiersze z mniej niż 3 odwiedzającymi nie są pokazywane, a obraz może mieć do pięciu minut opóźnienia, więc nie dotyczy nikogo konkretnego.',
	ways: {
		stream: 'Zmienia się samo w ciągu 2 sekund',
		polling: 'Odpytywane co 5 sekund, bo strumień nie dociera',
	},
};
