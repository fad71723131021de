import type { Texts } from '../texts.ts';

export const vitals: Texts['vitals'] = {
	title: 'Signaux web essentiels',
	text: 'Trois pages vues sur quatre étaient aussi bonnes que ces valeurs, ou meilleures.',
	names: { lcp: 'Plus grand affichage', inp: 'Réponse la plus lente', cls: 'Décalage de la page' },
	definitions: {
		lcp: 'LCP : temps écoulé jusqu’à l’affichage de la plus grande partie de la page. Bon jusqu’à {{good}}, mauvais au-delà de {{poor}}.',
		inp: 'INP : temps de réponse de la page à l’action la plus lente. Bon jusqu’à {{good}}, mauvais au-delà de {{poor}}.',
		cls: 'CLS : ampleur des déplacements de la page d’elle-même. Bon jusqu’à {{good}}, mauvais au-delà de {{poor}}.',
	},
	ratings: { good: 'Bon', needs_improvement: 'À améliorer', poor: 'Mauvais' },
	rating: 'Évaluation',
	p75: '75e centile',
	samples: 'Pages vues',
	caption: 'Signaux web essentiels : 75e centile et répartition des pages vues',
	pages: '{{name}} par page',
	refused:
		'Ces mesures concernent des pages vues isolées. Elles peuvent être filtrées par page, nom d’hôte, pays, appareil, navigateur et système ; retirez les autres filtres pour les voir.',
	from: 'Les mesures plus anciennes ont été supprimées ; celles-ci commencent le {{date}}.',
};
