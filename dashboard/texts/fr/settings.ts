import type { Texts } from '../texts.ts';

export const settings: Texts['settings'] = {
	title: 'Paramètres',
	chooseTab: 'Paramètres : {{tab}}',
	readOnly:
		'Vous avez un accès en lecture seule. Les éditeurs et administrateurs de ce site peuvent modifier ces paramètres.',
	adminsOnly: 'Seuls les administrateurs de ce site peuvent modifier ces paramètres.',
	tabs: {
		general: {
			title: 'Général',
			text: 'Domaine, fuseau horaire, noms d’hôte et étiquettes.',
		},
		sharing: {
			title: 'Partage',
			text: 'Qui peut voir les statistiques et comment les afficher sur d’autres pages.',
		},
		goals: {
			title: 'Objectifs',
			text: 'Pages et événements qui comptent comme conversions.',
		},
		paths: {
			title: 'Groupes de pages',
			text: 'Règles qui regroupent des pages, par exemple toutes les pages produit.',
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
	unsaved: {
		title: 'Modifications non enregistrées',
		discard: 'Abandonner',
		save: 'Enregistrer les modifications',
		leaveTitle: 'Quitter sans enregistrer ?',
		leaveText: 'Vos modifications ne sont pas enregistrées : {{titles}}.',
		leave: 'Quitter',
	},
	domain: {
		title: 'Domaine',
		text: 'Le site renommé conserve son ID ({{id}}), ses statistiques et son extrait de code. Ensuite, seules les pages du nouveau domaine comptent.',
		hint: 'Pour continuer à compter l’ancien domaine, ajoutez les deux sous Noms d’hôte.',
		taken: 'Vous avez déjà un site {{domain}}.',
		bad: 'Saisissez un domaine valide, par exemple example.com.',
	},
	install: {
		title: 'Extrait de code',
		text: 'L’ID de ce site est {{id}}.',
		link: 'Guides d’installation',
	},
	zone: {
		title: 'Fuseau horaire',
		unknown: 'Saisissez un fuseau horaire valide, par exemple Europe/Paris.',
		text: 'Définit le début et la fin d’une journée. Les jours passés conservent leur fuseau horaire.',
	},
	hostnames: {
		title: 'Noms d’hôte',
		text: '{{domain}} compte toujours. Ses sous-domaines aussi, sauf si vous indiquez ici d’autres noms d’hôte.',
		label: 'Noms d’hôte autorisés (un par ligne)',
		bad: 'La ligne {{line}} n’est pas un nom d’hôte valide. Exemples : example.com, *.example.com, !old.example.com, localhost.',
		hint: '*.example.com autorise tous les sous-domaines, !old.example.com exclut un nom d’hôte, localhost autorise votre propre machine.',
	},
	labels: {
		title: 'Étiquettes',
		text: 'Regroupez vos sites avec vos propres étiquettes.',
		hint: 'Séparez les étiquettes par des virgules (20 au maximum).',
		bad: 'Saisissez au maximum 20 étiquettes de 50 caractères chacune.',
	},
	favorite: {
		title: 'Favori',
		label: 'Épingler en haut de la liste des sites',
	},
	privacy: {
		title: 'Visibilité',
		text: 'Les modifications enregistrées s’appliquent aussi aux pages déjà ouvertes.',
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
		passwordHint: 'Visible pendant la saisie. Il ne pourra plus être affiché ensuite.',
		newPassword: 'Nouveau mot de passe',
		keep: 'Laissez vide pour conserver le mot de passe actuel. Un nouveau mot de passe met fin à l’accès de toutes les personnes qui utilisaient l’ancien.',
		needed: 'Saisissez un mot de passe.',
		leftOver: 'Le mot de passe enregistré n’est pas utilisé dans ce mode.',
		remove: 'Supprimer le mot de passe',
		off: 'Les statistiques publiques sont désactivées sur ce serveur (TIDEMARK_PUBLIC_STATS). Tous les sites sont traités comme privés.',
	},
	address: {
		title: 'Page publique',
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
		hint: 'Si désactivé, les moteurs de recherche sont priés de ne pas indexer cette page.',
		publicOnly: 'S’applique uniquement lorsque le site est public.',
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
		hidden: 'Seuls les éditeurs et administrateurs de ce site peuvent voir cette liste.',
		text: 'Le trafic provenant de ces adresses IP et réseaux est ignoré.',
		label: 'Adresses IP et réseaux (un par ligne)',
		hint: 'IPv4 ou IPv6 ; réseaux en notation CIDR, par exemple 10.0.0.0/8.',
		addMine: 'Ajouter mon adresse IP',
		bad: 'La ligne {{line}} n’est pas une adresse IP ni un réseau valide, comme 10.0.0.0/8.',
		added: '{{address}} ajoutée. Enregistrez pour appliquer.',
		known: '{{address}} est déjà dans la liste.',
	},
	ownVisits: {
		title: 'Vos propres visites',
		text: 'Les adresses IP changent. Ouvrez ce lien une fois dans un navigateur pour l’exclure de ce site.',
		label: 'Lien d’exclusion pour ce navigateur',
		back: 'Utilisez #tidemark-count au lieu de #tidemark-ignore pour compter à nouveau le navigateur.',
	},
	params: {
		title: 'Paramètres d’URL',
		text: 'Ces paramètres sont supprimés des URL avant leur enregistrement.',
		label: 'Noms des paramètres (un par ligne)',
		hint: 'Saisissez & pour supprimer tous les paramètres.',
	},
	goals: {
		add: 'Ajouter un objectif',
		edit: 'Modifier l’objectif',
		none: 'Pas encore d’objectif',
		noneText:
			'Un objectif compte les visites qui atteignent une page ou déclenchent un événement, par exemple une page de remerciement ou une inscription.',
		name: 'Nom',
		kind: 'Type',
		kinds: {
			page: {
				title: 'Page',
				text: 'Une page est vue.',
				bad: 'Un chemin commence par / ou * et contient au maximum cinq *.',
				pattern: 'Chemin de la page',
			},
			event: {
				title: 'Événement',
				text: 'Un événement personnalisé est envoyé.',
				bad: 'Un nom contient au maximum cinq *.',
				pattern: 'Nom de l’événement',
			},
		},
		wildcard: '* remplace n’importe quels caractères (jusqu’à cinq fois).',
		property: 'Propriété (facultatif)',
		propertyHint: 'L’événement doit aussi avoir cette propriété, avec une valeur correspondante.',
		value: 'Valeur',
		valueNeeded: 'Saisissez une valeur pour la propriété.',
		numberNeeded: 'Saisissez un nombre, par exemple 10 ou 19,99.',
		nameNeeded: 'Saisissez un nom.',
		nameTaken: 'Un objectif portant ce nom existe déjà.',
		editOne: 'Modifier {{name}}',
		deleteOne: 'Supprimer {{name}}',
		deleteTitle: 'Supprimer {{name}} ?',
		deleteText:
			'Les événements sont conservés. Un objectif avec la même règle affichera de nouveau les mêmes chiffres.',
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
		total_one: '{{total}} requête a été exclue.',
		total_many: '{{total}} de requêtes ont été exclues.',
		total_other: '{{total}} requêtes ont été exclues.',
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
				text: 'Un bot, un outil ou un navigateur headless. Vous pouvez compter les bots sous Exclusions.',
			},
			excluded_address: {
				title: 'Adresse IP exclue',
				text: 'L’adresse IP figure dans votre liste sous Exclusions.',
			},
			foreign_hostname: {
				title: 'Nom d’hôte inconnu',
				text: 'La page n’est pas sur un nom d’hôte autorisé : une copie, un environnement de test ou un autre site avec votre extrait de code.',
			},
			privacy_signal: {
				title: 'Signal de confidentialité',
				text: 'Le navigateur a envoyé Global Privacy Control ou Do Not Track. Vous pouvez modifier ce réglage sous Exclusions.',
			},
			bad_url: {
				title: 'URL non valide',
				text: 'L’URL n’était pas celle d’une page http ou https : une page enregistrée, une application ou un appel non valide.',
			},
			late: {
				title: 'Trop tard',
				text: 'Arrivé trop tard pour être associé à un visiteur. Les serveurs doivent envoyer les événements sous sept jours.',
			},
			erased: {
				title: 'Avant la réinitialisation',
				text: 'Antérieur à la réinitialisation des statistiques.',
			},
			over_budget: {
				title: 'Limite de débit dépassée',
				text: 'Le site a reçu plus de requêtes que sa limite de débit ne le permet. Les pages réessaient jusqu’à trois fois, certaines ont donc été comptées plus tard. S’il s’agit de trafic réel, demandez une limite plus élevée à l’opérateur du serveur.',
			},
			rule: {
				title: 'Règle de trafic',
				text: 'La requête correspondait à une règle de trafic. Vous pouvez modifier les règles sous Exclusions.',
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
		range: 'Saisissez un nombre entier de 1 à 120, ou laissez vide.',
		saveAndDelete: 'Enregistrer et supprimer les données plus anciennes',
	},
	reset: {
		title: 'Réinitialiser les statistiques',
		text: 'Supprime toutes les données collectées. Le site, ses paramètres et ses objectifs sont conservés, et le comptage continue.',
		warning: 'Toutes les statistiques de {{domain}} seront supprimées. Cette action est irréversible.',
		confirm: 'Réinitialiser les statistiques',
		done: 'Statistiques réinitialisées.',
	},
	delete: {
		title: 'Supprimer le site',
		text: 'Supprime le site, ses paramètres et toutes ses statistiques. Son ID n’est jamais réutilisé.',
		warning: '{{domain}} et toutes ses statistiques seront supprimés. Cette action est irréversible.',
		confirm: 'Supprimer le site',
	},
	typed: {
		label: 'Saisissez {{domain}} pour confirmer',
		wrong: 'Le nom ne correspond pas à {{domain}}.',
	},
	embed: {
		frame: 'Intégrer',
		frameText:
			'Intégrez la page de statistiques dans une iframe, claire ou sombre. Seules les origines ci-dessous peuvent l’intégrer.',
		origins: 'Origines autorisées (une par ligne)',
		originsHint:
			'Par exemple https://example.com ou https://*.example.com. Laissez vide pour désactiver l’intégration.',
		page: 'Page',
		frameCode: 'Code d’intégration',
		badge: 'Badge',
		badgeText: 'Une image avec le nombre de visiteurs, mise à jour chaque minute.',
		badgeCode: 'Code du badge',
		title: 'Intégration et badge',
		publicOnly:
			'Seuls les sites publics et les liens de partage sans mot de passe peuvent être intégrés. Seuls les sites publics ont un badge.',
		preview: 'Aperçu',
		badgeLook: 'Style',
		looks: {
			badge: 'Badge',
			counter: 'Compteur',
		},
	},
};
