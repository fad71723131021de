import type { Texts } from '../texts.ts';

export const providers: Texts['providers'] = {
	continue: 'Continuar com {{provider}}',
	or: 'ou',
	only: 'Entre com o provedor de identidade da sua organização.',
	start: 'Não foi possível acessar {{provider}}. Tente novamente mais tarde.',
	refusals: {
		expired:
			'O login demorou demais ou foi iniciado em outro navegador ou em outro endereço. Tente novamente.',
		denied: 'O provedor não fez seu login. Tente novamente ou use outra conta.',
		unavailable: 'Não foi possível acessar o provedor. Tente novamente mais tarde.',
		invalid:
			'A resposta do provedor não passou nas verificações de segurança. Avise o operador deste servidor; o motivo está no log.',
		unverified: 'O provedor não verificou seu endereço de e-mail. Verifique-o lá e tente novamente.',
		domain: 'Endereços de e-mail deste domínio não são aceitos. Use outra conta.',
		unknown:
			'Você não tem uma conta aqui. Peça a um proprietário que convide você com o e-mail da sua conta no provedor.',
		disabled: 'Sua conta está desativada. Fale com o operador deste servidor.',
		taken:
			'Esta conta no provedor está vinculada a outra pessoa, ou você já vinculou outra. Desvincule-a primeiro.',
	},
	proof: {
		title: 'É você?',
		link: '{{provider}} confirmou {{email}}, e existe uma conta com este endereço. Digite a senha dela uma vez para vincular {{provider}}.',
		code: 'Digite um código do seu aplicativo autenticador ou um código de recuperação.',
		submit: 'Vincular e entrar',
		submitCode: 'Entrar',
		forgotten: 'Se você não tem senha, defina uma em “Esqueceu a senha?”.',
		taken: 'Esta conta já está vinculada a outra conta em {{provider}}.',
	},
	account: {
		title: 'Provedores de identidade',
		text: 'Entre com uma conta que você tem em outro serviço.',
		linked: 'Vinculado em {{made}}, último uso: {{used}}',
		none: 'Não vinculado',
		link: 'Vincular',
		unlink: 'Desvincular',
		linkLabel: 'Vincular {{provider}}',
		unlinkLabel: 'Desvincular {{provider}}',
		unlinkText:
			'Você não poderá mais entrar com {{provider}} e perderá as funções concedidas pelos grupos dele.',
		onlyOne: 'Esta é sua única forma de entrar.',
		done: 'O provedor está vinculado. Agora você pode entrar com ele.',
		noPassword:
			'Você não tem senha. Algumas alterações, como vincular um provedor ou criar uma chave de API, pedem uma.',
		noMail: 'Peça ao operador deste servidor um link para definir uma senha.',
		setPassword: 'Enviar um link para definir uma senha',
		mailed: 'Um link para definir uma senha foi enviado para {{email}}.',
	},
	join: 'Sua conta é criada quando você entra.',
};
