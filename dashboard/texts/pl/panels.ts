import type { Texts } from '../texts.ts';

export const panels: Texts['panels'] = {
	visits: 'Wizyty',
	visitors: 'Odwiedzający',
	availableFrom: 'Pojedyncze wizyty są znane od {{date}}; te dane są dostępne od tego dnia.',
	map: {
		label: 'Mapa świata: odwiedzający według kraju',
		caption: 'Odwiedzający według kraju',
		country: 'Kraj',
		elsewhere: 'Małe kraje i nieznane miejsca są na liście krajów.',
	},
	hours: {
		caption: 'Wizyty według dnia tygodnia i godziny rozpoczęcia, w czasie witryny',
		only: 'Tylko {{day}}',
		lastYear: 'Z tego długiego okresu widać ostatnie 52 tygodnie.',
	},
	goals: {
		nothing: 'W tym okresie nie osiągnięto żadnego celu',
		noneText:
			'Cel to strona, na którą ktoś dociera, lub zdarzenie, które zachodzi: rejestracja, sprzedaż, pobranie.',
		add: 'Dodaj cel',
		caption: 'Cele i ich konwersje',
	},
	keys: {
		title: 'Klawiatura',
		text: 'Działają wszędzie, gdzie akurat nie piszesz.',
		open: 'Klawisze',
		groups: { periods: 'Okresy', page: 'Na tej stronie', go: 'Przejdź' },
		today: 'Dzisiaj',
		week: 'Ostatnie 7 dni',
		month: 'Ostatnie 30 dni',
		year: 'Ten rok',
		all: 'Cały czas',
		earlier: 'Wcześniej',
		later: 'Później',
		filter: 'Dodaj filtr',
		search: 'Szukaj we wszystkich wierszach',
		tile: '{{metric}} na wykresie',
		live: 'Widok na żywo',
		statistics: 'Statystyki',
		help: 'Pokaż tę listę',
	},
	embed: { foot: 'Liczone przez Tidemark, bez plików cookie' },
};
