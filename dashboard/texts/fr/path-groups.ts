import type { Texts } from '../texts.ts';

export const pathGroups: Texts['pathGroups'] = {
	rules: {
		title: 'Règles',
		text: 'Regroupez les pages dont le chemin contient des identifiants ou des dates. La première règle correspondante s’applique. Les règles s’appliquent aussi aux données passées.',
		hint: '* correspond à une partie d’un segment du chemin, ** à la fin correspond au reste du chemin. $1 dans un groupe conserve ce que le premier * a trouvé.',
		add: 'Ajouter une règle',
		none: 'Aucune règle pour l’instant. Chaque chemin est son propre groupe.',
		pattern: 'Modèle',
		target: 'Groupe',
		patternOf: 'Modèle de la règle {{rule}}',
		targetOf: 'Groupe de la règle {{rule}}',
		up: 'Monter la règle {{rule}}',
		down: 'Descendre la règle {{rule}}',
		remove: 'Supprimer la règle {{rule}}',
		bad: 'Vérifiez cette règle. Un modèle commence par / et contient au plus un * par segment ; ** n’est autorisé qu’à la fin.',
		count: 'Chemins : {{paths}} · Pages vues : {{views}}',
		period: 'Aperçu des 30 derniers jours.',
		partial: 'Aperçu des 30 derniers jours, pour les {{compared}} chemins les plus vus sur {{paths}}.',
		examples: 'Exemples',
		unmatched: 'Chemins sans règle',
	},
	undo: {
		title: 'Annuler',
		text: 'Rétablit les règles précédentes. Les statistiques affichent alors les mêmes chiffres qu’avant la modification.',
		button: 'Annuler la dernière modification',
		done: 'La dernière modification a été annulée.',
	},
	proposals: {
		title: 'Suggestions',
		text: 'D’après les chemins des 30 derniers jours auxquels aucune règle ne correspond.',
		use: 'Utiliser',
		useOne: 'Utiliser la règle pour {{pattern}}',
		none: 'Aucune suggestion.',
	},
};
