import type { Texts } from '../texts.ts';

export const settings: Texts['settings'] = {
	title: 'Configurações',
	chooseTab: 'Configurações: {{tab}}',
	readOnly:
		'Você tem acesso somente leitura. Editores e admins deste site podem alterar estas configurações.',
	adminsOnly: 'Somente administradores deste site podem alterar estas configurações.',
	tabs: {
		general: {
			title: 'Geral',
			text: 'Domínio, fuso horário, nomes de host e etiquetas.',
		},
		privacy: {
			title: 'Visibilidade',
			text: 'Quem pode ver as estatísticas deste site.',
		},
		goals: {
			title: 'Metas',
			text: 'Páginas e eventos que contam como conversões.',
		},
		exclusions: {
			title: 'Exclusões',
			text: 'Tráfego que não é contado.',
		},
		drops: {
			title: 'Tráfego excluído',
			text: 'Requisições que não foram contadas, por motivo.',
		},
		alerts: {
			title: 'Alertas',
			text: 'Notificações sobre picos, falta de tráfego e metas.',
		},
		reports: {
			title: 'Relatórios',
			text: 'Resumos semanais e mensais.',
		},
		people: {
			title: 'Membros',
			text: 'Quem tem acesso a este site e a quem ele pertence.',
		},
		changes: {
			title: 'Registro de atividades',
			text: 'Todas as alterações neste site. Os registros não podem ser editados.',
		},
		data: {
			title: 'Dados',
			text: 'Retenção, importação, exportação e exclusão.',
		},
	},
	domain: {
		title: 'Domínio',
		text: 'Ao renomear, o site mantém o ID ({{id}}), as estatísticas e o snippet. A partir daí, só contam as páginas do novo domínio.',
		hint: 'Para continuar contando também o domínio antigo, informe os dois em nomes de host.',
		rename: 'Renomear site',
		taken: 'Você já tem um site {{domain}}.',
		bad: 'Digite um domínio válido, como example.com.',
	},
	install: {
		title: 'Código',
		text: 'O ID deste site é {{id}}.',
		link: 'Código e guias',
	},
	zone: {
		title: 'Fuso horário',
		unknown: 'Digite um fuso horário válido, como America/Sao_Paulo.',
		text: 'Define quando um dia começa e termina. Os dias passados mantêm o fuso horário.',
	},
	hostnames: {
		title: 'Nomes de host',
		text: '{{domain}} conta sempre. Os subdomínios também contam, a menos que você indique aqui outros hosts.',
		label: 'Nomes de host permitidos (um por linha)',
		bad: 'A linha {{line}} não é um nome de host como example.com, *.example.com, !old.example.com ou localhost.',
		hint: '*.example.com permite todos os subdomínios, !old.example.com exclui um nome de host, localhost permite sua própria máquina.',
	},
	labels: {
		title: 'Etiquetas',
		text: 'Agrupe sites com suas próprias etiquetas.',
		hint: 'Separe as etiquetas com vírgulas (até 20).',
		bad: 'No máximo 20 etiquetas, de no máximo 50 caracteres cada.',
	},
	favorite: {
		title: 'Favorito',
		label: 'Fixar no topo da lista de sites',
	},
	privacy: {
		title: 'Visibilidade',
		text: 'As alterações valem imediatamente, inclusive em páginas abertas.',
		modes: {
			public: {
				title: 'Público',
				text: 'Qualquer pessoa com o link pode ver as estatísticas, mas não as configurações.',
			},
			private: {
				title: 'Privado',
				text: 'Só você e os membros convidados podem ver as estatísticas.',
			},
			password: {
				title: 'Senha',
				text: 'Qualquer pessoa com o link e a senha pode ver as estatísticas. O acesso dura um dia.',
			},
		},
		password: 'Senha',
		passwordHint: 'Ela aparece aqui enquanto você digita, e depois em lugar nenhum.',
		newPassword: 'Nova senha',
		keep: 'Deixe vazio para manter a senha definida. Uma nova tira o acesso de quem sabia a antiga.',
		needed: 'Digite uma senha.',
		leftOver: 'Ainda há uma senha armazenada, que não é usada neste modo.',
		remove: 'Remover a senha',
		off: 'As estatísticas públicas estão desativadas neste servidor (TIDEMARK_PUBLIC_STATS). Todos os sites são tratados como privados.',
	},
	address: {
		title: 'Link de compartilhamento',
		label: 'Link das estatísticas',
		text: {
			public: 'Qualquer pessoa com este link pode ver as estatísticas.',
			private: 'Este site é privado. Altere a visibilidade para compartilhá-lo.',
			password: 'Os visitantes precisam digitar a senha. Envie-a separadamente.',
		},
	},
	engines: {
		title: 'Mecanismos de busca',
		label: 'Permitir que mecanismos de busca indexem estas estatísticas',
		hint: 'Quando desativado, a página envia noindex.',
		publicOnly: 'Só vale enquanto o site for público.',
	},
	email: {
		title: 'E-mail',
		label: 'Relatórios por e-mail',
		hint: 'Um resumo destas estatísticas por e-mail.',
	},
	bots: {
		title: 'Bots',
		label: 'Deixar bots de fora',
		hint: 'Rastreadores, ferramentas de monitoramento e navegadores headless.',
	},
	signals: {
		title: 'Sinais de privacidade',
		label: 'Respeitar Global Privacy Control e Do Not Track',
		hint: 'Visitantes cujo navegador envia um sinal de privacidade não são contados.',
	},
	addresses: {
		title: 'Endereços IP',
		hidden: 'Somente editores e administradores deste site podem ver estes endereços.',
		text: 'O tráfego destes endereços IP e redes é ignorado.',
		label: 'Endereços IP e redes (um por linha)',
		hint: 'IPv4 ou IPv6, redes como 10.0.0.0/8.',
		addMine: 'Adicionar meu endereço IP',
		bad: 'A linha {{line}} não é um endereço nem uma rede como 10.0.0.0/8.',
		added: '{{address}} foi adicionado. Salve para manter.',
		known: '{{address}} já está na lista.',
	},
	ownVisits: {
		title: 'Suas próprias visitas',
		text: 'Endereços IP mudam. Abra este link uma vez em um navegador para excluí-lo deste site.',
		label: 'Link de exclusão deste navegador',
		back: 'Com #tidemark-count no lugar de #tidemark-ignore, ele volta a ser contado.',
	},
	params: {
		title: 'Parâmetros de consulta',
		text: 'Estes parâmetros de consulta são retirados dos endereços antes que qualquer coisa seja armazenada.',
		label: 'Nomes de parâmetros (um por linha)',
		hint: 'Digite & para remover todos os parâmetros.',
	},
	goals: {
		add: 'Adicionar meta',
		edit: 'Editar meta',
		none: 'Ainda não há metas',
		noneText:
			'Uma meta conta visitas que chegam a uma página ou enviam um evento: uma página de agradecimento, um cadastro.',
		name: 'Nome',
		kind: 'Tipo',
		kinds: {
			page: {
				title: 'Página',
				text: 'Uma página é vista.',
				bad: 'Um caminho começa com / ou *, e tem * no máximo cinco vezes.',
				pattern: 'Caminho da página',
			},
			event: {
				title: 'Evento',
				text: 'Um evento próprio é enviado.',
				bad: 'Um nome tem * no máximo cinco vezes.',
				pattern: 'Nome do evento',
			},
		},
		wildcard: '* representa quaisquer caracteres, até cinco vezes.',
		property: 'Propriedade (opcional)',
		propertyHint: 'O evento precisa tê-la com este valor.',
		value: 'Valor',
		valueNeeded: 'Uma propriedade precisa de um valor.',
		nameNeeded: 'Uma meta precisa de um nome.',
		nameTaken: 'Já existe uma meta com este nome.',
		editOne: 'Editar {{name}}',
		deleteOne: 'Excluir {{name}}',
		deleteTitle: 'Excluir {{name}}?',
		deleteText: 'Os eventos ficam. Uma meta com a mesma regra mostra os mesmos números de novo.',
	},
	drops: {
		period: 'Período',
		periods: {
			'7d': 'Últimos 7 dias',
			'30d': 'Últimos 30 dias',
			'12months': 'Últimos 12 meses',
		},
		none: 'Nenhum tráfego excluído',
		noneText: 'Todas as requisições deste período foram contadas.',
		total_one: '{{total}} requisição não foi contada.',
		total_many: '{{total}} requisições não foram contadas.',
		total_other: '{{total}} requisições não foram contadas.',
		byReason: 'Por motivo',
		byDay: 'Por dia',
		day: 'Dia',
		why: 'Por quê',
		hits: 'Requisições',
		hostnames: 'Nomes de host desconhecidos',
		hostnamesText:
			'Estes nomes de host enviaram requisições, mas não são permitidos. Permita um para contá-lo a partir de agora.',
		countThis: 'Permitir',
		countThisName: 'Permitir {{hostname}}',
		countsNow: 'Permitido',
		reasons: {
			prefetch: {
				title: 'Carregado antecipadamente',
				text: 'O navegador pré-carregou a página. Ela é contada quando é exibida.',
			},
			bot: {
				title: 'Bot',
				text: 'Um bot, uma ferramenta ou um navegador sem janela. Em exclusões, você pode contá-los.',
			},
			excluded_address: {
				title: 'Endereço IP excluído',
				text: 'O endereço está na sua lista em exclusões.',
			},
			foreign_hostname: {
				title: 'Nome de host desconhecido',
				text: 'A página está em um host que não é do site: uma cópia, um teste ou a página de outra pessoa com o seu código.',
			},
			privacy_signal: {
				title: 'Sinal de privacidade',
				text: 'O navegador enviou Global Privacy Control ou Do Not Track. Você pode mudar isso em Exclusões.',
			},
			bad_url: {
				title: 'URL inválida',
				text: 'Não havia endereço de uma página em http ou https: uma página salva, um aplicativo ou uma chamada incorreta.',
			},
			late: {
				title: 'Tarde demais',
				text: 'Chegou tarde demais para ser associado a um visitante. Os servidores devem enviar eventos em até sete dias.',
			},
			erased: {
				title: 'Antes do esvaziamento',
				text: 'Aconteceu antes da redefinição das estatísticas.',
			},
			over_budget: {
				title: 'Limite de taxa excedido',
				text: 'O site recebeu mais requisições do que seu limite permite. As páginas tentam de novo até três vezes, então algumas foram contadas depois. Se for tráfego real, peça um limite maior ao operador do servidor.',
			},
		},
	},
	retention: {
		title: 'Retenção de dados',
		text: 'Exclui eventos e visitas após um período definido. Os totais diários são mantidos, assim como os gráficos históricos.',
		label: 'Retenção em meses',
		placeholder: 'Para sempre',
		forever: 'Deixe vazio para manter eventos e visitas para sempre.',
		deletes: 'Eventos e visitas anteriores a {{date}} serão excluídos definitivamente em até um dia.',
		range: 'Informe meses inteiros de 1 a 120, ou nada.',
		saveAndDelete: 'Salvar e excluir dados anteriores',
	},
	reset: {
		title: 'Redefinir estatísticas',
		text: 'Exclui todos os dados coletados. O site, as configurações e as metas são mantidos, e a contagem continua.',
		button: 'Redefinir',
		warning: 'Todas as estatísticas de {{domain}} serão excluídas. Isto não pode ser desfeito.',
		confirm: 'Redefinir estatísticas',
		done: 'Estatísticas redefinidas.',
	},
	delete: {
		title: 'Excluir o site',
		text: 'O site, suas configurações e todas as suas estatísticas são excluídos. O ID nunca é usado de novo.',
		button: 'Excluir',
		warning: '{{domain}} e todas as suas estatísticas serão excluídos. Isto não pode ser desfeito.',
		confirm: 'Excluir o site',
	},
	typed: {
		label: 'Digite {{domain}} para confirmar',
		wrong: 'Isto não é {{domain}}.',
	},
	embed: {
		frame: 'Incorporar',
		frameText:
			'Incorpore a página de estatísticas em um iframe, claro ou escuro. Só as origens abaixo podem incorporá-la.',
		origins: 'Origens permitidas (uma por linha)',
		originsHint:
			'Como https://example.com ou https://*.example.com. Deixe vazio para desativar a incorporação.',
		frameCode: 'Código de incorporação',
		badge: 'Selo',
		badgeText:
			'Uma imagem com os visitantes dos últimos 30 dias. Com look=counter fica maior; com theme=dark, mais escura.',
		badgeCode: 'Código do selo',
	},
};
