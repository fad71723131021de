import type { Texts } from '../texts.ts';

export const warnings: Texts['warnings'] = {
	otherAddress:
		'Vous avez ouvert {{here}}, mais l’URL publique est {{address}}. Les extraits de code et les liens utilisent l’URL publique.',
	proxyWarning:
		'Tidemark se trouve derrière un proxy non approuvé, tous les visiteurs semblent donc avoir l’adresse IP du proxy. Définissez TIDEMARK_TRUSTED_PROXIES={{proxy}} et redémarrez le serveur.',
	proxyPerhaps:
		'Certaines requêtes contiennent un en-tête X-Forwarded-For non approuvé. Si Tidemark est derrière votre proxy, indiquez son adresse dans TIDEMARK_TRUSTED_PROXIES et redémarrez le serveur. Sinon, vous pouvez ignorer ce message.',
};
