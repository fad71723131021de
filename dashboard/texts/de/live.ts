import type { Texts } from '../texts.ts';

export const live: Texts['live'] = {
	title: 'Live',
	heading: 'Live: {{domain}}',
	here_one: 'Besucher in den letzten 5 Minuten',
	here_other: 'Besucher in den letzten 5 Minuten',
	lastHalfHour: 'Besucher in den letzten 30 Minuten',
	visitors: 'Besucher',
	pageviews: 'Seitenaufrufe',
	time: 'Zeit',
	now: 'jetzt',
	halfHourAgo: 'vor 30 Minuten',
	quarterAgo: '15',
	pages: 'Seiten',
	sources: 'Quellen',
	countries: 'Länder',
	nobody: 'Gerade ist niemand da. Sobald jemand eine Seite öffnet, erscheint es hier von selbst.',
	noRows: 'Noch nichts',
	fewer:
		'Zeilen mit weniger als 3 Besuchern werden nicht gezeigt, und das Bild ist bis zu fünf Minuten alt: So handelt es von niemandem im Besonderen.',
	ways: {
		stream: 'Ändert sich von selbst, innerhalb von 2 Sekunden',
		polling: 'Wird alle 5 Sekunden abgefragt, weil der Strom nicht durchkommt',
	},
};
