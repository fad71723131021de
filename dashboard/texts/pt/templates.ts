import type { Texts } from '../texts.ts';

export const templates: Texts['templates'] = {
	label: 'Modelo',
	none: 'Nenhum modelo',
	hint: 'Copia configurações, metas, funis, segmentos, grupos de páginas e regras de tráfego do modelo.',
	manage: 'Gerenciar modelos',
	manageText: 'Renomear ou excluir um modelo não altera nenhum site.',
	rename: 'Renomear',
	renameOne: 'Renomear: {{name}}',
	name: 'Nome do modelo',
	empty: 'Ainda não há modelos.',
	save: {
		title: 'Salvar como modelo',
		text: 'Novos sites podem começar com as configurações, metas, funis, segmentos, grupos de páginas e regras de tráfego deste site. Senhas, nomes de host e destinatários não são copiados.',
		done: 'Modelo salvo. Você pode escolhê-lo ao adicionar um site.',
	},
	bulk: {
		open: 'Alterar vários',
		title: 'Alterar vários sites',
		text: 'Os sites desta página da lista.',
		selectAll: 'Selecionar todos',
		selectNone: 'Desmarcar todos',
		noneSelected: 'Selecione pelo menos um site.',
		add: 'Adicionar etiquetas',
		remove: 'Remover etiquetas',
		template: 'Aplicar um modelo',
		templateHint: 'Aplica as configurações do modelo e adiciona suas metas e outros itens. Nada é removido.',
		send: 'Aplicar',
	},
};
