import type { Texts } from '../texts.ts';

export const branding: Texts['branding'] = {
	text: 'Dein Name, dein Logo und deine Farbe auf den Seiten deiner Websites, in Freigabelinks und in E-Mails. Anmeldeseiten und Sicherheitshinweise bleiben die des Dienstes.',
	nameTitle: 'Name und Farbe',
	name: 'Name',
	nameHint: 'Bis zu 60 Zeichen. Leer lassen, um Tidemark anzuzeigen.',
	accent: 'Akzentfarbe',
	accentHint:
		'Zum Beispiel #0a7f78. Seiten verwenden gut lesbare Abstufungen davon. Leer lassen für den Standard.',
	accentFault: 'Gib eine Farbe wie #0a7f78 ein.',
	pick: 'Farbe auswählen',
	poweredBy: '„Bereitgestellt mit Tidemark“ anzeigen',
	poweredByHint:
		'Unter deinen Seiten und Berichten. Von Lizenzen verlangte Quellenangaben bleiben immer stehen.',
	logos: 'Logos',
	logosText: 'PNG oder JPEG, bis zu 200 KB und 1024 × 512 Pixel.',
	light: 'Logo',
	dark: 'Logo für dunkle Hintergründe',
	darkHint: 'Optional. Ohne dieses wird das andere Logo verwendet.',
	noLogo: 'Kein Logo',
	upload: 'Datei auswählen',
	remove: 'Löschen',
	preview: 'Vorschau',
	previewText: 'So sieht die Kopfzeile deiner Seiten aus.',
	previewLight: 'Hell',
	previewDark: 'Dunkel',
	previewButton: 'Schaltfläche',
	previewLink: 'Link',
};
