import type { Texts } from '../texts.ts';

export const vitals: Texts['vitals'] = {
	title: 'Web Vitals',
	text: '75 % der Seitenaufrufe waren mindestens so gut wie diese Werte.',
	names: {
		lcp: 'Largest Contentful Paint',
		inp: 'Interaction to Next Paint',
		cls: 'Cumulative Layout Shift',
	},
	definitions: {
		lcp: 'LCP: Zeit, bis das größte Element der Seite dargestellt ist. Gut bis {{good}}, schlecht über {{poor}}.',
		inp: 'INP: Zeit, in der die Seite auf die langsamste Interaktion reagiert. Gut bis {{good}}, schlecht über {{poor}}.',
		cls: 'CLS: wie stark sich das Layout unerwartet verschiebt. Gut bis {{good}}, schlecht über {{poor}}.',
	},
	ratings: {
		good: 'Gut',
		needs_improvement: 'Verbesserungsbedarf',
		poor: 'Schlecht',
	},
	rating: 'Bewertung',
	p75: '75. Perzentil',
	samples: 'Seitenaufrufe',
	caption: 'Web Vitals: 75. Perzentil und Verteilung der Seitenaufrufe',
	pages: '{{name}} nach Seite',
	refused:
		'Web Vitals lassen sich nur nach Seite, Hostname, Land, Gerät, Browser und Betriebssystem filtern. Entferne andere Filter, um sie zu sehen.',
	from: 'Frühere Messungen wurden gelöscht. Daten gibt es ab dem {{date}}.',
};
