import type { Texts } from '../texts.ts';

export const settings: Texts['settings'] = {
	title: 'Ustawienia',
	chooseTab: 'Ustawienia: {{tab}}',
	readOnly:
		'Masz dostęp tylko do odczytu. Te ustawienia mogą zmieniać edytorzy i administratorzy tej witryny.',
	adminsOnly: 'Te ustawienia mogą zmieniać tylko administratorzy tej witryny.',
	tabs: {
		general: {
			title: 'Ogólne',
			text: 'Domena, strefa czasowa, nazwy hostów i etykiety.',
		},
		sharing: {
			title: 'Udostępnianie',
			text: 'Kto może zobaczyć statystyki i jak pokazać je na innych stronach.',
		},
		goals: {
			title: 'Cele',
			text: 'Strony i zdarzenia liczone jako konwersje.',
		},
		paths: {
			title: 'Grupy stron',
			text: 'Reguły grupujące strony, na przykład wszystkie strony produktów.',
		},
		exclusions: {
			title: 'Wykluczenia',
			text: 'Ruch, który nie jest liczony.',
		},
		drops: {
			title: 'Wykluczony ruch',
			text: 'Niepoliczone żądania według powodu.',
		},
		alerts: {
			title: 'Alerty',
			text: 'Powiadomienia o skokach, braku ruchu i celach.',
		},
		reports: {
			title: 'Raporty',
			text: 'Podsumowania tygodniowe i miesięczne.',
		},
		people: {
			title: 'Członkowie',
			text: 'Kto ma dostęp do tej witryny i do kogo ona należy.',
		},
		changes: {
			title: 'Dziennik aktywności',
			text: 'Wszystkie zmiany w tej witrynie. Wpisów nie można edytować.',
		},
		data: {
			title: 'Dane',
			text: 'Przechowywanie, import, eksport i usuwanie.',
		},
	},
	unsaved: {
		title: 'Niezapisane zmiany',
		discard: 'Odrzuć',
		save: 'Zapisz zmiany',
		leaveTitle: 'Wyjść bez zapisywania?',
		leaveText: 'Zmiany nie są zapisane: {{titles}}.',
		leave: 'Wyjdź',
	},
	domain: {
		title: 'Domena',
		text: 'Po zmianie nazwy witryna zachowuje identyfikator ({{id}}), statystyki i fragment kodu. Od tej chwili liczą się tylko strony nowej domeny.',
		hint: 'Aby nadal liczyć starą domenę, dodaj obie w sekcji Nazwy hostów.',
		taken: 'Masz już witrynę {{domain}}.',
		bad: 'Podaj prawidłową domenę, np. example.com.',
	},
	install: {
		title: 'Fragment kodu',
		text: 'Identyfikator tej witryny to {{id}}.',
		link: 'Instrukcje instalacji',
	},
	zone: {
		title: 'Strefa czasowa',
		unknown: 'Podaj prawidłową strefę czasową, np. Europe/Warsaw.',
		text: 'Określa początek i koniec dnia. Minione dni zachowują swoją strefę czasową.',
	},
	hostnames: {
		title: 'Nazwy hostów',
		text: '{{domain}} liczy się zawsze. Subdomeny też, o ile nie podasz tu innych nazw hostów.',
		label: 'Dozwolone nazwy hostów (jedna w wierszu)',
		bad: 'Wiersz {{line}} nie jest prawidłową nazwą hosta. Przykłady: example.com, *.example.com, !old.example.com, localhost.',
		hint: '*.example.com dopuszcza wszystkie subdomeny, !old.example.com wyklucza nazwę hosta, localhost dopuszcza Twój komputer.',
	},
	labels: {
		title: 'Etykiety',
		text: 'Grupuj witryny własnymi etykietami.',
		hint: 'Oddziel etykiety przecinkami (do 20).',
		bad: 'Podaj najwyżej 20 etykiet po najwyżej 50 znaków.',
	},
	favorite: {
		title: 'Ulubione',
		label: 'Przypnij na górze listy witryn',
	},
	privacy: {
		title: 'Widoczność',
		text: 'Zapisane zmiany dotyczą także już otwartych stron.',
		modes: {
			public: {
				title: 'Publiczne',
				text: 'Każdy, kto ma link, widzi statystyki, ale nie ustawienia.',
			},
			private: {
				title: 'Prywatne',
				text: 'Statystyki widzisz tylko Ty i zaproszeni członkowie.',
			},
			password: {
				title: 'Hasło',
				text: 'Każdy, kto ma link i hasło, widzi statystyki. Dostęp trwa jeden dzień.',
			},
		},
		password: 'Hasło',
		passwordHint: 'Widoczne podczas pisania. Później nie można go ponownie wyświetlić.',
		newPassword: 'Nowe hasło',
		keep: 'Pozostaw puste, aby zachować obecne hasło. Nowe hasło odbierze dostęp wszystkim, którzy używali starego.',
		needed: 'Podaj hasło.',
		leftOver: 'Zapisane hasło nie jest używane w tym trybie.',
		remove: 'Usuń hasło',
		off: 'Publiczne statystyki są wyłączone na tym serwerze (TIDEMARK_PUBLIC_STATS). Wszystkie witryny są traktowane jako prywatne.',
	},
	address: {
		title: 'Strona publiczna',
		label: 'Link do statystyk',
		text: {
			public: 'Każdy, kto ma ten link, widzi statystyki.',
			private: 'Ta witryna jest prywatna. Zmień widoczność, aby ją udostępnić.',
			password: 'Odwiedzający muszą podać hasło. Wyślij je osobno.',
		},
	},
	engines: {
		title: 'Wyszukiwarki',
		label: 'Zezwól wyszukiwarkom na indeksowanie tych statystyk',
		hint: 'Gdy wyłączone, wyszukiwarki są proszone o nieindeksowanie tej strony.',
		publicOnly: 'Dotyczy tylko witryny publicznej.',
	},
	email: {
		title: 'E-mail',
		label: 'Raporty e-mailem',
		hint: 'Podsumowanie tych statystyk e-mailem.',
	},
	bots: {
		title: 'Boty',
		label: 'Wykluczaj boty',
		hint: 'Roboty indeksujące, narzędzia monitorujące i przeglądarki headless.',
	},
	signals: {
		title: 'Sygnały prywatności',
		label: 'Respektuj Global Privacy Control i Do Not Track',
		hint: 'Odwiedzający, których przeglądarka wysyła sygnał prywatności, nie są liczeni.',
	},
	addresses: {
		title: 'Adresy IP',
		hidden: 'Tę listę widzą tylko edytorzy i administratorzy tej witryny.',
		text: 'Ruch z tych adresów IP i sieci jest ignorowany.',
		label: 'Adresy IP i sieci (jeden wpis w wierszu)',
		hint: 'IPv4 lub IPv6; sieci w notacji CIDR, np. 10.0.0.0/8.',
		addMine: 'Dodaj mój adres IP',
		bad: 'Wiersz {{line}} nie jest prawidłowym adresem IP ani siecią, taką jak 10.0.0.0/8.',
		added: 'Dodano {{address}}. Zapisz, aby zastosować.',
		known: '{{address}} już jest na liście.',
	},
	ownVisits: {
		title: 'Twoje własne wizyty',
		text: 'Adresy IP się zmieniają. Otwórz ten link raz w przeglądarce, aby wykluczyć ją z tej witryny.',
		label: 'Link wykluczający tę przeglądarkę',
		back: 'Użyj #tidemark-count zamiast #tidemark-ignore, aby znów liczyć przeglądarkę.',
	},
	params: {
		title: 'Parametry zapytania',
		text: 'Te parametry zapytania są usuwane z adresów URL przed zapisaniem.',
		label: 'Nazwy parametrów (jedna w wierszu)',
		hint: 'Wpisz &, aby usunąć wszystkie parametry.',
	},
	goals: {
		add: 'Dodaj cel',
		edit: 'Edytuj cel',
		none: 'Nie ma jeszcze celów',
		noneText:
			'Cel liczy wizyty, które docierają do strony lub wywołują zdarzenie, takie jak strona z podziękowaniem lub rejestracja.',
		name: 'Nazwa',
		kind: 'Typ',
		kinds: {
			page: {
				title: 'Strona',
				text: 'Wyświetlono stronę.',
				bad: 'Ścieżka zaczyna się od / lub * i ma najwyżej pięć znaków *.',
				pattern: 'Ścieżka strony',
			},
			event: {
				title: 'Zdarzenie',
				text: 'Wysłano zdarzenie niestandardowe.',
				bad: 'Nazwa ma najwyżej pięć znaków *.',
				pattern: 'Nazwa zdarzenia',
			},
		},
		wildcard: '* zastępuje dowolne znaki (do pięciu razy).',
		property: 'Właściwość (opcjonalnie)',
		propertyHint: 'Zdarzenie musi mieć także tę właściwość z pasującą wartością.',
		value: 'Wartość',
		valueNeeded: 'Podaj wartość właściwości.',
		numberNeeded: 'Wpisz liczbę, na przykład 10 lub 19,99.',
		nameNeeded: 'Podaj nazwę.',
		nameTaken: 'Cel o tej nazwie już istnieje.',
		editOne: 'Edytuj: {{name}}',
		deleteOne: 'Usuń: {{name}}',
		deleteTitle: 'Usunąć: {{name}}?',
		deleteText: 'Zdarzenia pozostają. Cel z tą samą regułą znów pokaże te same liczby.',
	},
	drops: {
		period: 'Okres',
		periods: {
			'7d': 'Ostatnie 7 dni',
			'30d': 'Ostatnie 30 dni',
			'12months': 'Ostatnie 12 miesięcy',
		},
		none: 'Brak wykluczonego ruchu',
		noneText: 'Policzono wszystkie żądania w tym okresie.',
		total_one: 'Wykluczono {{total}} żądanie.',
		total_few: 'Wykluczono {{total}} żądania.',
		total_many: 'Wykluczono {{total}} żądań.',
		total_other: 'Wykluczono {{total}} żądania.',
		byReason: 'Według powodu',
		byDay: 'Według dnia',
		day: 'Dzień',
		why: 'Powód',
		hits: 'Żądania',
		hostnames: 'Nieznane nazwy hostów',
		hostnamesText:
			'Te nazwy hostów wysłały żądania, ale nie są dozwolone. Zezwól na nazwę hosta, aby liczyć ją od teraz.',
		countThis: 'Zezwól',
		countThisName: 'Zezwól: {{hostname}}',
		countsNow: 'Dozwolono',
		reasons: {
			prefetch: {
				title: 'Wstępne pobieranie',
				text: 'Przeglądarka pobrała stronę z wyprzedzeniem. Zostanie policzona po wyświetleniu.',
			},
			bot: {
				title: 'Bot',
				text: 'Bot, narzędzie lub przeglądarka headless. Liczenie botów możesz włączyć w sekcji Wykluczenia.',
			},
			excluded_address: {
				title: 'Wykluczony adres IP',
				text: 'Adres IP jest na Twojej liście w sekcji Wykluczenia.',
			},
			foreign_hostname: {
				title: 'Nieznana nazwa hosta',
				text: 'Strona nie znajduje się pod dozwoloną nazwą hosta: to kopia, środowisko testowe lub inna witryna z Twoim fragmentem kodu.',
			},
			privacy_signal: {
				title: 'Sygnał prywatności',
				text: 'Przeglądarka wysłała Global Privacy Control lub Do Not Track. Możesz to zmienić w sekcji Wykluczenia.',
			},
			bad_url: {
				title: 'Nieprawidłowy adres URL',
				text: 'Adres URL nie był adresem strony http ani https: zapisana strona, aplikacja lub nieprawidłowe wywołanie.',
			},
			late: {
				title: 'Za późno',
				text: 'Dotarło za późno, aby przypisać je do odwiedzającego. Serwery muszą wysyłać zdarzenia w ciągu siedmiu dni.',
			},
			erased: {
				title: 'Przed wyzerowaniem',
				text: 'Zdarzyło się przed wyzerowaniem statystyk.',
			},
			over_budget: {
				title: 'Przekroczono limit żądań',
				text: 'Witryna otrzymała więcej żądań, niż pozwala jej limit. Strony ponawiają próbę do trzech razy, więc część policzono później. Jeśli to prawdziwy ruch, poproś operatora serwera o wyższy limit.',
			},
			rule: {
				title: 'Reguła ruchu',
				text: 'Żądanie pasowało do reguły ruchu. Reguły możesz zmienić w sekcji Wykluczenia.',
			},
		},
	},
	retention: {
		title: 'Przechowywanie danych',
		text: 'Usuwa zdarzenia i wizyty po określonym czasie. Sumy dzienne, a więc i wykresy historyczne, pozostają.',
		label: 'Okres przechowywania w miesiącach',
		placeholder: 'Bezterminowo',
		forever: 'Pozostaw puste, aby przechowywać zdarzenia i wizyty bezterminowo.',
		deletes: 'Zdarzenia i wizyty sprzed {{date}} zostaną trwale usunięte w ciągu dnia.',
		range: 'Podaj liczbę całkowitą od 1 do 120 lub pozostaw puste.',
		saveAndDelete: 'Zapisz i usuń starsze dane',
	},
	reset: {
		title: 'Wyzeruj statystyki',
		text: 'Usuwa wszystkie zebrane dane. Witryna, jej ustawienia i cele pozostają, a zliczanie trwa dalej.',
		warning: 'Wszystkie statystyki {{domain}} zostaną usunięte. Tej operacji nie można cofnąć.',
		confirm: 'Wyzeruj statystyki',
		done: 'Statystyki wyzerowane.',
	},
	delete: {
		title: 'Usuń witrynę',
		text: 'Usuwa witrynę, jej ustawienia i wszystkie statystyki. Jej identyfikator nigdy nie jest używany ponownie.',
		warning: '{{domain}} i wszystkie jej statystyki zostaną usunięte. Tej operacji nie można cofnąć.',
		confirm: 'Usuń witrynę',
	},
	typed: {
		label: 'Wpisz {{domain}}, aby potwierdzić',
		wrong: 'Nazwa nie zgadza się z {{domain}}.',
	},
	embed: {
		frame: 'Osadzanie',
		frameText:
			'Osadź stronę statystyk w ramce iframe, jasnej lub ciemnej. Mogą ją osadzać tylko poniższe źródła.',
		origins: 'Dozwolone źródła (jedno w wierszu)',
		originsHint:
			'Na przykład https://example.com lub https://*.example.com. Pozostaw puste, aby wyłączyć osadzanie.',
		page: 'Strona',
		frameCode: 'Kod do osadzenia',
		badge: 'Plakietka',
		badgeText: 'Obraz z liczbą odwiedzających, aktualizowany co minutę.',
		badgeCode: 'Kod plakietki',
		title: 'Osadzanie i plakietka',
		publicOnly:
			'Osadzać można tylko publiczne witryny i linki udostępniania bez hasła. Odznakę mają tylko publiczne witryny.',
		preview: 'Podgląd',
		badgeLook: 'Styl',
		looks: {
			badge: 'Plakietka',
			counter: 'Licznik',
		},
	},
};
