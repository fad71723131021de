import type { Texts } from '../texts.ts';

export const live: Texts['live'] = {
	title: 'Na żywo',
	heading: 'Na żywo: {{domain}}',
	here_one: 'obecny odwiedzający',
	here_few: 'obecnych odwiedzających',
	here_many: 'obecnych odwiedzających',
	here_other: 'obecnych odwiedzających',
	lastHalfHour: 'Odwiedzający w ostatnich 30 minutach',
	visitors: 'Odwiedzający',
	pageviews: 'Odsłony',
	time: 'Czas',
	now: 'teraz',
	pages: 'Strony',
	sources: 'Źródła',
	countries: 'Kraje',
	nobody: 'Brak odwiedzających w tej chwili. Nowe wizyty pojawiają się tu automatycznie.',
	noRows: 'Na razie brak danych',
	fewer:
		'W celu ochrony prywatności wiersze z mniej niż 3 odwiedzającymi są ukryte, a dane opóźnione do pięciu minut.',
	ways: {
		stream: 'Aktualizacja co 2 sekundy',
		polling: 'Aktualizacja co 5 sekund (strumień niedostępny)',
	},
	currentPages: 'Bieżące strony',
	devices: 'Urządzenia',
	feed: 'Aktywność',
	noEvents: 'Brak zdarzeń w ciągu ostatnich 30 minut.',
	from: 'z: {{source}}',
};
