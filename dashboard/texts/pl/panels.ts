import type { Texts } from '../texts.ts';

export const panels: Texts['panels'] = {
	visits: 'Wizyty',
	visitors: 'Odwiedzający',
	availableFrom: 'Dane o wizytach są dostępne od {{date}}.',
	map: {
		label: 'Mapa świata: odwiedzający według kraju',
		caption: 'Odwiedzający według kraju',
		country: 'Kraj',
		unlisted: 'Małe kraje i nieznane lokalizacje są tylko na liście krajów.',
	},
	hours: {
		caption: 'Wizyty według dnia tygodnia i godziny, w strefie czasowej witryny',
		only: 'Tylko {{day}}',
		lastYear: 'Pokazano tylko ostatnie 52 tygodnie.',
	},
	goals: {
		nothing: 'W tym okresie nie osiągnięto żadnego celu',
		caption: 'Cele i konwersje',
		rate: 'Współczynnik',
	},
	keys: {
		title: 'Skróty klawiszowe',
		text: 'Skróty działają, gdy żadne pole nie jest aktywne.',
		open: 'Skróty klawiszowe',
		groups: {
			periods: 'Okresy',
			page: 'Na tej stronie',
			go: 'Nawigacja',
		},
		today: 'Dzisiaj',
		week: 'Ostatnie 7 dni',
		month: 'Ostatnie 30 dni',
		year: 'Ten rok',
		all: 'Cały czas',
		earlier: 'Poprzedni okres',
		later: 'Następny okres',
		filter: 'Dodaj filtr',
		search: 'Szukaj we wszystkich wierszach',
		tile: 'Pokaż {{metric}} na wykresie',
		live: 'Widok na żywo',
		statistics: 'Statystyki',
		help: 'Pokaż skróty klawiszowe',
	},
	embed: {
		foot: 'Statystyki bez plików cookie od Tidemark',
	},
};
