import type { Texts } from '../texts.ts';

export const vitals: Texts['vitals'] = {
	title: 'Web Vitals',
	text: 'Drei von vier Seitenaufrufen waren so gut wie diese Werte oder besser.',
	names: { lcp: 'Größter Inhalt', inp: 'Langsamste Antwort', cls: 'Layoutverschiebung' },
	definitions: {
		lcp: 'LCP: wie lange es dauerte, bis der größte Teil der Seite zu sehen war. Gut bis {{good}}, schlecht über {{poor}}.',
		inp: 'INP: wie lange die Seite für die langsamste Antwort auf einen Druck oder eine Taste brauchte. Gut bis {{good}}, schlecht über {{poor}}.',
		cls: 'CLS: wie sehr sich die Seite von selbst verschob. Gut bis {{good}}, schlecht über {{poor}}.',
	},
	ratings: { good: 'Gut', needs_improvement: 'Verbesserungsbedarf', poor: 'Schlecht' },
	rating: 'Bewertung',
	p75: '75. Perzentil',
	samples: 'Seitenaufrufe',
	caption: 'Web Vitals: das 75. Perzentil und wie sich die Seitenaufrufe verteilen',
	pages: '{{name}} nach Seite',
	refused:
		'Web Vitals gehören zu einzelnen Seitenaufrufen. Sie lassen sich nach Seite, Hostname, Land, Gerät, Browser und Betriebssystem filtern; nimm die anderen Filter weg, um sie zu sehen.',
	from: 'Frühere Messungen wurden gelöscht; diese beginnen am {{date}}.',
};
