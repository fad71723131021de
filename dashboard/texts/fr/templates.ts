import type { Texts } from '../texts.ts';

export const templates: Texts['templates'] = {
	label: 'Modèle',
	none: 'Aucun modèle',
	hint: 'Copie les paramètres, objectifs, entonnoirs, segments, groupes de pages et règles de trafic du modèle.',
	manage: 'Gérer les modèles',
	manageText: 'Renommer ou supprimer un modèle ne modifie aucun site.',
	rename: 'Renommer',
	renameOne: 'Renommer : {{name}}',
	name: 'Nom du modèle',
	empty: 'Aucun modèle pour le moment.',
	save: {
		title: 'Enregistrer comme modèle',
		text: 'Les nouveaux sites peuvent reprendre les paramètres, objectifs, entonnoirs, segments, groupes de pages et règles de trafic de ce site. Les mots de passe, noms d’hôte et destinataires ne sont pas copiés.',
		done: 'Modèle enregistré. Vous pouvez le choisir lorsque vous ajoutez un site.',
	},
	bulk: {
		open: 'Modifier plusieurs sites',
		title: 'Modifier plusieurs sites',
		text: 'Les sites de cette page de la liste.',
		selectAll: 'Tout sélectionner',
		selectNone: 'Tout désélectionner',
		noneSelected: 'Sélectionnez au moins un site.',
		add: 'Ajouter des étiquettes',
		remove: 'Retirer des étiquettes',
		template: 'Appliquer un modèle',
		templateHint:
			'Applique les paramètres du modèle et ajoute ses objectifs et autres éléments. Rien n’est supprimé.',
		send: 'Appliquer',
	},
};
