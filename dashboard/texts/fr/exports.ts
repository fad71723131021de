import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
	title: 'Exporter',
	text: 'Téléchargez toutes les données enregistrées de ce site. Les colonnes sont décrites dans la documentation.',
	what: {
		label: 'Données',
		events: 'Événements (bruts)',
		visits: 'Visites (jours terminés)',
		totals: 'Totaux quotidiens (jours terminés)',
	},
	format: {
		label: 'Format',
		parquet: 'Parquet, pour bases de données et notebooks',
		csv: 'CSV, pour tableurs',
		ndjson: 'NDJSON, une ligne de JSON par entrée',
	},
	from: 'Du',
	to: 'Au',
	dates: 'Laissez vide pour tout exporter.',
	order: 'La date de fin précède la date de début.',
	button: 'Télécharger',
	begun: 'Téléchargement commencé. Les fichiers volumineux prennent un moment.',
};
