import type { Texts } from '../texts.ts';

export const branding: Texts['branding'] = {
	text: 'Votre nom, votre logo et votre couleur sur les pages de vos sites, dans les liens de partage et dans les e-mails. Les pages de connexion et les avis de sécurité restent ceux du service.',
	nameTitle: 'Nom et couleur',
	name: 'Nom',
	nameHint: '60 caractères au maximum. Laissez vide pour afficher Tidemark.',
	accent: 'Couleur d’accent',
	accentHint:
		'Par exemple #0a7f78. Les pages en utilisent des nuances faciles à lire. Laissez vide pour la couleur par défaut.',
	accentFault: 'Saisissez une couleur comme #0a7f78.',
	pick: 'Choisir une couleur',
	poweredBy: 'Afficher « Propulsé par Tidemark »',
	poweredByHint: 'Sous vos pages et vos rapports. Les mentions exigées par des licences restent toujours.',
	logos: 'Logos',
	logosText: 'PNG ou JPEG, 200 Ko et 1024 × 512 pixels au maximum.',
	light: 'Logo',
	dark: 'Logo pour fonds sombres',
	darkHint: 'Facultatif. Sans lui, l’autre logo est utilisé.',
	noLogo: 'Aucun logo',
	upload: 'Choisir un fichier',
	remove: 'Supprimer',
	preview: 'Aperçu',
	previewText: 'L’en-tête de vos pages.',
	previewLight: 'Clair',
	previewDark: 'Sombre',
	previewButton: 'Bouton',
	previewLink: 'Lien',
};
