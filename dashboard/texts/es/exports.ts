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
		parquet: 'Parquet, para bases de datos y notebooks',
		csv: 'CSV, para hojas de cálculo',
		ndjson: 'NDJSON, una línea de JSON cada uno',
	},
	from: 'Desde',
	to: 'Hasta',
	dates: 'Déjalo vacío para exportarlo todo.',
	order: 'La fecha final es anterior a la inicial.',
	button: 'Descargar',
	begun: 'Descarga iniciada. Los archivos grandes tardan un poco.',
};
