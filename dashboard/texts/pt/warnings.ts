import type { Texts } from '../texts.ts';

export const warnings: Texts['warnings'] = {
	otherAddress: 'Você abriu {{here}}, mas a URL pública é {{address}}. Snippets e links usam a URL pública.',
	proxyWarning:
		'O Tidemark está atrás de um proxy não confiável, então todos os visitantes parecem ter o endereço IP do proxy. Defina TIDEMARK_TRUSTED_PROXIES={{proxy}} e reinicie o servidor.',
	proxyPerhaps:
		'Algumas requisições contêm um cabeçalho X-Forwarded-For não confiável. Se o Tidemark está atrás do seu proxy, defina TIDEMARK_TRUSTED_PROXIES com o endereço dele e reinicie o servidor. Caso contrário, ignore este aviso.',
};
