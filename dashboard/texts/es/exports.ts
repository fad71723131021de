import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
	title: 'Exportar',
	text: 'Descarga todos los datos guardados de este sitio. Las columnas se describen en la documentación.',
	what: {
		label: 'Datos',
		events: 'Eventos (sin procesar)',
		visits: 'Visitas (días completos)',
		totals: 'Totales diarios (días completos)',
	},
	format: {
		label: 'Formato',
		parquet: 'Parquet (bases de datos, notebooks)',
		csv: 'CSV (hojas de cálculo)',
		ndjson: 'NDJSON (un objeto JSON por línea)',
	},
	from: 'Desde',
	to: 'Hasta',
	dates: 'Déjalo vacío para exportarlo todo.',
	order: 'La fecha final es anterior a la inicial.',
	button: 'Descargar',
	begun: 'Descarga iniciada. Los archivos grandes tardan un poco.',
};
