import type { Texts } from '../texts.ts';

export const trafficRules: Texts['trafficRules'] = {
	title: 'Règles de trafic',
	text: 'Excluez des requêtes par chemin, nom d’hôte, pays, référent, campagne, agent utilisateur, réseau IP ou opérateur réseau. Les règles s’appliquent au nouveau trafic. La plupart peuvent aussi être appliquées au trafic antérieur.',
	textForEditors:
		'Excluez des requêtes par chemin, nom d’hôte, pays, référent, campagne, agent utilisateur, réseau IP ou opérateur réseau. Les règles s’appliquent au nouveau trafic. Les administrateurs peuvent aussi en appliquer la plupart au trafic antérieur.',
	add: 'Ajouter une règle',
	edit: 'Modifier la règle',
	none: 'Pas encore de règle.',
	noDrops: 'Aucune requête exclue ces 30 derniers jours',
	dropped_one: '{{total}} requête exclue ces 30 derniers jours',
	dropped_many: '{{total}} de requêtes exclues ces 30 derniers jours',
	dropped_other: '{{total}} requêtes exclues ces 30 derniers jours',
	kind: 'Exclure par',
	kinds: {
		path: 'Chemin',
		hostname: 'Nom d’hôte',
		country: 'Pays',
		referrer: 'Référent',
		campaign: 'Campagne (utm_campaign)',
		user_agent: 'Agent utilisateur',
		network: 'Adresse ou réseau IP',
		operator: 'Opérateur réseau',
	},
	domain: 'est le domaine ou un sous-domaine de',
	values: 'Valeurs',
	perLine: 'Une par ligne. Une requête qui correspond à l’une d’elles est exclue.',
	country: 'Codes pays à deux lettres, un par ligne.',
	operatorNumbers: 'Numéros d’AS comme AS64500, un par ligne.',
	operatorNames: 'Parties de noms, une par ligne. La casse est ignorée.',
	operatorsMissing:
		'Cette règle ne correspond à rien, car la base de données des opérateurs réseau n’est pas installée. Pour l’installer, exécutez {{command}} sur le serveur.',
	firstPage:
		'N’exclut que les requêtes portant ce référent ou cette campagne, en général la première page vue d’une visite. Les pages suivantes de la visite sont comptées.',
	applies:
		'S’applique au nouveau trafic. Une fois enregistrée, elle peut aussi être appliquée au trafic antérieur.',
	appliesForEditors:
		'S’applique au nouveau trafic. Les administrateurs peuvent aussi l’appliquer au trafic antérieur.',
	appliesToNew:
		'S’applique uniquement au nouveau trafic, car les adresses IP, les opérateurs réseau et les agents utilisateur ne sont pas stockés.',
	matches_one: '{{total}} visite des 30 derniers jours correspond.',
	matches_many: '{{total}} de visites des 30 derniers jours correspondent.',
	matches_other: '{{total}} visites des 30 derniers jours correspondent.',
	noMatch: 'Aucune visite des 30 derniers jours ne correspond.',
	loading: 'Comptage des visites correspondantes…',
	reasons: {
		not_stored:
			'Pas d’aperçu : les adresses IP, les opérateurs réseau et les agents utilisateur ne sont pas stockés, les visites antérieures ne peuvent donc pas être vérifiées.',
		too_many_values: 'Pas d’aperçu au-delà de 1 000 valeurs.',
		not_available: 'Pas d’aperçu : les données de visite ne couvrent pas les 30 derniers jours.',
	},
	nameTaken: 'Une règle portant ce nom existe déjà.',
	valuesNeeded: 'Saisissez au moins une valeur.',
	badValue: 'La valeur {{number}} n’est pas valide pour ce type de règle.',
	deleteText:
		'Le nouveau trafic qui correspond à la règle sera de nouveau compté. Les requêtes déjà exclues ne sont pas récupérées.',
	byRule: 'Par règle de trafic',
};
