import type { Texts } from '../texts.ts';

/** What an account requires of people who work with it. */
export const policy: Texts['policy'] = {
	title: 'Zasady logowania',
	text: 'Dla właścicieli tego konta i członków jego witryn. Zbieranie danych pozostaje bez zmian.',
	signIn: 'Wymagane logowanie',
	rules: { any: 'Dowolne', second_factor: 'Drugi składnik', provider: 'Dostawca tożsamości' },
	idle: 'Wyloguj po bezczynności',
	longest: 'Zaloguj ponownie po',
	default: '{{duration}} (domyślnie)',
	networks: 'Dozwolone sieci',
	networksHint:
		'Dla panelu i kluczy API. Po jednej w wierszu. Twój adres to {{address}}. Pozostaw puste, aby zezwolić na wszystkie.',
	networksFault: 'Lista musi zawierać Twój adres {{address}} oraz wyłącznie adresy IP i sieci.',
	needs: {
		second_factor:
			'Najpierw włącz uwierzytelnianie dwuskładnikowe lub zaloguj się kluczem dostępu, aby nie stracić dostępu.',
		provider: 'Najpierw zaloguj się przez dostawcę tożsamości, aby nie stracić dostępu.',
	},
	service: 'Operator tego serwera także ustawił zasady dla wszystkich kont. Obowiązują surowsze.',
	submit: 'Zapisz zasady',
	saved: 'Zasady zostały zapisane.',
	refused: {
		second_factor_required: 'To konto wymaga drugiego składnika.',
		provider_required:
			'To konto wymaga logowania przez dostawcę tożsamości. Wyloguj się i zaloguj przez niego.',
		network_not_allowed:
			'Dostęp z tej sieci nie jest dozwolony. Zapytaj właściciela konta lub operatora tego serwera.',
	},
	setUp: 'Skonfiguruj drugi składnik',
	useFactor: 'Wyloguj się i zaloguj ponownie z drugim składnikiem.',
	link: 'Połącz dostawcę',
	elsewhere: {
		second_factor_required: 'Witryny konta {{account}} wymagają drugiego składnika.',
		provider_required: 'Witryny konta {{account}} wymagają logowania przez dostawcę tożsamości.',
		network_not_allowed: 'Witryn konta {{account}} nie można otworzyć z tej sieci.',
	},
};
