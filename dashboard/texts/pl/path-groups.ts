import type { Texts } from '../texts.ts';

export const pathGroups: Texts['pathGroups'] = {
	rules: {
		title: 'Reguły',
		text: 'Grupuj strony, których ścieżki zawierają identyfikatory lub daty. Obowiązuje pierwsza pasująca reguła. Reguły dotyczą też danych historycznych.',
		hint: '* pasuje do części segmentu ścieżki, ** na końcu pasuje do reszty ścieżki. $1 w grupie zachowuje to, co dopasował pierwszy znak *.',
		add: 'Dodaj regułę',
		none: 'Nie ma jeszcze reguł. Każda ścieżka jest osobną grupą.',
		pattern: 'Wzorzec',
		target: 'Grupa',
		patternOf: 'Wzorzec reguły {{rule}}',
		targetOf: 'Grupa reguły {{rule}}',
		up: 'Przenieś regułę {{rule}} w górę',
		down: 'Przenieś regułę {{rule}} w dół',
		remove: 'Usuń regułę {{rule}}',
		bad: 'Sprawdź tę regułę. Wzorzec zaczyna się od / i ma najwyżej jeden znak * w segmencie; ** jest dozwolone tylko na końcu.',
		count: 'Ścieżki: {{paths}} · Odsłony: {{views}}',
		period: 'Podgląd z ostatnich 30 dni.',
		partial: 'Podgląd z ostatnich 30 dni dla {{compared}} najczęściej oglądanych z {{paths}} ścieżek.',
		examples: 'Przykłady',
		unmatched: 'Ścieżki bez reguły',
	},
	undo: {
		title: 'Cofnij',
		text: 'Przywraca poprzednie reguły. Statystyki pokażą wtedy te same liczby co przed zmianą.',
		button: 'Cofnij ostatnią zmianę',
		done: 'Ostatnia zmiana została cofnięta.',
	},
	proposals: {
		title: 'Sugestie',
		text: 'Na podstawie ścieżek z ostatnich 30 dni, do których nie pasuje żadna reguła.',
		use: 'Użyj',
		useOne: 'Użyj reguły dla {{pattern}}',
		none: 'Brak sugestii.',
	},
};
