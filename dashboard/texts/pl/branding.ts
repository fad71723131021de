import type { Texts } from '../texts.ts';

export const branding: Texts['branding'] = {
	text: 'Twoja nazwa, logo i kolor na stronach Twoich witryn, w linkach do udostępniania i w e-mailach. Strony logowania i powiadomienia o bezpieczeństwie pozostają własnością usługi.',
	nameTitle: 'Nazwa i kolor',
	name: 'Nazwa',
	nameHint: 'Do 60 znaków. Pozostaw puste, aby wyświetlać Tidemark.',
	accent: 'Kolor akcentu',
	accentHint:
		'Na przykład #0a7f78. Strony używają jego czytelnych odcieni. Pozostaw puste, aby użyć domyślnego.',
	accentFault: 'Podaj kolor, na przykład #0a7f78.',
	pick: 'Wybierz kolor',
	poweredBy: 'Pokazuj „Obsługiwane przez Tidemark”',
	poweredByHint: 'Pod stronami i raportami. Informacje o autorach wymagane przez licencje zawsze pozostają.',
	logos: 'Logo',
	logosText: 'PNG lub JPEG, do 200 KB i 1024 × 512 pikseli.',
	light: 'Logo',
	dark: 'Logo na ciemne tło',
	darkHint: 'Opcjonalne. Bez niego używane jest drugie logo.',
	noLogo: 'Brak logo',
	upload: 'Wybierz plik',
	remove: 'Usuń',
	preview: 'Podgląd',
	previewText: 'Tak wygląda nagłówek Twoich stron.',
	previewLight: 'Jasny',
	previewDark: 'Ciemny',
	previewButton: 'Przycisk',
	previewLink: 'Link',
};
