import type { Texts } from '../texts.ts';

export const settings: Texts['settings'] = {
	title: 'Paramètres',
	chooseTab: 'Paramètres : {{tab}}',
	readOnly:
		'Vous avez un accès en lecture seule. Les éditeurs et admins de ce site peuvent modifier ces paramètres.',
	adminsOnly: 'Seuls les admins de ce site peuvent modifier ces paramètres.',
	tabs: {
		general: {
			title: 'Général',
			text: 'Domaine, fuseau horaire, noms d’hôte et étiquettes.',
		},
		privacy: {
			title: 'Visibilité',
			text: 'Qui peut voir les statistiques de ce site.',
		},
		goals: {
			title: 'Objectifs',
			text: 'Pages et événements qui comptent comme conversions.',
		},
		exclusions: {
			title: 'Exclusions',
			text: 'Trafic qui n’est pas compté.',
		},
		drops: {
			title: 'Trafic exclu',
			text: 'Requêtes non comptées, par motif.',
		},
		alerts: {
			title: 'Alertes',
			text: 'Notifications de pics, d’absence de trafic et d’objectifs.',
		},
		reports: {
			title: 'Rapports',
			text: 'Résumés hebdomadaires et mensuels.',
		},
		people: {
			title: 'Membres',
			text: 'Qui a accès à ce site, et à qui il appartient.',
		},
		changes: {
			title: 'Journal d’activité',
			text: 'Toutes les modifications de ce site. Les entrées ne peuvent pas être modifiées.',
		},
		data: {
			title: 'Données',
			text: 'Conservation, importation, exportation et suppression.',
		},
	},
	domain: {
		title: 'Domaine',
		text: 'Le site renommé conserve son ID ({{id}}), ses statistiques et son extrait de code. Ensuite, seules les pages du nouveau domaine comptent.',
		hint: 'Pour continuer à compter aussi l’ancien domaine, indiquez les deux dans les noms d’hôte.',
		rename: 'Renommer le site',
		taken: 'Vous avez déjà un site {{domain}}.',
		bad: 'Saisissez un domaine valide, par exemple example.com.',
	},
	install: {
		title: 'Extrait de code',
		text: 'L’identifiant de ce site est {{id}}.',
		link: 'Extrait de code et guides',
	},
	zone: {
		title: 'Fuseau horaire',
		unknown: 'Saisissez un fuseau horaire valide, par exemple Europe/Paris.',
		text: 'Définit le début et la fin d’une journée. Les jours passés conservent leur fuseau horaire.',
	},
	hostnames: {
		title: 'Noms d’hôte',
		text: '{{domain}} compte toujours. Ses sous-domaines aussi, sauf si vous indiquez ici d’autres hôtes.',
		label: 'Noms d’hôte autorisés (un par ligne)',
		bad: 'La ligne {{line}} n’est pas un nom d’hôte comme example.com, *.example.com, !old.example.com ou localhost.',
		hint: '*.example.com autorise tous les sous-domaines, !old.example.com exclut un nom d’hôte, localhost autorise votre propre machine.',
	},
	labels: {
		title: 'Étiquettes',
		text: 'Regroupez vos sites avec vos propres étiquettes.',
		hint: 'Séparez les étiquettes par des virgules (20 au maximum).',
		bad: 'Au plus 20 étiquettes, de 50 caractères chacune au plus.',
	},
	favorite: {
		title: 'Favori',
		label: 'Épingler en haut de la liste des sites',
	},
	privacy: {
		title: 'Visibilité',
		text: 'Les modifications s’appliquent immédiatement, y compris aux pages ouvertes.',
		modes: {
			public: {
				title: 'Public',
				text: 'Toute personne disposant du lien peut voir les statistiques, mais pas les paramètres.',
			},
			private: {
				title: 'Privé',
				text: 'Seuls vous et les membres invités pouvez voir les statistiques.',
			},
			password: {
				title: 'Mot de passe',
				text: 'Toute personne disposant du lien et du mot de passe peut voir les statistiques. L’accès dure un jour.',
			},
		},
		password: 'Mot de passe',
		passwordHint: 'Il est affiché ici pendant la saisie, et nulle part ensuite.',
		newPassword: 'Nouveau mot de passe',
		keep: 'Laissez vide pour garder le mot de passe actuel. Un nouveau exclut toutes les personnes qui connaissaient l’ancien.',
		needed: 'Saisissez un mot de passe.',
		leftOver: 'Un mot de passe est encore enregistré ; il ne sert pas dans ce mode.',
		remove: 'Retirer le mot de passe',
		off: 'Les statistiques publiques sont désactivées sur ce serveur (TIDEMARK_PUBLIC_STATS). Tous les sites sont traités comme privés.',
	},
	address: {
		title: 'Lien de partage',
		label: 'Lien vers les statistiques',
		text: {
			public: 'Toute personne disposant de ce lien peut voir les statistiques.',
			private: 'Ce site est privé. Modifiez sa visibilité pour le partager.',
			password: 'Les visiteurs doivent saisir le mot de passe. Envoyez-le séparément.',
		},
	},
	engines: {
		title: 'Moteurs de recherche',
		label: 'Autoriser les moteurs de recherche à indexer ces statistiques',
		hint: 'Si cette option est désactivée, la page envoie noindex.',
		publicOnly: 'Ne s’applique que si le site est public.',
	},
	email: {
		title: 'E-mail',
		label: 'Rapports par e-mail',
		hint: 'Un résumé de ces statistiques par e-mail.',
	},
	bots: {
		title: 'Bots',
		label: 'Exclure les bots',
		hint: 'Robots d’exploration, outils de surveillance et navigateurs headless.',
	},
	signals: {
		title: 'Signaux de confidentialité',
		label: 'Respecter Global Privacy Control et Do Not Track',
		hint: 'Les visiteurs dont le navigateur envoie un signal de confidentialité ne sont pas comptés.',
	},
	addresses: {
		title: 'Adresses IP',
		hidden: 'Seuls les éditeurs et les admins de ce site peuvent voir ces adresses.',
		text: 'Le trafic provenant de ces adresses IP et réseaux est ignoré.',
		label: 'Adresses IP et réseaux (un par ligne)',
		hint: 'IPv4 ou IPv6, les réseaux sous la forme 10.0.0.0/8.',
		addMine: 'Ajouter mon adresse IP',
		bad: 'La ligne {{line}} n’est ni une adresse ni un réseau comme 10.0.0.0/8.',
		added: '{{address}} est ajoutée. Enregistrez pour la garder.',
		known: '{{address}} est déjà dans la liste.',
	},
	ownVisits: {
		title: 'Vos propres visites',
		text: 'Les adresses IP changent. Ouvrez ce lien une fois dans un navigateur pour l’exclure de ce site.',
		label: 'Lien d’exclusion pour ce navigateur',
		back: 'Avec #tidemark-count au lieu de #tidemark-ignore, il est compté à nouveau.',
	},
	params: {
		title: 'Paramètres d’URL',
		text: 'Ces paramètres d’URL sont retirés des adresses avant tout enregistrement.',
		label: 'Noms des paramètres (un par ligne)',
		hint: 'Saisissez & pour supprimer tous les paramètres.',
	},
	goals: {
		add: 'Ajouter un objectif',
		edit: 'Modifier l’objectif',
		none: 'Pas encore d’objectif',
		noneText:
			'Un objectif compte les visites qui atteignent une page ou envoient un événement : une page de remerciement, une inscription.',
		name: 'Nom',
		kind: 'Type',
		kinds: {
			page: {
				title: 'Page',
				text: 'Une page est vue.',
				bad: 'Un chemin commence par / ou *, et contient * cinq fois au plus.',
				pattern: 'Chemin de la page',
			},
			event: {
				title: 'Événement',
				text: 'Un de vos propres événements est envoyé.',
				bad: 'Un nom contient * cinq fois au plus.',
				pattern: 'Nom de l’événement',
			},
		},
		wildcard: '* remplace n’importe quels caractères, cinq fois au plus.',
		property: 'Propriété (facultatif)',
		propertyHint: 'L’événement doit l’avoir avec cette valeur.',
		value: 'Valeur',
		valueNeeded: 'Une propriété a besoin d’une valeur.',
		nameNeeded: 'Un objectif a besoin d’un nom.',
		nameTaken: 'Il existe déjà un objectif de ce nom.',
		editOne: 'Modifier {{name}}',
		deleteOne: 'Supprimer {{name}}',
		deleteTitle: 'Supprimer {{name}} ?',
		deleteText: 'Les événements restent. Un objectif avec la même règle affichera les mêmes nombres.',
	},
	drops: {
		period: 'Période',
		periods: {
			'7d': '7 derniers jours',
			'30d': '30 derniers jours',
			'12months': '12 derniers mois',
		},
		none: 'Aucun trafic exclu',
		noneText: 'Toutes les requêtes de cette période ont été comptées.',
		total_one: '{{total}} requête n’a pas été comptée.',
		total_many: '{{total}} de requêtes n’ont pas été comptées.',
		total_other: '{{total}} requêtes n’ont pas été comptées.',
		byReason: 'Par motif',
		byDay: 'Par jour',
		day: 'Jour',
		why: 'Motif',
		hits: 'Requêtes',
		hostnames: 'Noms d’hôte inconnus',
		hostnamesText:
			'Ces noms d’hôte ont envoyé des requêtes mais ne sont pas autorisés. Autorisez-en un pour le compter désormais.',
		countThis: 'Autoriser',
		countThisName: 'Autoriser {{hostname}}',
		countsNow: 'Autorisé',
		reasons: {
			prefetch: {
				title: 'Préchargement',
				text: 'Le navigateur a préchargé la page. Elle est comptée lorsqu’elle est affichée.',
			},
			bot: {
				title: 'Bot',
				text: 'Un bot, un outil ou un navigateur sans fenêtre. Vous pouvez les compter dans les exclusions.',
			},
			excluded_address: {
				title: 'Adresse IP exclue',
				text: 'L’adresse figure dans votre liste, dans les exclusions.',
			},
			foreign_hostname: {
				title: 'Nom d’hôte inconnu',
				text: 'La page est sur un hôte qui n’est pas celui du site : une copie, un test ou la page de quelqu’un d’autre avec votre extrait de code.',
			},
			privacy_signal: {
				title: 'Signal de confidentialité',
				text: 'Le navigateur a envoyé Global Privacy Control ou Do Not Track. Vous pouvez modifier ce réglage sous Exclusions.',
			},
			bad_url: {
				title: 'URL non valide',
				text: 'Il n’y avait pas d’adresse de page en http ou https : une page enregistrée, une application ou un appel erroné.',
			},
			late: {
				title: 'Trop tard',
				text: 'Arrivé trop tard pour être associé à un visiteur. Les serveurs doivent envoyer les événements sous sept jours.',
			},
			erased: {
				title: 'Avant la remise à zéro',
				text: 'Antérieur à la réinitialisation des statistiques.',
			},
			over_budget: {
				title: 'Limite de débit dépassée',
				text: 'Le site a reçu plus de requêtes que sa limite de débit ne le permet. Les pages réessaient jusqu’à trois fois, certaines ont donc été comptées plus tard. S’il s’agit de trafic réel, demandez une limite plus élevée à l’opérateur du serveur.',
			},
		},
	},
	retention: {
		title: 'Conservation des données',
		text: 'Supprime les événements et les visites après une durée définie. Les totaux quotidiens sont conservés, les graphiques historiques aussi.',
		label: 'Durée de conservation en mois',
		placeholder: 'Sans limite',
		forever: 'Laissez vide pour conserver les événements et les visites sans limite.',
		deletes: 'Les événements et visites antérieurs au {{date}} seront définitivement supprimés sous un jour.',
		range: 'Indiquez un nombre entier de mois de 1 à 120, ou rien.',
		saveAndDelete: 'Enregistrer et supprimer les données plus anciennes',
	},
	reset: {
		title: 'Réinitialiser les statistiques',
		text: 'Supprime toutes les données collectées. Le site, ses paramètres et ses objectifs sont conservés, et le comptage continue.',
		button: 'Réinitialiser',
		warning: 'Toutes les statistiques de {{domain}} seront supprimées. C’est irréversible.',
		confirm: 'Réinitialiser les statistiques',
		done: 'Statistiques réinitialisées.',
	},
	delete: {
		title: 'Supprimer le site',
		text: 'Le site, ses paramètres et toutes ses statistiques sont supprimés. Son identifiant n’est jamais réattribué.',
		button: 'Supprimer',
		warning: '{{domain}} et toutes ses statistiques seront supprimés. C’est irréversible.',
		confirm: 'Supprimer le site',
	},
	typed: {
		label: 'Saisissez {{domain}} pour confirmer',
		wrong: 'Ce n’est pas {{domain}}.',
	},
	embed: {
		frame: 'Intégrer',
		frameText:
			'Intégrez la page de statistiques dans une iframe, claire ou sombre. Seules les origines ci-dessous peuvent l’intégrer.',
		origins: 'Origines autorisées (une par ligne)',
		originsHint:
			'Par exemple https://example.com ou https://*.example.com. Laissez vide pour désactiver l’intégration.',
		frameCode: 'Code d’intégration',
		badge: 'Badge',
		badgeText:
			'Une image avec les visiteurs des 30 derniers jours. Avec look=counter, elle est plus grande ; avec theme=dark, plus sombre.',
		badgeCode: 'Code du badge',
	},
};
