import type { Texts } from '../texts.ts';

export const signIn: Texts['signIn'] = {
	title: 'Connexion',
	email: 'Adresse e-mail',
	emailWrong: 'Ce n’est pas une adresse e-mail.',
	password: 'Mot de passe',
	submit: 'Se connecter',
	forgotten: 'Mot de passe oublié ?',
	toSignIn: 'Vers la connexion',
	plainHttp:
		'Cette page passe par http non chiffré : toute personne sur le même réseau peut lire ce que vous saisissez, y compris votre mot de passe.',
	passwordSet: 'Votre mot de passe est défini. Connectez-vous avec.',
	sessionLost:
		'Tout était correct, mais le navigateur n’a pas gardé la connexion : Tidemark est configuré pour https, et cette page ne l’utilise pas. Ouvrez-la à son adresse https.',
	minimum: 'Au moins 10 caractères. Quelques mots à la suite sont faciles à retenir et difficiles à deviner.',
	tooShort: 'Un mot de passe compte au moins 10 caractères.',
	code: {
		title: 'Encore une étape',
		text: 'Saisissez le code que votre application d’authentification affiche pour Tidemark.',
		label: 'Code',
		wrong:
			'Ce code est incorrect ou a déjà servi. L’application en affiche un nouveau toutes les 30 secondes.',
		useRecovery: 'Utiliser un code de secours',
		recoveryText:
			'Saisissez l’un des dix codes conservés lors de l’activation de la double authentification. Chacun sert une fois.',
		recoveryLabel: 'Code de secours',
		recoveryWrong: 'Ce code de secours est incorrect ou a déjà servi.',
		useApp: 'Utiliser l’application',
	},
	forgottenPage: {
		title: 'Obtenir un nouveau mot de passe',
		text: 'La personne qui gère ce service crée un lien pour vous. Il permet de définir un nouveau mot de passe, une seule fois et dans la demi-heure.',
		mailText:
			'Nous vous envoyons un lien par e-mail. Il permet de définir un nouveau mot de passe, une seule fois et dans la demi-heure.',
		mailSubmit: 'M’envoyer un lien',
		mailed: 'S’il existe un compte avec cette adresse, un lien est en route.',
		command: 'Commande sur le serveur',
		commandText: 'Exécutez ceci sur le serveur où Tidemark est installé, avec votre adresse e-mail :',
		notOperator:
			'Vous ne gérez pas ce service ? Adressez-vous à la personne qui le gère, en indiquant votre adresse e-mail.',
	},
	setPassword: {
		title: 'Définir votre mot de passe',
		reset: 'Choisissez un nouveau mot de passe. Tous les navigateurs connectés au compte seront déconnectés.',
		invitation: 'Bienvenue dans Tidemark. Choisissez un mot de passe, et vous y êtes.',
		label: 'Nouveau mot de passe',
		submit: 'Définir le mot de passe et se connecter',
	},
	deadLink: {
		title: 'Ce lien ne fonctionne plus',
		text: 'Il a déjà servi, est trop ancien ou a été remplacé par un plus récent.',
		again: 'En obtenir un nouveau',
	},
	setUp: {
		title: 'Configurer Tidemark',
		text: 'Ceci crée le premier compte. Le lien sert une seule fois.',
		name: 'Votre nom',
		zone: 'Fuseau horaire',
		zoneHint: 'Les jours des nouveaux sites commencent et finissent selon ce fuseau.',
		address: 'Adresse publique',
		addressHint:
			'L’adresse où les navigateurs joignent ce service. Les extraits de code et les liens commencent par elle.',
		addressFixed: 'Définie par TIDEMARK_BASE_URL sur le serveur.',
		addressWrong: 'Écrivez http:// ou https:// puis l’hôte, et rien après.',
		submit: 'Créer le compte',
		deadTitle: 'Ce lien de configuration ne fonctionne plus',
		dead: 'Il existe déjà un compte, ou le service a redémarré et affiché un lien plus récent. Regardez à la fin de sa sortie.',
		doneTitle: 'Le compte est créé',
		done: 'Connectez-vous à l’adresse publique : {{address}}',
	},
};
