import type { Texts } from '../texts.ts';

/** What an account requires of people who work with it. */
export const policy: Texts['policy'] = {
	title: 'Criteri di accesso',
	text: 'Per i proprietari di questo account e i membri dei suoi siti. La raccolta non cambia.',
	signIn: 'Accesso richiesto',
	rules: { any: 'Qualsiasi', second_factor: 'Secondo fattore', provider: 'Provider di identità' },
	idle: 'Disconnetti dopo inattività',
	longest: 'Nuovo accesso dopo',
	default: '{{duration}} (predefinito)',
	networks: 'Reti consentite',
	networksHint:
		'Per la dashboard e le chiavi API. Una per riga. Il tuo indirizzo è {{address}}. Lascia vuoto per consentirle tutte.',
	networksFault: 'L’elenco deve contenere il tuo indirizzo {{address}}, e solo indirizzi IP e reti.',
	needs: {
		second_factor:
			'Attiva prima l’autenticazione a due fattori o accedi con una passkey, per non restare escluso.',
		provider: 'Accedi prima con il tuo provider di identità, per non restare escluso.',
	},
	service: 'Anche il gestore di questo server ha criteri per tutti gli account. Valgono i più severi.',
	submit: 'Salva i criteri',
	saved: 'I criteri sono salvati.',
	refused: {
		second_factor_required: 'Questo account richiede un secondo fattore.',
		provider_required:
			'Questo account richiede l’accesso con un provider di identità. Esci e accedi di nuovo con quello.',
		network_not_allowed:
			'L’accesso da questa rete non è consentito. Rivolgiti a un proprietario dell’account o al gestore di questo server.',
	},
	setUp: 'Configura un secondo fattore',
	useFactor: 'Esci e accedi di nuovo con il tuo secondo fattore.',
	link: 'Collega un provider',
	elsewhere: {
		second_factor_required: 'I siti di {{account}} richiedono un secondo fattore.',
		provider_required: 'I siti di {{account}} richiedono l’accesso con un provider di identità.',
		network_not_allowed: 'I siti di {{account}} non possono essere aperti da questa rete.',
	},
};
