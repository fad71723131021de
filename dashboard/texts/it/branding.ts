import type { Texts } from '../texts.ts';

export const branding: Texts['branding'] = {
	text: 'Il tuo nome, il tuo logo e il tuo colore nelle pagine dei tuoi siti, nei link di condivisione e nelle e-mail. Le pagine di accesso e gli avvisi di sicurezza restano quelli del servizio.',
	nameTitle: 'Nome e colore',
	name: 'Nome',
	nameHint: 'Fino a 60 caratteri. Lascia vuoto per mostrare Tidemark.',
	accent: 'Colore principale',
	accentHint:
		'Ad esempio #0a7f78. Le pagine ne usano tonalità facili da leggere. Lascia vuoto per quello predefinito.',
	accentFault: 'Inserisci un colore come #0a7f78.',
	pick: 'Scegli un colore',
	poweredBy: 'Mostra «Realizzato con Tidemark»',
	poweredByHint:
		'Sotto le tue pagine e i tuoi report. Le attribuzioni richieste dalle licenze restano sempre.',
	logos: 'Loghi',
	logosText: 'PNG o JPEG, fino a 200 KB e 1024 × 512 pixel.',
	light: 'Logo',
	dark: 'Logo per sfondi scuri',
	darkHint: 'Facoltativo. Senza, viene usato l’altro logo.',
	noLogo: 'Nessun logo',
	upload: 'Scegli un file',
	remove: 'Elimina',
	preview: 'Anteprima',
	previewText: 'L’intestazione delle tue pagine.',
	previewLight: 'Chiaro',
	previewDark: 'Scuro',
	previewButton: 'Pulsante',
	previewLink: 'Link',
};
