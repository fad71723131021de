import type { Texts } from '../texts.ts';

export const warnings: Texts['warnings'] = {
	otherAddress: 'Você abriu {{here}}, mas a URL pública é {{address}}. Snippets e links usam a URL pública.',
	proxyWarning:
		'O Tidemark está atrás de um proxy não confiável, então todos os visitantes parecem ter o endereço IP do proxy. Defina TIDEMARK_TRUSTED_PROXIES={{proxy}} e reinicie o servidor.',
	proxyPerhaps:
		'Algumas requisições contêm um cabeçalho X-Forwarded-For não confiável. Se o Tidemark está atrás do seu proxy, defina TIDEMARK_TRUSTED_PROXIES com o endereço dele e reinicie o servidor. Caso contrário, ignore este aviso.',
	unconfirmed: {
		text: 'Confirme seu endereço de e-mail com o link enviado para {{email}}. Até lá, você não pode receber relatórios, alertas nem sites transferidos.',
		noMail:
			'Seu endereço de e-mail {{email}} não está confirmado, por isso você não pode receber relatórios, alertas nem sites transferidos. Peça ao operador do servidor que o confirme.',
		again: 'Reenviar e-mail de confirmação',
		sent: 'Confirmação enviada para {{email}}.',
	},
};
