import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
	title: 'Emporter vos données',
	text: 'Tout ce qui est conservé de ce site, dans un fichier : événement par événement ou en totaux. Les colonnes sont décrites dans la documentation.',
	what: {
		label: 'Contenu',
		events: 'Événements : tout ce qui a été compté, un par un',
		visits: 'Visites des jours terminés',
		totals: 'Totaux par jour, des jours terminés',
	},
	format: {
		label: 'Format',
		parquet: 'Parquet, pour bases de données et notebooks',
		csv: 'CSV, pour tableurs',
		ndjson: 'NDJSON, une ligne de JSON par entrée',
	},
	from: 'Du',
	to: 'Au',
	dates: 'Vide : tout ce qui existe.',
	order: 'La fin précède le début.',
	button: 'Télécharger',
	begun: 'Le téléchargement a commencé. Un gros fichier prend du temps.',
};
