import type { Texts } from '../texts.ts';

export const trafficRules: Texts['trafficRules'] = {
	title: 'Reguły ruchu',
	text: 'Wykluczaj żądania według ścieżki, nazwy hosta, kraju, strony odsyłającej, kampanii, user agenta, sieci IP lub operatora sieci. Reguły dotyczą nowego ruchu. Większość można też zastosować do wcześniejszego ruchu.',
	textForEditors:
		'Wykluczaj żądania według ścieżki, nazwy hosta, kraju, strony odsyłającej, kampanii, user agenta, sieci IP lub operatora sieci. Reguły dotyczą nowego ruchu. Administratorzy mogą zastosować większość z nich także do wcześniejszego ruchu.',
	add: 'Dodaj regułę',
	edit: 'Edytuj regułę',
	none: 'Nie ma jeszcze reguł.',
	noDrops: 'Brak wykluczonych żądań w ostatnich 30 dniach',
	dropped_one: '{{total}} żądanie wykluczone w ostatnich 30 dniach',
	dropped_few: '{{total}} żądania wykluczone w ostatnich 30 dniach',
	dropped_many: '{{total}} żądań wykluczonych w ostatnich 30 dniach',
	dropped_other: '{{total}} żądania wykluczonego w ostatnich 30 dniach',
	kind: 'Wyklucz według',
	kinds: {
		path: 'Ścieżka',
		hostname: 'Nazwa hosta',
		country: 'Kraj',
		referrer: 'Strona odsyłająca',
		campaign: 'Kampania (utm_campaign)',
		user_agent: 'User agent',
		network: 'Adres lub sieć IP',
		operator: 'Operator sieci',
	},
	domain: 'to domena lub subdomena',
	values: 'Wartości',
	perLine: 'Jedna w wierszu. Żądanie pasujące do dowolnej z nich jest wykluczane.',
	country: 'Dwuliterowe kody krajów, jeden w wierszu.',
	operatorNumbers: 'Numery AS, np. AS64500, jeden w wierszu.',
	operatorNames: 'Fragmenty nazw, jeden w wierszu. Wielkość liter nie ma znaczenia.',
	operatorsMissing:
		'Ta reguła do niczego nie pasuje, ponieważ baza operatorów sieci nie jest zainstalowana. Aby ją zainstalować, uruchom na serwerze polecenie {{command}}.',
	firstPage:
		'Wyklucza tylko żądania z tą stroną odsyłającą lub kampanią, zwykle pierwszą odsłonę wizyty. Kolejne strony wizyty są liczone.',
	applies: 'Dotyczy nowego ruchu. Po zapisaniu można ją też zastosować do wcześniejszego ruchu.',
	appliesForEditors:
		'Dotyczy nowego ruchu. Administratorzy mogą ją zastosować także do wcześniejszego ruchu.',
	appliesToNew:
		'Dotyczy tylko nowego ruchu, ponieważ informacje o adresie IP, operatorze sieci i user agencie nie są zapisywane.',
	matches_one: 'Pasuje {{total}} wizyta z ostatnich 30 dni.',
	matches_few: 'Pasują {{total}} wizyty z ostatnich 30 dni.',
	matches_many: 'Pasuje {{total}} wizyt z ostatnich 30 dni.',
	matches_other: 'Pasuje {{total}} wizyty z ostatnich 30 dni.',
	noMatch: 'Nie pasuje żadna wizyta z ostatnich 30 dni.',
	loading: 'Liczenie pasujących wizyt…',
	reasons: {
		not_stored:
			'Brak podglądu: informacje o adresie IP, operatorze sieci i user agencie nie są zapisywane, więc wcześniejszych wizyt nie można sprawdzić.',
		too_many_values: 'Brak podglądu dla ponad 1000 wartości.',
		not_available: 'Brak podglądu: dane o wizytach nie obejmują ostatnich 30 dni.',
	},
	nameTaken: 'Reguła o tej nazwie już istnieje.',
	valuesNeeded: 'Podaj co najmniej jedną wartość.',
	badValue: 'Wartość {{number}} jest nieprawidłowa dla tego rodzaju reguły.',
	deleteText: 'Nowy ruch pasujący do reguły będzie znów liczony. Wykluczone żądania nie zostaną przywrócone.',
	byRule: 'Według reguły ruchu',
};
