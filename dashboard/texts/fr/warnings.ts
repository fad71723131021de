import type { Texts } from '../texts.ts';

export const warnings: Texts['warnings'] = {
	otherAddress:
		'Vous avez ouvert {{here}}, mais l’URL publique est {{address}}. Les extraits de code et les liens utilisent l’URL publique.',
	proxyWarning:
		'Tidemark se trouve derrière un proxy non approuvé, tous les visiteurs semblent donc avoir l’adresse IP du proxy. Définissez TIDEMARK_TRUSTED_PROXIES={{proxy}} et redémarrez le serveur.',
	proxyPerhaps:
		'Certaines requêtes contiennent un en-tête X-Forwarded-For non approuvé. Si Tidemark est derrière votre proxy, indiquez son adresse dans TIDEMARK_TRUSTED_PROXIES et redémarrez le serveur. Sinon, vous pouvez ignorer ce message.',
	unconfirmed: {
		text: 'Confirmez votre adresse e-mail avec le lien envoyé à {{email}}. D’ici là, vous ne pouvez pas recevoir de rapports, d’alertes ni de sites transférés.',
		noMail:
			'Votre adresse e-mail {{email}} n’est pas confirmée : vous ne pouvez pas recevoir de rapports, d’alertes ni de sites transférés. Demandez à l’opérateur du serveur de la confirmer.',
		again: 'Renvoyer l’e-mail de confirmation',
		sent: 'Confirmation envoyée à {{email}}.',
	},
};
