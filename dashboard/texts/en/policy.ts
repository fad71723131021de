/** What an account requires of people who work with it. */
export const policy = {
	title: 'Sign-in policy',
	text: 'For owners of this account and members of its websites. Collection is not affected.',
	signIn: 'Required sign-in',
	rules: { any: 'Any', second_factor: 'Second factor', provider: 'Identity provider' },
	idle: 'Sign out after inactivity',
	longest: 'Sign in again after',
	default: '{{duration}} (default)',
	networks: 'Allowed networks',
	networksHint:
		'For the dashboard and API keys. One per line. Your address is {{address}}. Leave empty to allow all.',
	networksFault: 'The list must contain your address {{address}}, and only IP addresses and networks.',
	needs: {
		second_factor:
			'Turn on two-factor authentication or sign in with a passkey first, so that you do not lock yourself out.',
		provider: 'Sign in with your identity provider first, so that you do not lock yourself out.',
	},
	service: 'The operator of this server also has a policy for all accounts. The stricter one applies.',
	submit: 'Save policy',
	saved: 'The policy is saved.',
	refused: {
		second_factor_required: 'This account requires a second factor.',
		provider_required:
			'This account requires sign-in with an identity provider. Sign out, and sign in with it.',
		network_not_allowed:
			'Access from this network is not allowed. Ask an owner of the account, or the operator of this server.',
	},
	setUp: 'Set up a second factor',
	useFactor: 'Sign out, and sign in with your second factor.',
	link: 'Link a provider',
	elsewhere: {
		second_factor_required: 'The websites of {{account}} require a second factor.',
		provider_required: 'The websites of {{account}} require sign-in with an identity provider.',
		network_not_allowed: 'The websites of {{account}} cannot be opened from this network.',
	},
} as const;
