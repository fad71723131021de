import type { Texts } from '../texts.ts';

export const vitals: Texts['vitals'] = {
	title: 'Signaux web essentiels',
	text: '75 % des pages vues étaient au moins aussi bonnes que ces valeurs.',
	names: {
		lcp: 'Largest Contentful Paint',
		inp: 'Interaction to Next Paint',
		cls: 'Cumulative Layout Shift',
	},
	definitions: {
		lcp: 'LCP : temps nécessaire à l’affichage du plus grand élément de la page. Bon jusqu’à {{good}}, mauvais au-delà de {{poor}}.',
		inp: 'INP : temps de réponse de la page à l’interaction la plus lente. Bon jusqu’à {{good}}, mauvais au-delà de {{poor}}.',
		cls: 'CLS : ampleur des décalages inattendus de la mise en page. Bon jusqu’à {{good}}, mauvais au-delà de {{poor}}.',
	},
	ratings: {
		good: 'Bon',
		needs_improvement: 'À améliorer',
		poor: 'Mauvais',
	},
	rating: 'Évaluation',
	p75: '75e centile',
	samples: 'Pages vues',
	caption: 'Signaux web essentiels : 75e centile et répartition des pages vues',
	pages: '{{name}} par page',
	refused:
		'Les signaux web essentiels ne peuvent être filtrés que par page, nom d’hôte, pays, appareil, navigateur et système d’exploitation. Retirez les autres filtres pour les voir.',
	from: 'Les mesures antérieures ont été supprimées. Les données commencent le {{date}}.',
};
