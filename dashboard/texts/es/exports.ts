import type { Texts } from '../texts.ts';

export const exports: Texts['exports'] = {
	title: 'Llévate tus datos',
	text: 'Todo lo que se conserva de este sitio web en un archivo: evento por evento o en totales. Las columnas se describen en la documentación.',
	what: {
		label: 'Qué',
		events: 'Eventos: todo lo contado, uno por uno',
		visits: 'Visitas de días terminados',
		totals: 'Totales por día, de días terminados',
	},
	format: {
		label: 'Formato',
		parquet: 'Parquet, para bases de datos y notebooks',
		csv: 'CSV, para hojas de cálculo',
		ndjson: 'NDJSON, una línea de JSON cada uno',
	},
	from: 'Desde',
	to: 'Hasta',
	dates: 'Vacío: todo lo que hay.',
	order: 'El final es anterior al principio.',
	button: 'Descargar',
	begun: 'La descarga ha comenzado. Un archivo grande tarda un rato.',
};
