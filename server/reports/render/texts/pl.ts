import { createPlural } from './plural.ts';
import type { Against, ReportTexts } from './texts.ts';

const plural = createPlural('pl');
const before: Record<Against, string> = {
	week: 'w poprzednim tygodniu',
	month: 'w poprzednim miesiącu',
	year: 'rok temu',
};

export const pl: ReportTexts = {
	metrics: {
		visitors: 'Odwiedzający',
		visits: 'Wizyty',
		pageviews: 'Odsłony',
		bounce_rate: 'Współczynnik odrzuceń',
		visit_duration: 'Czas wizyty',
		revenue: 'Przychód',
	},
	visitors: (count, shown) => `${shown} ${plural(count, { one: 'odwiedzający', other: 'odwiedzających' })}`,
	subject: {
		week: ({ name, visitors, change }) => `${name}: ${visitors} w zeszłym tygodniu${change}`,
		month: ({ name, visitors, change, month }) => `${name}, ${month}: ${visitors}${change}`,
	},
	websites: (count, shown) =>
		`${shown} ${plural(count, { one: 'witryna', few: 'witryny', many: 'witryn', other: 'witryny' })}`,
	title: { week: 'Raport tygodniowy', month: 'Raport miesięczny' },
	before: { week: 'Poprzedni tydzień', month: 'Poprzedni miesiąc', year: 'Rok temu' },
	change: {
		more: (by, against) => `${by} więcej niż ${before[against]}`,
		fewer: (by, against) => `${by} mniej niż ${before[against]}`,
		same: (against) => `tyle samo co ${before[against]}`,
		points: (_, shown) => `${shown} p.p.`,
		before: (than) => `poprzednio ${than}`,
		unchanged: 'bez zmian',
		new: 'nowość',
	},
	chart: {
		title: 'Odwiedzający dziennie',
		legend: {
			week: { now: 'ten tydzień', before: 'poprzedni tydzień' },
			month: { now: 'ten miesiąc', before: 'poprzedni miesiąc' },
		},
		summary: ({ most, mostVisitors, least, leastVisitors }) =>
			`Najlepszy dzień: ${most} (${mostVisitors}). Najsłabszy dzień: ${least} (${leastVisitors}).`,
	},
	lists: {
		pages: 'Strony',
		sources: 'Źródła',
		countries: 'Kraje',
		goals: 'Cele',
		changed: 'Co się zmieniło',
	},
	columns: { website: 'Witryna', conversions: 'Konwersje', rate: 'Współczynnik' },
	changed: {
		page: ({ value, visitors, before: then }) => `Strona ${value}: ${visitors}, poprzednio ${then}.`,
		source: ({ value, visitors, before: then }) => `Źródło ${value}: ${visitors}, poprzednio ${then}.`,
		newPage: ({ value, visitors }) => `Nowa strona ${value}: ${visitors}.`,
		newSource: ({ value, visitors }) => `Nowe źródło ${value}: ${visitors}.`,
		goal: ({ value, count, before: then }) => `Konwersje celu ${value}: ${count}, poprzednio ${then}.`,
	},
	values: { direct: 'Bezpośrednio', unknown: 'Nieznane' },
	nobody: { week: 'Brak odwiedzających w tym tygodniu.', month: 'Brak odwiedzających w tym miesiącu.' },
	provisional:
		'Dane wstępne: w chwili tworzenia tego raportu część tych dni była jeszcze przetwarzana. Najnowsze dane znajdziesz w panelu.',
	open: { week: 'Otwórz ten tydzień', month: 'Otwórz ten miesiąc' },
	openAll: 'Otwórz wszystkie witryny',
	others: (count, shown) =>
		`i jeszcze ${shown} ${plural(count, { one: 'witryna', few: 'witryny', many: 'witryn', other: 'witryny' })}`,
	why: {
		week: ({ name }) =>
			`Otrzymujesz tę wiadomość, ponieważ cotygodniowe raporty witryny ${name} są włączone.`,
		month: ({ name }) =>
			`Otrzymujesz tę wiadomość, ponieważ comiesięczne raporty witryny ${name} są włączone.`,
	},
	whyDigest: {
		week: 'Otrzymujesz tę wiadomość, ponieważ cotygodniowe raporty tych witryn są włączone.',
		month: 'Otrzymujesz tę wiadomość, ponieważ comiesięczne raporty tych witryn są włączone.',
	},
	unsubscribe: 'Zrezygnuj z raportów',
	foot: {
		zone: (zone) => `Strefa czasowa: ${zone}.`,
		visitor:
			'Odwiedzający są liczeni osobno każdego dnia. Osoba, która wróci innego dnia, zostanie policzona ponownie.',
	},
	poweredBy: 'Obsługiwane przez Tidemark',
	feed: { title: (name) => `Raporty witryny ${name}` },
};
