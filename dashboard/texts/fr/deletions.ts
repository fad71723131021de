import type { Texts } from '../texts.ts';

export const deletions: Texts['deletions'] = {
	counting: 'Comptage des événements correspondants…',
	none: 'Aucun événement ne correspond.',
	matches_one: '{{total}} événement ({{kinds}}) {{days}} sera masqué.',
	matches_many: '{{total}} d’événements ({{kinds}}) {{days}} seront masqués.',
	matches_other: '{{total}} événements ({{kinds}}) {{days}} seront masqués.',
	pageviews_one: '{{total}} page vue',
	pageviews_many: '{{total}} de pages vues',
	pageviews_other: '{{total}} pages vues',
	customEvents_one: '{{total}} événement personnalisé',
	customEvents_many: '{{total}} d’événements personnalisés',
	customEvents_other: '{{total}} événements personnalisés',
	measurements_one: '{{total}} mesure d’engagement ou de signaux web essentiels',
	measurements_many: '{{total}} de mesures d’engagement et de signaux web essentiels',
	measurements_other: '{{total}} mesures d’engagement et de signaux web essentiels',
	days_one: 'du {{from}}',
	days_many: 'sur {{total}} de jours du {{from}} au {{to}}',
	days_other: 'sur {{total}} jours du {{from}} au {{to}}',
	totalsBefore:
		'Les totaux antérieurs au {{date}} ne changent pas, car leurs événements ont déjà été supprimés à la fin de la durée de conservation.',
	earlierValues_one:
		'{{total}} valeur sera retirée des répartitions des jours dont les événements ne sont plus stockés et des jours importés. Les totaux de ces jours ne changent pas.',
	earlierValues_many:
		'{{total}} de valeurs seront retirées des répartitions des jours dont les événements ne sont plus stockés et des jours importés. Les totaux de ces jours ne changent pas.',
	earlierValues_other:
		'{{total}} valeurs seront retirées des répartitions des jours dont les événements ne sont plus stockés et des jours importés. Les totaux de ces jours ne changent pas.',
	alreadyHidden_one:
		'{{total}} événement correspondant est déjà masqué par une autre suppression. Il ne sera de nouveau compté que si les deux sont annulées, et sera supprimé du disque avec la première.',
	alreadyHidden_many:
		'{{total}} d’événements correspondants sont déjà masqués par une autre suppression. Ils ne seront de nouveau comptés que si les deux sont annulées, et seront supprimés du disque avec la première.',
	alreadyHidden_other:
		'{{total}} événements correspondants sont déjà masqués par une autre suppression. Ils ne seront de nouveau comptés que si les deux sont annulées, et seront supprimés du disque avec la première.',
	referrers_one:
		'{{total}} événement d’une autre page contient un chemin correspondant dans son référent et est conservé. Pour le supprimer aussi, filtrez par référent.',
	referrers_many:
		'{{total}} d’événements d’autres pages contiennent un chemin correspondant dans leur référent et sont conservés. Pour les supprimer aussi, filtrez par référent.',
	referrers_other:
		'{{total}} événements d’autres pages contiennent un chemin correspondant dans leur référent et sont conservés. Pour les supprimer aussi, filtrez par référent.',
	keeps:
		'Les événements sont immédiatement masqués dans toutes les statistiques. Vous pouvez annuler cette action jusqu’au {{date}}. Ils sont ensuite supprimés du disque.',
	keepsNone:
		'Les événements sont immédiatement masqués dans toutes les statistiques et supprimés du disque dès que possible. Cette action est irréversible.',
	keepsValues: 'Les valeurs sont immédiatement masquées. Vous pouvez annuler cette action jusqu’au {{date}}.',
	keepsValuesNone: 'Les valeurs sont supprimées dès que possible. Cette action est irréversible.',
	tooLarge:
		'Au plus 1 000 valeurs, de 60 000 caractères au total, peuvent être appliquées au trafic antérieur. Répartissez-les entre plusieurs règles ou suppressions.',
	limit: 'Trop de suppressions peuvent encore être annulées. Annulez-en une ou attendez la fin de son délai.',
	newEvents: 'Les nouveaux événements ne sont pas concernés.',
	exclude: 'Exclure le nouveau trafic',
	undo: 'Annuler la suppression',
	valuesDeleted: '(valeurs supprimées)',
	states: {
		hidden: 'Masqué. La suppression peut être annulée jusqu’au {{date}}.',
		due: 'Masqué. Sera bientôt supprimé du disque.',
		deleted: 'Supprimé du disque le {{date}}.',
		undone: 'Suppression annulée le {{date}}.',
	},
	rule: {
		apply: 'Appliquer au trafic antérieur',
		applyOne: 'Appliquer au trafic antérieur : {{name}}',
		title: 'Appliquer {{name}} au trafic antérieur ?',
		text: 'Les événements antérieurs auxquels cette règle correspond sont immédiatement masqués dans toutes les statistiques.',
		textUntil:
			'Les événements antérieurs auxquels cette règle correspond sont immédiatement masqués dans toutes les statistiques. Vous pouvez annuler cette action jusqu’au {{date}}. Ils sont ensuite supprimés du disque.',
		textFinal:
			'Les événements antérieurs auxquels cette règle correspond sont immédiatement masqués dans toutes les statistiques et supprimés du disque dès que possible. Cette action est irréversible.',
		action: 'Masquer le trafic antérieur',
		hidden_one: '{{total}} événement antérieur masqué. Annulation possible jusqu’au {{date}}.',
		hidden_many: '{{total}} d’événements antérieurs masqués. Annulation possible jusqu’au {{date}}.',
		hidden_other: '{{total}} événements antérieurs masqués. Annulation possible jusqu’au {{date}}.',
		due_one: '{{total}} événement antérieur masqué. Il sera bientôt supprimé du disque.',
		due_many: '{{total}} d’événements antérieurs masqués. Ils seront bientôt supprimés du disque.',
		due_other: '{{total}} événements antérieurs masqués. Ils seront bientôt supprimés du disque.',
		staysHidden:
			'Le trafic antérieur masqué par cette règle reste masqué. Les administrateurs peuvent annuler cela sous Données.',
	},
	filter: {
		title: 'Supprimer des données par filtre',
		text: 'Supprime les événements antérieurs qui remplissent des conditions, par exemple des données personnelles envoyées par erreur par une page. Un aperçu s’affiche d’abord. Les nouveaux événements ne sont pas concernés.',
		dialogText: 'Sélectionnez les événements. Un aperçu s’affiche avant toute suppression.',
		conditions: 'Événements qui remplissent toutes les conditions',
		condition: 'Condition {{number}}',
		field: 'Champ',
		query: 'Chaîne de requête',
		perLine: 'Une par ligne. Il suffit que l’une d’elles corresponde.',
		badValue: 'La valeur {{number}} n’est pas valide pour ce champ.',
		propertyNeeded: 'Saisissez le nom de la propriété.',
		add: 'Ajouter une condition',
		remove: 'Retirer la condition {{number}}',
		allDays: 'Laissez vide pour tous les jours.',
		keep: 'Délai d’annulation',
		keepDays: '{{days}} jours',
		keepNone: 'Aucun : supprimer dès que possible',
		preview: 'Aperçu',
		action_one: 'Supprimer {{total}} événement',
		action_many: 'Supprimer {{total}} d’événements',
		action_other: 'Supprimer {{total}} événements',
		confirm_one: 'Supprimer {{total}} événement ?',
		confirm_many: 'Supprimer {{total}} d’événements ?',
		confirm_other: 'Supprimer {{total}} événements ?',
		done: 'Événements retirés de toutes les statistiques.',
	},
	elsewhere: {
		title: 'Les mêmes données peuvent aussi figurer dans',
		reports_one: '{{total}} rapport enregistré sur ces jours',
		reports_many: '{{total}} de rapports enregistrés sur ces jours',
		reports_other: '{{total}} rapports enregistrés sur ces jours',
		deadLetters_one: 'Messages en échec : {{total}} événement qui n’a pas pu être écrit',
		deadLetters_many: 'Messages en échec : {{total}} d’événements qui n’ont pas pu être écrits',
		deadLetters_other: 'Messages en échec : {{total}} événements qui n’ont pas pu être écrits',
		backup: 'Sauvegarde avant une mise à niveau, créée le {{made}}, expire le {{expires}}',
		own: 'Les exports et les sauvegardes que vous avez créés vous-même ne sont pas modifiés.',
	},
	list: {
		title: 'Données supprimées',
		rule: 'Règle de trafic : {{name}}',
		and: 'et',
		events_one: '{{total}} événement {{days}}',
		events_many: '{{total}} d’événements {{days}}',
		events_other: '{{total}} événements {{days}}',
		values_one: '{{total}} valeur dans des répartitions de totaux antérieurs',
		values_many: '{{total}} de valeurs dans des répartitions de totaux antérieurs',
		values_other: '{{total}} valeurs dans des répartitions de totaux antérieurs',
		noEvents: 'Aucun événement',
		all: 'Tout afficher',
	},
};
