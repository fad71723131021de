import { createPlural } from './plural.ts';
import type { Against, ReportTexts } from './texts.ts';

const plural = createPlural('fr');
const than: Record<Against, string> = {
	week: 'que la semaine précédente',
	month: 'que le mois précédent',
	year: 'qu’il y a un an',
};

export const fr: ReportTexts = {
	metrics: {
		visitors: 'Visiteurs',
		visits: 'Visites',
		pageviews: 'Pages vues',
		bounce_rate: 'Taux de rebond',
		visit_duration: 'Durée de visite',
		revenue: 'Revenus',
	},
	visitors: (count, shown) => `${shown} ${plural(count, { one: 'visiteur', other: 'visiteurs' })}`,
	subject: {
		week: ({ name, visitors, change }) => `${name} : ${visitors} la semaine dernière${change}`,
		month: ({ name, visitors, change, month }) => `${name} : ${visitors} en ${month}${change}`,
	},
	websites: (count, shown) => `${shown} ${plural(count, { one: 'site', other: 'sites' })}`,
	title: { week: 'Rapport hebdomadaire', month: 'Rapport mensuel' },
	before: { week: 'Semaine précédente', month: 'Mois précédent', year: 'Il y a un an' },
	change: {
		more: (by, against) => `${by} de plus ${than[against]}`,
		fewer: (by, against) => `${by} de moins ${than[against]}`,
		same: (against) => `autant ${than[against]}`,
		points: (count, shown) => `${shown} ${plural(count, { one: 'point', other: 'points' })}`,
		before: (before) => `auparavant ${before}`,
		unchanged: 'inchangé',
		new: 'nouveau',
	},
	chart: {
		title: 'Visiteurs par jour',
		legend: {
			week: { now: 'cette semaine', before: 'semaine précédente' },
			month: { now: 'ce mois-ci', before: 'mois précédent' },
		},
		summary: ({ most, mostVisitors, least, leastVisitors }) =>
			`Meilleur jour : ${most} (${mostVisitors}). Jour le plus calme : ${least} (${leastVisitors}).`,
	},
	lists: {
		pages: 'Pages',
		sources: 'Sources',
		countries: 'Pays',
		goals: 'Objectifs',
		changed: 'Ce qui a changé',
	},
	columns: { website: 'Site', conversions: 'Conversions', rate: 'Taux' },
	changed: {
		page: ({ value, visitors, before }) => `Page ${value} : ${visitors}, contre ${before} auparavant.`,
		source: ({ value, visitors, before }) => `Source ${value} : ${visitors}, contre ${before} auparavant.`,
		newPage: ({ value, visitors }) => `Nouvelle page ${value} : ${visitors}.`,
		newSource: ({ value, visitors }) => `Nouvelle source ${value} : ${visitors}.`,
		goal: ({ value, count, before: then }) =>
			`Conversions de ${value} : ${count}, contre ${then} auparavant.`,
	},
	values: { direct: 'Direct', unknown: 'Inconnu' },
	nobody: { week: 'Aucun visiteur cette semaine.', month: 'Aucun visiteur ce mois-ci.' },
	provisional:
		'Provisoire : certains de ces jours étaient encore en cours de traitement lors de la création de ce rapport. Les derniers chiffres se trouvent dans le tableau de bord.',
	open: { week: 'Ouvrir cette semaine', month: 'Ouvrir ce mois' },
	openAll: 'Ouvrir tous les sites',
	others: (count, shown) => `et ${shown} ${plural(count, { one: 'autre site', other: 'autres sites' })}`,
	why: {
		week: ({ name }) =>
			`Vous recevez cet e-mail parce que les rapports hebdomadaires de ${name} sont activés.`,
		month: ({ name }) => `Vous recevez cet e-mail parce que les rapports mensuels de ${name} sont activés.`,
	},
	whyDigest: {
		week: 'Vous recevez cet e-mail parce que les rapports hebdomadaires de ces sites sont activés.',
		month: 'Vous recevez cet e-mail parce que les rapports mensuels de ces sites sont activés.',
	},
	unsubscribe: 'Se désabonner',
	foot: {
		zone: (zone) => `Fuseau horaire : ${zone}.`,
		visitor:
			'Les visiteurs sont comptés par jour. Une personne qui revient un autre jour est comptée à nouveau.',
	},
	poweredBy: 'Propulsé par Tidemark',
	feed: { title: (name) => `Rapports de ${name}` },
};
