import type { Texts } from '../texts.ts';

export const deletions: Texts['deletions'] = {
	counting: 'Contando os eventos correspondentes…',
	none: 'Nenhum evento corresponde.',
	matches_one: '{{total}} evento ({{kinds}}) {{days}} será ocultado.',
	matches_many: '{{total}} de eventos ({{kinds}}) {{days}} serão ocultados.',
	matches_other: '{{total}} eventos ({{kinds}}) {{days}} serão ocultados.',
	pageviews_one: '{{total}} visualização de página',
	pageviews_many: '{{total}} de visualizações de página',
	pageviews_other: '{{total}} visualizações de página',
	customEvents_one: '{{total}} evento personalizado',
	customEvents_many: '{{total}} de eventos personalizados',
	customEvents_other: '{{total}} eventos personalizados',
	measurements_one: '{{total}} medição de engajamento ou métricas da Web',
	measurements_many: '{{total}} de medições de engajamento e métricas da Web',
	measurements_other: '{{total}} medições de engajamento e métricas da Web',
	days_one: 'em {{from}}',
	days_many: 'em {{total}} de dias de {{from}} a {{to}}',
	days_other: 'em {{total}} dias de {{from}} a {{to}}',
	totalsBefore:
		'Os totais anteriores a {{date}} não mudam, porque seus eventos já foram excluídos pela retenção de dados.',
	earlierValues_one:
		'{{total}} valor será removido dos detalhamentos de dias cujos eventos não estão mais armazenados e de dias importados. Os totais desses dias não mudam.',
	earlierValues_many:
		'{{total}} de valores serão removidos dos detalhamentos de dias cujos eventos não estão mais armazenados e de dias importados. Os totais desses dias não mudam.',
	earlierValues_other:
		'{{total}} valores serão removidos dos detalhamentos de dias cujos eventos não estão mais armazenados e de dias importados. Os totais desses dias não mudam.',
	alreadyHidden_one:
		'{{total}} evento correspondente já está oculto por outra exclusão. Ele só volta a contar se ambas forem desfeitas e é excluído do disco com a primeira.',
	alreadyHidden_many:
		'{{total}} de eventos correspondentes já estão ocultos por outra exclusão. Eles só voltam a contar se ambas forem desfeitas e são excluídos do disco com a primeira.',
	alreadyHidden_other:
		'{{total}} eventos correspondentes já estão ocultos por outra exclusão. Eles só voltam a contar se ambas forem desfeitas e são excluídos do disco com a primeira.',
	referrers_one:
		'{{total}} evento de outra página contém um caminho correspondente no referenciador e é mantido. Para excluí-lo também, use um filtro por referenciador.',
	referrers_many:
		'{{total}} de eventos de outras páginas contêm um caminho correspondente no referenciador e são mantidos. Para excluí-los também, use um filtro por referenciador.',
	referrers_other:
		'{{total}} eventos de outras páginas contêm um caminho correspondente no referenciador e são mantidos. Para excluí-los também, use um filtro por referenciador.',
	keeps:
		'Os eventos são ocultados imediatamente de todas as estatísticas. Você pode desfazer isso até {{date}}. Depois, eles são excluídos do disco.',
	keepsNone:
		'Os eventos são ocultados imediatamente de todas as estatísticas e excluídos do disco assim que possível. Esta ação não pode ser desfeita.',
	keepsValues: 'Os valores são ocultados imediatamente. Você pode desfazer isso até {{date}}.',
	keepsValuesNone: 'Os valores são excluídos assim que possível. Esta ação não pode ser desfeita.',
	tooLarge:
		'No máximo 1.000 valores, com 60.000 caracteres no total, podem ser aplicados ao tráfego anterior. Divida-os em várias regras ou exclusões.',
	limit: 'Há exclusões demais que ainda podem ser desfeitas. Desfaça uma ou espere o prazo dela terminar.',
	newEvents: 'Eventos novos não são afetados.',
	exclude: 'Não contar o tráfego novo',
	undo: 'Desfazer',
	valuesDeleted: '(valores excluídos)',
	states: {
		hidden: 'Ocultado. Pode ser desfeito até {{date}}.',
		due: 'Ocultado. Será excluído do disco em breve.',
		deleted: 'Excluído do disco em {{date}}.',
		undone: 'Desfeito em {{date}}.',
	},
	rule: {
		apply: 'Aplicar ao tráfego anterior',
		applyOne: 'Aplicar ao tráfego anterior: {{name}}',
		title: 'Aplicar {{name}} ao tráfego anterior?',
		text: 'Os eventos anteriores que correspondem a esta regra são ocultados imediatamente de todas as estatísticas.',
		textUntil:
			'Os eventos anteriores que correspondem a esta regra são ocultados imediatamente de todas as estatísticas. Você pode desfazer isso até {{date}}. Depois, eles são excluídos do disco.',
		textFinal:
			'Os eventos anteriores que correspondem a esta regra são ocultados imediatamente de todas as estatísticas e excluídos do disco assim que possível. Esta ação não pode ser desfeita.',
		action: 'Ocultar tráfego anterior',
		hidden_one: '{{total}} evento anterior ocultado. Pode ser desfeito até {{date}}.',
		hidden_many: '{{total}} de eventos anteriores ocultados. Pode ser desfeito até {{date}}.',
		hidden_other: '{{total}} eventos anteriores ocultados. Pode ser desfeito até {{date}}.',
		due_one: '{{total}} evento anterior ocultado. Será excluído do disco em breve.',
		due_many: '{{total}} de eventos anteriores ocultados. Serão excluídos do disco em breve.',
		due_other: '{{total}} eventos anteriores ocultados. Serão excluídos do disco em breve.',
		staysHidden:
			'O tráfego anterior que esta regra oculta continua oculto. Administradores podem desfazer isso em Dados.',
	},
	filter: {
		title: 'Excluir dados por filtro',
		text: 'Exclui eventos anteriores que atendem a condições, por exemplo dados pessoais que uma página enviou por engano. Antes, você verá uma prévia. Eventos novos não são afetados.',
		dialogText: 'Selecione os eventos. Antes de qualquer exclusão, você verá uma prévia.',
		conditions: 'Eventos que atendem a todas as condições',
		condition: 'Condição {{number}}',
		field: 'Campo',
		query: 'String de consulta',
		perLine: 'Um por linha. Basta que um corresponda.',
		badValue: 'O valor {{number}} não é válido para este campo.',
		propertyNeeded: 'Digite o nome da propriedade.',
		add: 'Adicionar condição',
		remove: 'Remover condição {{number}}',
		allDays: 'Deixe vazio para todos os dias.',
		keep: 'Prazo para desfazer',
		keepDays: '{{days}} dias',
		keepNone: 'Nenhum: excluir assim que possível',
		preview: 'Pré-visualizar',
		action_one: 'Excluir {{total}} evento',
		action_many: 'Excluir {{total}} de eventos',
		action_other: 'Excluir {{total}} eventos',
		confirm_one: 'Excluir {{total}} evento?',
		confirm_many: 'Excluir {{total}} de eventos?',
		confirm_other: 'Excluir {{total}} eventos?',
		done: 'Eventos removidos de todas as estatísticas.',
	},
	elsewhere: {
		title: 'Os mesmos dados também podem estar em',
		reports_one: '{{total}} relatório armazenado sobre esses dias',
		reports_many: '{{total}} de relatórios armazenados sobre esses dias',
		reports_other: '{{total}} relatórios armazenados sobre esses dias',
		deadLetters_one: 'Mensagens com falha: {{total}} evento que não pôde ser gravado',
		deadLetters_many: 'Mensagens com falha: {{total}} de eventos que não puderam ser gravados',
		deadLetters_other: 'Mensagens com falha: {{total}} eventos que não puderam ser gravados',
		backup: 'Backup antes de uma atualização, criado em {{made}}, expira em {{expires}}',
		own: 'Exportações e backups que você mesmo criou não são alterados.',
	},
	list: {
		title: 'Dados excluídos',
		rule: 'Regra de tráfego: {{name}}',
		and: 'e',
		events_one: '{{total}} evento {{days}}',
		events_many: '{{total}} de eventos {{days}}',
		events_other: '{{total}} eventos {{days}}',
		values_one: '{{total}} valor em detalhamentos de totais anteriores',
		values_many: '{{total}} de valores em detalhamentos de totais anteriores',
		values_other: '{{total}} valores em detalhamentos de totais anteriores',
		noEvents: 'Nenhum evento',
		all: 'Mostrar tudo',
	},
};
