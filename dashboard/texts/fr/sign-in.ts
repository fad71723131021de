import type { Texts } from '../texts.ts';

export const signIn: Texts['signIn'] = {
	title: 'Connexion',
	email: 'Adresse e-mail',
	emailWrong: 'Saisissez une adresse e-mail valide.',
	password: 'Mot de passe',
	submit: 'Se connecter',
	forgotten: 'Mot de passe oublié ?',
	toSignIn: 'Retour à la connexion',
	plainHttp:
		'Cette page n’est pas chiffrée (HTTP). D’autres personnes sur votre réseau peuvent lire votre mot de passe.',
	passwordSet: 'Votre mot de passe a été défini. Vous pouvez vous connecter.',
	sessionLost:
		'Le navigateur a refusé le cookie de session, car Tidemark est configuré pour HTTPS et cette page ne l’utilise pas. Ouvrez l’URL HTTPS.',
	minimum: 'Au moins 10 caractères. Quelques mots choisis au hasard conviennent bien.',
	tooShort: 'Utilisez au moins 10 caractères.',
	code: {
		title: 'Authentification à deux facteurs',
		text: 'Saisissez le code de votre application d’authentification.',
		label: 'Code',
		wrong:
			'Ce code est incorrect ou a déjà été utilisé. L’application en affiche un nouveau toutes les 30 secondes.',
		useRecovery: 'Utiliser un code de récupération',
		recoveryText: 'Saisissez l’un de vos codes de récupération. Chacun fonctionne une fois.',
		recoveryLabel: 'Code de récupération',
		recoveryWrong: 'Ce code de récupération est incorrect ou a déjà été utilisé.',
		useApp: 'Utiliser l’application d’authentification',
	},
	passkey: {
		submit: 'Se connecter avec une clé d’accès',
		use: 'Utiliser une clé d’accès',
		text: 'Utilisez votre clé d’accès ou saisissez l’un de vos codes de récupération.',
		wrong: 'Cette clé d’accès n’a pas été acceptée. Réessayez ou utilisez votre mot de passe.',
		cancelled: 'La demande de clé d’accès a été fermée ou a expiré. Réessayez.',
	},
	forgottenPage: {
		title: 'Réinitialiser votre mot de passe',
		text: 'L’opérateur du serveur peut créer un lien de réinitialisation pour vous. Il fonctionne une fois, pendant 30 minutes.',
		mailText:
			'Nous vous enverrons un lien de réinitialisation par e-mail. Il fonctionne une fois, pendant 30 minutes.',
		mailSubmit: 'Envoyer le lien de réinitialisation',
		mailed: 'Si un compte existe avec cette adresse, un lien de réinitialisation lui a été envoyé.',
		command: 'Commande sur le serveur',
		commandText: 'Exécutez cette commande sur votre serveur Tidemark, avec votre adresse e-mail :',
		notOperator:
			'Vous n’êtes pas l’opérateur ? Adressez-vous à la personne qui gère ce serveur en indiquant votre adresse e-mail.',
	},
	setPassword: {
		title: 'Définir votre mot de passe',
		reset: 'Choisissez un nouveau mot de passe. Toutes les sessions de votre compte seront déconnectées.',
		invitation: 'Bienvenue dans Tidemark. Choisissez un mot de passe pour commencer.',
		label: 'Nouveau mot de passe',
		submit: 'Définir le mot de passe et se connecter',
		revokeKeys: 'Révoquer aussi toutes les clés d’API',
		revokeKeysHint:
			'Recommandé si quelqu’un d’autre a pu avoir accès. Les clients de l’API cessent de fonctionner jusqu’au remplacement de leurs clés.',
	},
	deadLink: {
		title: 'Ce lien n’est plus valide',
		text: 'Il a déjà été utilisé, a expiré ou a été remplacé par un plus récent.',
		again: 'Demander un nouveau lien',
	},
	confirm: {
		newAddress: 'Confirmez {{email}} comme nouvelle adresse e-mail de votre compte.',
		title: 'Confirmez votre adresse e-mail',
		text: 'Confirmez {{email}} comme adresse e-mail de votre compte.',
		signedOut: 'Connectez-vous pour confirmer l’adresse e-mail de votre compte.',
		submit: 'Confirmer l’adresse e-mail',
	},
	setUp: {
		title: 'Configurer Tidemark',
		text: 'Créez le premier compte. Ce lien fonctionne une fois.',
		name: 'Votre nom',
		zone: 'Fuseau horaire',
		zoneHint: 'Fuseau horaire par défaut des nouveaux sites.',
		address: 'URL publique',
		addressHint:
			'L’URL où les navigateurs accèdent à ce serveur. Utilisée dans les extraits de code et les liens.',
		addressFixed: 'Définie par TIDEMARK_BASE_URL sur le serveur.',
		addressWrong: 'Saisissez http:// ou https:// et un nom d’hôte, sans chemin.',
		submit: 'Créer le compte',
		deadTitle: 'Ce lien de configuration n’est plus valide',
		dead: 'Un compte existe déjà, ou le serveur a redémarré et affiché un lien plus récent. Consultez la fin de sa sortie.',
		doneTitle: 'Compte créé',
		done: 'Connectez-vous à l’URL publique : {{address}}',
		more: 'Langue, fuseau horaire et URL',
		hint: 'Ce serveur n’a encore aucun compte. Créez le premier avec le lien de configuration que Tidemark a affiché au démarrage.',
		where:
			'Le lien se trouve à la fin de la sortie du terminal ou dans le journal du service (journalctl -u tidemark, docker compose logs). Chaque démarrage affiche un nouveau lien ; seul le plus récent fonctionne.',
		command: 'Ou créez le compte avec cette commande sur le serveur :',
	},
	unlock: {
		title: 'Mot de passe requis',
		text: 'Demandez le mot de passe à la personne qui a partagé ce lien.',
		password: 'Mot de passe',
		wrong: 'Mot de passe incorrect.',
		open: 'Voir les statistiques',
	},
	errors: {
		address_unconfirmed: 'Confirmez d’abord votre adresse e-mail.',
		sign_in_failed: 'Adresse e-mail ou mot de passe incorrect.',
		link_dead: 'Ce lien a déjà été utilisé, a expiré ou a été remplacé par un plus récent.',
	},
};
