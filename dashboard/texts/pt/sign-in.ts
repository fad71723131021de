import type { Texts } from '../texts.ts';

export const signIn: Texts['signIn'] = {
	title: 'Entrar',
	email: 'E-mail',
	emailWrong: 'Isto não é um e-mail válido.',
	password: 'Senha',
	submit: 'Entrar',
	forgotten: 'Esqueceu a senha?',
	toSignIn: 'Ir para a entrada',
	plainHttp:
		'Esta página usa http sem criptografia: quem está na mesma rede pode ler o que você digita, inclusive a senha.',
	passwordSet: 'Sua senha foi definida. Entre com ela agora.',
	sessionLost:
		'Estava tudo certo, mas o navegador não manteve sua sessão: o Tidemark está configurado para https, e esta página não é. Abra-a no endereço https.',
	minimum:
		'Pelo menos 10 caracteres. Algumas palavras em sequência são fáceis de lembrar e difíceis de adivinhar.',
	tooShort: 'Uma senha tem pelo menos 10 caracteres.',
	code: {
		title: 'Mais uma etapa',
		text: 'Digite o código que seu aplicativo autenticador mostra para o Tidemark.',
		label: 'Código',
		wrong: 'Este código está errado ou já foi usado. O aplicativo mostra um novo a cada meio minuto.',
		useRecovery: 'Usar um código de recuperação',
		recoveryText:
			'Digite um dos dez códigos que você guardou ao ativar a verificação em duas etapas. Cada um funciona uma vez.',
		recoveryLabel: 'Código de recuperação',
		recoveryWrong: 'Este código de recuperação está errado ou já foi usado.',
		useApp: 'Usar o aplicativo',
	},
	forgottenPage: {
		title: 'Obter uma nova senha',
		text: 'Quem opera este serviço cria um link para você. Com ele, você define uma nova senha, uma vez e em até meia hora.',
		mailText: 'Enviamos um link por e-mail. Com ele, você define uma nova senha, uma vez e em até meia hora.',
		mailSubmit: 'Enviar link por e-mail',
		mailed: 'Se existe uma conta com este e-mail, um link está a caminho.',
		command: 'Comando no servidor',
		commandText: 'Execute isto no servidor em que o Tidemark está instalado, com o seu e-mail:',
		notOperator: 'Não é você quem opera o serviço? Peça a quem opera e informe seu e-mail.',
	},
	setPassword: {
		title: 'Defina sua senha',
		reset: 'Escolha uma nova senha. A sessão será encerrada em todos os navegadores conectados à conta.',
		invitation: 'Boas-vindas ao Tidemark. Escolha uma senha e pronto.',
		label: 'Nova senha',
		submit: 'Definir senha e entrar',
	},
	deadLink: {
		title: 'Este link não funciona mais',
		text: 'Ele já foi usado, expirou ou foi substituído por um mais novo.',
		again: 'Obter um novo',
	},
	setUp: {
		title: 'Configurar o Tidemark',
		text: 'Aqui é criada a primeira conta. O link funciona uma vez.',
		name: 'Seu nome',
		zone: 'Fuso horário',
		zoneHint: 'Os dias de novos sites começam e terminam nele.',
		address: 'Endereço público',
		addressHint: 'Onde os navegadores acessam este serviço. Códigos e links começam com ele.',
		addressFixed: 'Definido por TIDEMARK_BASE_URL no servidor.',
		addressWrong: 'Escreva http:// ou https:// e o host, e nada depois.',
		submit: 'Criar a conta',
		deadTitle: 'Este link de configuração não funciona mais',
		dead: 'Já existe uma conta, ou o serviço foi reiniciado e mostrou um link mais novo. Veja o final da saída dele.',
		doneTitle: 'A conta foi criada',
		done: 'Entre pelo endereço público: {{address}}',
	},
};
