import type { Texts } from '../texts.ts';

/** What an account requires of people who work with it. */
export const policy: Texts['policy'] = {
	title: 'Politique de connexion',
	text: 'Pour les propriétaires de ce compte et les membres de ses sites. La collecte n’est pas concernée.',
	signIn: 'Connexion exigée',
	rules: { any: 'Toutes', second_factor: 'Second facteur', provider: 'Fournisseur d’identité' },
	idle: 'Déconnecter après inactivité',
	longest: 'Se reconnecter après',
	default: '{{duration}} (par défaut)',
	networks: 'Réseaux autorisés',
	networksHint:
		'Pour le tableau de bord et les clés d’API. Un par ligne. Votre adresse est {{address}}. Laissez vide pour tout autoriser.',
	networksFault:
		'La liste doit contenir votre adresse {{address}}, et uniquement des adresses IP et des réseaux.',
	needs: {
		second_factor:
			'Activez d’abord l’authentification à deux facteurs ou connectez-vous avec une clé d’accès, pour ne pas perdre votre accès.',
		provider: 'Connectez-vous d’abord avec votre fournisseur d’identité, pour ne pas perdre votre accès.',
	},
	service:
		'L’opérateur de ce serveur a aussi une politique pour tous les comptes. La plus stricte s’applique.',
	submit: 'Enregistrer la politique',
	saved: 'La politique est enregistrée.',
	refused: {
		second_factor_required: 'Ce compte exige un second facteur.',
		provider_required:
			'Ce compte exige une connexion avec un fournisseur d’identité. Déconnectez-vous, puis reconnectez-vous avec lui.',
		network_not_allowed:
			'L’accès depuis ce réseau n’est pas autorisé. Adressez-vous à un propriétaire du compte ou à l’opérateur de ce serveur.',
	},
	setUp: 'Configurer un second facteur',
	useFactor: 'Déconnectez-vous, puis reconnectez-vous avec votre second facteur.',
	link: 'Associer un fournisseur',
	elsewhere: {
		second_factor_required: 'Les sites de {{account}} exigent un second facteur.',
		provider_required: 'Les sites de {{account}} exigent une connexion avec un fournisseur d’identité.',
		network_not_allowed: 'Les sites de {{account}} ne peuvent pas être ouverts depuis ce réseau.',
	},
};
