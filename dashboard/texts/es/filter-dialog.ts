import type { Texts } from '../texts.ts';

export const filterDialog: Texts['filterDialog'] = {
	addTitle: 'Añadir filtro',
	editTitle: 'Editar filtro',
	dimension: 'Dimensión',
	property: 'Nombre de la propiedad',
	test: 'Operador',
	values: 'Valores',
	suggestions: 'Sugerencias de este periodo',
	search: 'Busca o escribe un valor',
	apply: 'Aplicar filtro',
	nothingFound: 'No hay valores coincidentes en este periodo.',
	groups: {
		pages: 'Páginas',
		sources: 'Adquisición',
		places: 'Ubicaciones',
		devices: 'Dispositivos',
		other: 'Comportamiento',
	},
	number: 'Número',
	from: 'Desde',
	to: 'Hasta',
	ignoreCase: 'Ignorar mayúsculas y minúsculas',
	currency: 'Moneda',
	currencyHint: 'Un código como EUR. Déjalo vacío para cualquier moneda.',
	wildcardHint: '* representa cualquier carácter, como en los objetivos.',
	matchesHint: 'Una expresión regular en sintaxis RE2, por ejemplo ^/blog/[0-9]+',
};
