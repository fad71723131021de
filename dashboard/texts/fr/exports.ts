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
		parquet: 'Parquet (bases de données, notebooks)',
		csv: 'CSV (tableurs)',
		ndjson: 'NDJSON (un objet JSON par ligne)',
	},
	from: 'Du',
	to: 'Au',
	dates: 'Laissez vide pour tout exporter.',
	order: 'La date de fin précède la date de début.',
	button: 'Télécharger',
	begun: 'Téléchargement commencé. Les fichiers volumineux prennent un moment.',
};
