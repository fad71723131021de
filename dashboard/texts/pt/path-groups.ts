import type { Texts } from '../texts.ts';

export const pathGroups: Texts['pathGroups'] = {
	rules: {
		title: 'Regras',
		text: 'Agrupe páginas cujos caminhos contêm IDs ou datas. Vale a primeira regra que corresponder. As regras também se aplicam aos dados anteriores.',
		hint: '* corresponde a parte de um segmento do caminho, ** no final corresponde ao resto do caminho. $1 em um grupo mantém o que o primeiro * encontrou.',
		add: 'Adicionar regra',
		none: 'Ainda não há regras. Cada caminho é seu próprio grupo.',
		pattern: 'Padrão',
		target: 'Grupo',
		patternOf: 'Padrão da regra {{rule}}',
		targetOf: 'Grupo da regra {{rule}}',
		up: 'Mover a regra {{rule}} para cima',
		down: 'Mover a regra {{rule}} para baixo',
		remove: 'Excluir a regra {{rule}}',
		bad: 'Verifique esta regra. Um padrão começa com / e tem no máximo um * por segmento; ** só é permitido no final.',
		count: 'Caminhos: {{paths}} · Visualizações: {{views}}',
		period: 'Prévia dos últimos 30 dias.',
		partial: 'Prévia dos últimos 30 dias, para os {{compared}} caminhos mais vistos de {{paths}}.',
		examples: 'Exemplos',
		unmatched: 'Caminhos sem regra',
	},
	undo: {
		title: 'Desfazer',
		text: 'Restaura as regras anteriores. As estatísticas voltam a mostrar os mesmos números de antes da alteração.',
		button: 'Desfazer a última alteração',
		done: 'A última alteração foi desfeita.',
	},
	proposals: {
		title: 'Sugestões',
		text: 'Com base nos caminhos dos últimos 30 dias aos quais nenhuma regra corresponde.',
		use: 'Usar',
		useOne: 'Usar a regra para {{pattern}}',
		none: 'Nenhuma sugestão.',
	},
};
