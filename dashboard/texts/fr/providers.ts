import type { Texts } from '../texts.ts';

export const providers: Texts['providers'] = {
	continue: 'Continuer avec {{provider}}',
	or: 'ou',
	only: 'Connectez-vous avec le fournisseur d’identité de votre organisation.',
	start: '{{provider}} est injoignable. Réessayez plus tard.',
	refusals: {
		expired:
			'La connexion a pris trop de temps ou a été commencée dans un autre navigateur ou à une autre adresse. Réessayez.',
		denied: 'Le fournisseur ne vous a pas connecté. Réessayez ou utilisez un autre compte.',
		unavailable: 'Le fournisseur est injoignable. Réessayez plus tard.',
		invalid:
			'La réponse du fournisseur n’a pas passé les contrôles de sécurité. Prévenez l’opérateur de ce serveur : le journal en donne la raison.',
		unverified: 'Le fournisseur n’a pas vérifié votre adresse e-mail. Vérifiez-la chez lui, puis réessayez.',
		domain: 'Les adresses e-mail de ce domaine ne sont pas acceptées. Utilisez un autre compte.',
		unknown:
			'Vous n’avez pas de compte ici. Demandez à un propriétaire de vous inviter avec l’adresse e-mail de votre compte chez le fournisseur.',
		disabled: 'Votre compte est désactivé. Contactez l’opérateur de ce serveur.',
		taken:
			'Ce compte chez le fournisseur est lié à une autre personne, ou vous en avez déjà lié un autre. Dissociez-le d’abord.',
	},
	proof: {
		title: 'Est-ce vous ?',
		link: '{{provider}} a confirmé {{email}}, et un compte avec cette adresse existe. Saisissez une fois son mot de passe pour lier {{provider}}.',
		code: 'Saisissez un code de votre application d’authentification ou un code de récupération.',
		submit: 'Lier et se connecter',
		submitCode: 'Se connecter',
		forgotten: 'Si vous n’avez pas de mot de passe, définissez-en un avec « Mot de passe oublié ? ».',
		taken: 'Ce compte est déjà lié à un autre compte chez {{provider}}.',
	},
	account: {
		title: 'Fournisseurs d’identité',
		text: 'Connectez-vous avec un compte que vous avez ailleurs.',
		linked: 'Lié {{made}}, dernière utilisation : {{used}}',
		none: 'Non lié',
		link: 'Lier',
		unlink: 'Dissocier',
		linkLabel: 'Lier {{provider}}',
		unlinkLabel: 'Dissocier {{provider}}',
		unlinkText:
			'Vous ne pourrez plus vous connecter avec {{provider}} et perdrez les rôles que ses groupes vous ont donnés.',
		onlyOne: 'C’est votre seul moyen de connexion.',
		done: 'Le fournisseur est lié. Vous pouvez désormais vous connecter avec lui.',
		noPassword:
			'Vous n’avez pas de mot de passe. Certaines modifications, comme lier un fournisseur ou créer une clé d’API, en demandent un.',
		noMail: 'Demandez à l’opérateur de ce serveur un lien pour définir un mot de passe.',
		setPassword: 'M’envoyer un lien pour définir un mot de passe',
		mailed: 'Un lien pour définir un mot de passe a été envoyé à {{email}}.',
	},
	join: 'Votre compte est créé lors de la connexion.',
};
