import type { Texts } from '../texts.ts';

/** What an account requires of people who work with it. */
export const policy: Texts['policy'] = {
	title: 'Anmelderichtlinie',
	text: 'Für die Inhaber dieses Kontos und die Mitglieder seiner Websites. Die Erfassung ist nicht betroffen.',
	signIn: 'Erforderliche Anmeldung',
	rules: { any: 'Beliebig', second_factor: 'Zweiter Faktor', provider: 'Identitätsanbieter' },
	idle: 'Abmelden bei Inaktivität nach',
	longest: 'Erneut anmelden nach',
	default: '{{duration}} (Standard)',
	networks: 'Erlaubte Netzwerke',
	networksHint:
		'Für das Dashboard und API-Schlüssel. Eines pro Zeile. Deine Adresse ist {{address}}. Leer lassen, um alle zu erlauben.',
	networksFault: 'Die Liste muss deine Adresse {{address}} enthalten, und nur IP-Adressen und Netzwerke.',
	needs: {
		second_factor:
			'Aktiviere zuerst die Zwei-Faktor-Authentifizierung oder melde dich mit einem Passkey an, damit du dich nicht aussperrst.',
		provider: 'Melde dich zuerst mit deinem Identitätsanbieter an, damit du dich nicht aussperrst.',
	},
	service: 'Der Betreiber dieses Servers hat auch eine Richtlinie für alle Konten. Die strengere gilt.',
	submit: 'Richtlinie speichern',
	saved: 'Die Richtlinie ist gespeichert.',
	refused: {
		second_factor_required: 'Dieses Konto verlangt einen zweiten Faktor.',
		provider_required:
			'Dieses Konto verlangt die Anmeldung mit einem Identitätsanbieter. Melde dich ab und mit diesem wieder an.',
		network_not_allowed:
			'Der Zugriff aus diesem Netzwerk ist nicht erlaubt. Wende dich an einen Inhaber des Kontos oder den Betreiber dieses Servers.',
	},
	setUp: 'Zweiten Faktor einrichten',
	useFactor: 'Melde dich ab und mit deinem zweiten Faktor wieder an.',
	link: 'Anbieter verknüpfen',
	elsewhere: {
		second_factor_required: 'Die Websites von {{account}} verlangen einen zweiten Faktor.',
		provider_required: 'Die Websites von {{account}} verlangen die Anmeldung mit einem Identitätsanbieter.',
		network_not_allowed: 'Die Websites von {{account}} können aus diesem Netzwerk nicht geöffnet werden.',
	},
};
