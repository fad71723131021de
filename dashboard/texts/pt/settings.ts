import type { Texts } from '../texts.ts';

export const settings: Texts['settings'] = {
	title: 'Configurações',
	chooseTab: 'Configurações: {{tab}}',
	readOnly:
		'Você tem acesso somente leitura. Editores e administradores deste site podem alterar estas configurações.',
	adminsOnly: 'Somente administradores deste site podem alterar estas configurações.',
	tabs: {
		general: {
			title: 'Geral',
			text: 'Domínio, fuso horário, nomes de host e etiquetas.',
		},
		sharing: {
			title: 'Compartilhamento',
			text: 'Quem pode ver as estatísticas e como mostrá-las em outras páginas.',
		},
		goals: {
			title: 'Metas',
			text: 'Páginas e eventos que contam como conversões.',
		},
		paths: {
			title: 'Grupos de páginas',
			text: 'Regras que agrupam páginas, como todas as páginas de produto.',
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
	unsaved: {
		title: 'Alterações não salvas',
		discard: 'Descartar',
		save: 'Salvar alterações',
		leaveTitle: 'Sair sem salvar?',
		leaveText: 'Suas alterações não foram salvas: {{titles}}.',
		leave: 'Sair',
	},
	domain: {
		title: 'Domínio',
		text: 'Ao renomear, o site mantém o ID ({{id}}), as estatísticas e o snippet. A partir daí, só contam as páginas do novo domínio.',
		hint: 'Para continuar contando o domínio antigo, adicione os dois em Nomes de host.',
		taken: 'Você já tem um site {{domain}}.',
		bad: 'Digite um domínio válido, como example.com.',
	},
	install: {
		title: 'Snippet',
		text: 'O ID deste site é {{id}}.',
		link: 'Guias de instalação',
	},
	zone: {
		title: 'Fuso horário',
		unknown: 'Digite um fuso horário válido, como America/Sao_Paulo.',
		text: 'Define quando um dia começa e termina. Os dias passados mantêm o fuso horário.',
	},
	hostnames: {
		title: 'Nomes de host',
		text: '{{domain}} conta sempre. Os subdomínios também contam, a menos que você indique aqui outros nomes de host.',
		label: 'Nomes de host permitidos (um por linha)',
		bad: 'A linha {{line}} não é um nome de host válido. Exemplos: example.com, *.example.com, !old.example.com, localhost.',
		hint: '*.example.com permite todos os subdomínios, !old.example.com exclui um nome de host, localhost permite sua própria máquina.',
	},
	labels: {
		title: 'Etiquetas',
		text: 'Agrupe sites com suas próprias etiquetas.',
		hint: 'Separe as etiquetas com vírgulas (até 20).',
		bad: 'Digite no máximo 20 etiquetas de até 50 caracteres cada.',
	},
	favorite: {
		title: 'Favorito',
		label: 'Fixar no topo da lista de sites',
	},
	privacy: {
		title: 'Visibilidade',
		text: 'As alterações salvas também valem para páginas já abertas.',
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
		passwordHint: 'Visível enquanto você digita. Depois não poderá ser exibida novamente.',
		newPassword: 'Nova senha',
		keep: 'Deixe vazio para manter a senha atual. Uma nova senha encerra o acesso de todos que usavam a antiga.',
		needed: 'Digite uma senha.',
		leftOver: 'A senha armazenada não é usada neste modo.',
		remove: 'Remover senha',
		off: 'As estatísticas públicas estão desativadas neste servidor (TIDEMARK_PUBLIC_STATS). Todos os sites são tratados como privados.',
	},
	address: {
		title: 'Página pública',
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
		hint: 'Se desativado, pede-se aos buscadores que não indexem esta página.',
		publicOnly: 'Aplica-se apenas enquanto o site for público.',
	},
	email: {
		title: 'E-mail',
		label: 'Relatórios por e-mail',
		hint: 'Um resumo destas estatísticas por e-mail.',
	},
	bots: {
		title: 'Bots',
		label: 'Excluir bots da contagem',
		hint: 'Rastreadores, ferramentas de monitoramento e navegadores headless.',
	},
	signals: {
		title: 'Sinais de privacidade',
		label: 'Respeitar Global Privacy Control e Do Not Track',
		hint: 'Visitantes cujo navegador envia um sinal de privacidade não são contados.',
	},
	addresses: {
		title: 'Endereços IP',
		hidden: 'Somente editores e administradores deste site podem ver esta lista.',
		text: 'O tráfego destes endereços IP e redes é ignorado.',
		label: 'Endereços IP e redes (um por linha)',
		hint: 'IPv4 ou IPv6; redes em notação CIDR, como 10.0.0.0/8.',
		addMine: 'Adicionar meu endereço IP',
		bad: 'A linha {{line}} não é um endereço IP nem uma rede válida, como 10.0.0.0/8.',
		added: '{{address}} adicionado. Salve para aplicar.',
		known: '{{address}} já está na lista.',
	},
	ownVisits: {
		title: 'Suas próprias visitas',
		text: 'Endereços IP mudam. Abra este link uma vez em um navegador para excluí-lo deste site.',
		label: 'Link de exclusão para este navegador',
		back: 'Use #tidemark-count em vez de #tidemark-ignore para voltar a contar o navegador.',
	},
	params: {
		title: 'Parâmetros de consulta',
		text: 'Estes parâmetros de consulta são removidos das URLs antes do armazenamento.',
		label: 'Nomes de parâmetros (um por linha)',
		hint: 'Digite & para remover todos os parâmetros.',
	},
	goals: {
		add: 'Adicionar meta',
		edit: 'Editar meta',
		none: 'Ainda não há metas',
		noneText:
			'Uma meta conta visitas que chegam a uma página ou acionam um evento, como uma página de agradecimento ou um cadastro.',
		name: 'Nome',
		kind: 'Tipo',
		kinds: {
			page: {
				title: 'Página',
				text: 'Uma página é vista.',
				bad: 'Um caminho começa com / ou * e contém no máximo cinco *.',
				pattern: 'Caminho da página',
			},
			event: {
				title: 'Evento',
				text: 'Um evento personalizado é enviado.',
				bad: 'Um nome contém no máximo cinco *.',
				pattern: 'Nome do evento',
			},
		},
		wildcard: '* corresponde a quaisquer caracteres (até cinco vezes).',
		property: 'Propriedade (opcional)',
		propertyHint: 'O evento também precisa ter esta propriedade, com um valor correspondente.',
		value: 'Valor',
		valueNeeded: 'Digite um valor para a propriedade.',
		numberNeeded: 'Digite um número, como 10 ou 19,99.',
		nameNeeded: 'Digite um nome.',
		nameTaken: 'Já existe uma meta com este nome.',
		editOne: 'Editar {{name}}',
		deleteOne: 'Excluir {{name}}',
		deleteTitle: 'Excluir {{name}}?',
		deleteText: 'Os eventos são mantidos. Uma meta com a mesma regra volta a mostrar os mesmos números.',
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
		total_one: '{{total}} requisição foi excluída.',
		total_many: '{{total}} requisições foram excluídas.',
		total_other: '{{total}} requisições foram excluídas.',
		byReason: 'Por motivo',
		byDay: 'Por dia',
		day: 'Dia',
		why: 'Motivo',
		hits: 'Requisições',
		hostnames: 'Nomes de host desconhecidos',
		hostnamesText:
			'Estes nomes de host enviaram requisições, mas não são permitidos. Permita um para contá-lo a partir de agora.',
		countThis: 'Permitir',
		countThisName: 'Permitir {{hostname}}',
		countsNow: 'Permitido',
		reasons: {
			prefetch: {
				title: 'Pré-carregamento',
				text: 'O navegador pré-carregou a página. Ela é contada quando é exibida.',
			},
			bot: {
				title: 'Bot',
				text: 'Um bot, uma ferramenta ou um navegador headless. Você pode contar bots em Exclusões.',
			},
			excluded_address: {
				title: 'Endereço IP excluído',
				text: 'O endereço IP está na sua lista em Exclusões.',
			},
			foreign_hostname: {
				title: 'Nome de host desconhecido',
				text: 'A página não está em um nome de host permitido: uma cópia, um ambiente de teste ou outro site com seu snippet.',
			},
			privacy_signal: {
				title: 'Sinal de privacidade',
				text: 'O navegador enviou Global Privacy Control ou Do Not Track. Você pode mudar isso em Exclusões.',
			},
			bad_url: {
				title: 'URL inválida',
				text: 'A URL não era de uma página http ou https: uma página salva, um aplicativo ou uma chamada inválida.',
			},
			late: {
				title: 'Tarde demais',
				text: 'Chegou tarde demais para ser associado a um visitante. Os servidores devem enviar eventos em até sete dias.',
			},
			erased: {
				title: 'Antes da redefinição',
				text: 'Aconteceu antes da redefinição das estatísticas.',
			},
			over_budget: {
				title: 'Limite de taxa excedido',
				text: 'O site recebeu mais requisições do que seu limite permite. As páginas tentam de novo até três vezes, então algumas foram contadas depois. Se for tráfego real, peça um limite maior ao operador do servidor.',
			},
			rule: {
				title: 'Regra de tráfego',
				text: 'A requisição correspondeu a uma regra de tráfego. Você pode alterar as regras em Exclusões.',
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
		range: 'Digite um número inteiro de 1 a 120 ou deixe vazio.',
		saveAndDelete: 'Salvar e excluir dados anteriores',
	},
	reset: {
		title: 'Redefinir estatísticas',
		text: 'Exclui todos os dados coletados. O site, as configurações e as metas são mantidos, e a contagem continua.',
		warning: 'Todas as estatísticas de {{domain}} serão excluídas. Esta ação não pode ser desfeita.',
		confirm: 'Redefinir estatísticas',
		done: 'Estatísticas redefinidas.',
	},
	delete: {
		title: 'Excluir site',
		text: 'Exclui o site, as configurações e todas as estatísticas. O ID nunca é reutilizado.',
		warning: '{{domain}} e todas as suas estatísticas serão excluídos. Esta ação não pode ser desfeita.',
		confirm: 'Excluir site',
	},
	typed: {
		label: 'Digite {{domain}} para confirmar',
		wrong: 'O nome não corresponde a {{domain}}.',
	},
	embed: {
		frame: 'Incorporar',
		frameText:
			'Incorpore a página de estatísticas em um iframe, claro ou escuro. Só as origens abaixo podem incorporá-la.',
		origins: 'Origens permitidas (uma por linha)',
		originsHint:
			'Como https://example.com ou https://*.example.com. Deixe vazio para desativar a incorporação.',
		page: 'Página',
		frameCode: 'Código de incorporação',
		badge: 'Selo',
		badgeText: 'Uma imagem com o número de visitantes, atualizada a cada minuto.',
		badgeCode: 'Código do selo',
		title: 'Incorporação e selo',
		publicOnly:
			'Só é possível incorporar sites públicos e links de compartilhamento sem senha. Só sites públicos têm selo.',
		preview: 'Prévia',
		badgeLook: 'Estilo',
		looks: {
			badge: 'Selo',
			counter: 'Contador',
		},
	},
};
