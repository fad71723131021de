import type { Texts } from '../texts.ts';

export const filterDialog: Texts['filterDialog'] = {
	addTitle: 'Adicionar filtro',
	editTitle: 'Editar filtro',
	dimension: 'Dimensão',
	property: 'Nome da propriedade',
	test: 'Operador',
	values: 'Valores',
	suggestions: 'Sugestões deste período',
	search: 'Busque ou digite um valor',
	apply: 'Aplicar filtro',
	nothingFound: 'Nenhum valor correspondente neste período.',
	groups: {
		pages: 'Páginas',
		sources: 'Aquisição',
		places: 'Localizações',
		devices: 'Dispositivos',
		other: 'Comportamento',
	},
	number: 'Número',
	from: 'De',
	to: 'Até',
	ignoreCase: 'Ignorar maiúsculas e minúsculas',
	currency: 'Moeda',
	currencyHint: 'Um código como EUR. Deixe em branco para qualquer moeda.',
	wildcardHint: '* representa quaisquer caracteres, como nas metas.',
	matchesHint: 'Uma expressão regular na sintaxe RE2, por exemplo ^/blog/[0-9]+',
};
