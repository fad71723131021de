import type { Texts } from '../texts.ts';

export const deletions: Texts['deletions'] = {
	counting: 'Liczenie pasujących zdarzeń…',
	none: 'Nie pasuje żadne zdarzenie.',
	matches_one: 'Ukryte zostanie {{total}} zdarzenie ({{kinds}}) {{days}}.',
	matches_few: 'Ukryte zostaną {{total}} zdarzenia ({{kinds}}) {{days}}.',
	matches_many: 'Ukrytych zostanie {{total}} zdarzeń ({{kinds}}) {{days}}.',
	matches_other: 'Ukryte zostanie {{total}} zdarzenia ({{kinds}}) {{days}}.',
	pageviews_one: '{{total}} odsłona',
	pageviews_few: '{{total}} odsłony',
	pageviews_many: '{{total}} odsłon',
	pageviews_other: '{{total}} odsłony',
	customEvents_one: '{{total}} zdarzenie niestandardowe',
	customEvents_few: '{{total}} zdarzenia niestandardowe',
	customEvents_many: '{{total}} zdarzeń niestandardowych',
	customEvents_other: '{{total}} zdarzenia niestandardowego',
	measurements_one: '{{total}} pomiar zaangażowania lub wskaźników internetowych',
	measurements_few: '{{total}} pomiary zaangażowania i wskaźników internetowych',
	measurements_many: '{{total}} pomiarów zaangażowania i wskaźników internetowych',
	measurements_other: '{{total}} pomiaru zaangażowania i wskaźników internetowych',
	days_one: 'z {{from}}',
	days_few: 'z {{total}} dni od {{from}} do {{to}}',
	days_many: 'z {{total}} dni od {{from}} do {{to}}',
	days_other: 'z {{total}} dnia od {{from}} do {{to}}',
	totalsBefore:
		'Sumy sprzed {{date}} się nie zmienią, ponieważ ich zdarzenia zostały już usunięte po upływie okresu przechowywania danych.',
	earlierValues_one:
		'Z podziałów dni, których zdarzenia nie są już przechowywane, oraz dni zaimportowanych zostanie usunięta {{total}} wartość. Sumy z tych dni się nie zmienią.',
	earlierValues_few:
		'Z podziałów dni, których zdarzenia nie są już przechowywane, oraz dni zaimportowanych zostaną usunięte {{total}} wartości. Sumy z tych dni się nie zmienią.',
	earlierValues_many:
		'Z podziałów dni, których zdarzenia nie są już przechowywane, oraz dni zaimportowanych zostanie usuniętych {{total}} wartości. Sumy z tych dni się nie zmienią.',
	earlierValues_other:
		'Z podziałów dni, których zdarzenia nie są już przechowywane, oraz dni zaimportowanych zostanie usunięte {{total}} wartości. Sumy z tych dni się nie zmienią.',
	alreadyHidden_one:
		'{{total}} pasujące zdarzenie jest już ukryte przez inne usunięcie. Będzie znów liczone dopiero po cofnięciu obu i zostanie usunięte z dysku z pierwszym z nich.',
	alreadyHidden_few:
		'{{total}} pasujące zdarzenia są już ukryte przez inne usunięcie. Będą znów liczone dopiero po cofnięciu obu i zostaną usunięte z dysku z pierwszym z nich.',
	alreadyHidden_many:
		'{{total}} pasujących zdarzeń jest już ukrytych przez inne usunięcie. Będą znów liczone dopiero po cofnięciu obu i zostaną usunięte z dysku z pierwszym z nich.',
	alreadyHidden_other:
		'{{total}} pasującego zdarzenia jest już ukryte przez inne usunięcie. Będą znów liczone dopiero po cofnięciu obu i zostaną usunięte z dysku z pierwszym z nich.',
	referrers_one:
		'{{total}} zdarzenie z innej strony ma pasującą ścieżkę w stronie odsyłającej i pozostanie. Aby usunąć także je, użyj filtra strony odsyłającej.',
	referrers_few:
		'{{total}} zdarzenia z innych stron mają pasującą ścieżkę w stronie odsyłającej i pozostaną. Aby usunąć także je, użyj filtra strony odsyłającej.',
	referrers_many:
		'{{total}} zdarzeń z innych stron ma pasującą ścieżkę w stronie odsyłającej i pozostanie. Aby usunąć także je, użyj filtra strony odsyłającej.',
	referrers_other:
		'{{total}} zdarzenia z innych stron ma pasującą ścieżkę w stronie odsyłającej i pozostanie. Aby usunąć także je, użyj filtra strony odsyłającej.',
	keeps:
		'Zdarzenia są od razu ukrywane we wszystkich statystykach. Możesz to cofnąć do {{date}}. Potem zostaną usunięte z dysku.',
	keepsNone:
		'Zdarzenia są od razu ukrywane we wszystkich statystykach i usuwane z dysku najszybciej, jak to możliwe. Tej operacji nie można cofnąć.',
	keepsValues: 'Wartości są od razu ukrywane. Możesz to cofnąć do {{date}}.',
	keepsValuesNone: 'Wartości są usuwane najszybciej, jak to możliwe. Tej operacji nie można cofnąć.',
	tooLarge:
		'Do wcześniejszego ruchu można zastosować najwyżej 1000 wartości o łącznej długości 60 000 znaków. Podziel je na kilka reguł lub usunięć.',
	limit:
		'Zbyt wiele usunięć można jeszcze cofnąć. Cofnij jedno z nich albo poczekaj, aż minie czas na cofnięcie.',
	newEvents: 'Nowych zdarzeń to nie dotyczy.',
	exclude: 'Wyklucz nowy ruch',
	undo: 'Cofnij',
	valuesDeleted: '(wartości usunięte)',
	states: {
		hidden: 'Ukryte. Można cofnąć do {{date}}.',
		due: 'Ukryte. Wkrótce zostaną usunięte z dysku.',
		deleted: 'Usunięte z dysku {{date}}.',
		undone: 'Cofnięte {{date}}.',
	},
	rule: {
		apply: 'Zastosuj do wcześniejszego ruchu',
		applyOne: 'Zastosuj do wcześniejszego ruchu: {{name}}',
		title: 'Zastosować regułę {{name}} do wcześniejszego ruchu?',
		text: 'Wcześniejsze zdarzenia pasujące do tej reguły są od razu ukrywane we wszystkich statystykach.',
		textUntil:
			'Wcześniejsze zdarzenia pasujące do tej reguły są od razu ukrywane we wszystkich statystykach. Możesz to cofnąć do {{date}}. Potem zostaną usunięte z dysku.',
		textFinal:
			'Wcześniejsze zdarzenia pasujące do tej reguły są od razu ukrywane we wszystkich statystykach i usuwane z dysku najszybciej, jak to możliwe. Tej operacji nie można cofnąć.',
		action: 'Ukryj wcześniejszy ruch',
		hidden_one: 'Ukryto {{total}} wcześniejsze zdarzenie. Można cofnąć do {{date}}.',
		hidden_few: 'Ukryto {{total}} wcześniejsze zdarzenia. Można cofnąć do {{date}}.',
		hidden_many: 'Ukryto {{total}} wcześniejszych zdarzeń. Można cofnąć do {{date}}.',
		hidden_other: 'Ukryto {{total}} wcześniejszego zdarzenia. Można cofnąć do {{date}}.',
		due_one: 'Ukryto {{total}} wcześniejsze zdarzenie. Wkrótce zostanie usunięte z dysku.',
		due_few: 'Ukryto {{total}} wcześniejsze zdarzenia. Wkrótce zostaną usunięte z dysku.',
		due_many: 'Ukryto {{total}} wcześniejszych zdarzeń. Wkrótce zostaną usunięte z dysku.',
		due_other: 'Ukryto {{total}} wcześniejszego zdarzenia. Wkrótce zostanie usunięte z dysku.',
		staysHidden:
			'Wcześniejszy ruch ukryty przez tę regułę pozostanie ukryty. Administratorzy mogą to cofnąć w sekcji Dane.',
	},
	filter: {
		title: 'Usuń dane według filtra',
		text: 'Usuwa wcześniejsze zdarzenia spełniające warunki, na przykład dane osobowe wysłane przez stronę omyłkowo. Najpierw zobaczysz podgląd. Nowych zdarzeń to nie dotyczy.',
		dialogText: 'Wybierz zdarzenia. Zanim cokolwiek zostanie usunięte, zobaczysz podgląd.',
		conditions: 'Zdarzenia spełniające wszystkie warunki',
		condition: 'Warunek {{number}}',
		field: 'Pole',
		query: 'Ciąg zapytania',
		perLine: 'Jedna w wierszu. Wystarczy, że pasuje jedna z nich.',
		badValue: 'Wartość {{number}} jest nieprawidłowa dla tego pola.',
		propertyNeeded: 'Podaj nazwę właściwości.',
		add: 'Dodaj warunek',
		remove: 'Usuń warunek {{number}}',
		allDays: 'Pozostaw puste, aby uwzględnić wszystkie dni.',
		keep: 'Czas na cofnięcie',
		keepDays: '{{days}} dni',
		keepNone: 'Brak: usuń jak najszybciej',
		preview: 'Podgląd',
		action_one: 'Usuń {{total}} zdarzenie',
		action_few: 'Usuń {{total}} zdarzenia',
		action_many: 'Usuń {{total}} zdarzeń',
		action_other: 'Usuń {{total}} zdarzenia',
		confirm_one: 'Usunąć {{total}} zdarzenie?',
		confirm_few: 'Usunąć {{total}} zdarzenia?',
		confirm_many: 'Usunąć {{total}} zdarzeń?',
		confirm_other: 'Usunąć {{total}} zdarzenia?',
		done: 'Zdarzenia usunięte ze wszystkich statystyk.',
	},
	elsewhere: {
		title: 'Te same dane mogą też znajdować się w',
		reports_one: '{{total}} zapisany raport o tych dniach',
		reports_few: '{{total}} zapisane raporty o tych dniach',
		reports_many: '{{total}} zapisanych raportów o tych dniach',
		reports_other: '{{total}} zapisanego raportu o tych dniach',
		deadLetters_one: 'Niedostarczone komunikaty: {{total}} zdarzenie, którego nie udało się zapisać',
		deadLetters_few: 'Niedostarczone komunikaty: {{total}} zdarzenia, których nie udało się zapisać',
		deadLetters_many: 'Niedostarczone komunikaty: {{total}} zdarzeń, których nie udało się zapisać',
		deadLetters_other: 'Niedostarczone komunikaty: {{total}} zdarzenia, którego nie udało się zapisać',
		backup: 'Kopia zapasowa sprzed aktualizacji, utworzona {{made}}, wygasa {{expires}}',
		own: 'Eksporty i kopie zapasowe utworzone przez Ciebie nie są zmieniane.',
	},
	list: {
		title: 'Usunięte dane',
		rule: 'Reguła ruchu: {{name}}',
		and: 'i',
		events_one: '{{total}} zdarzenie {{days}}',
		events_few: '{{total}} zdarzenia {{days}}',
		events_many: '{{total}} zdarzeń {{days}}',
		events_other: '{{total}} zdarzenia {{days}}',
		values_one: '{{total}} wartość w podziałach wcześniejszych sum',
		values_few: '{{total}} wartości w podziałach wcześniejszych sum',
		values_many: '{{total}} wartości w podziałach wcześniejszych sum',
		values_other: '{{total}} wartości w podziałach wcześniejszych sum',
		noEvents: 'Brak zdarzeń',
		all: 'Pokaż wszystko',
	},
};
