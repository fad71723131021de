/** Sign-in with identity providers (OpenID Connect). */
export const providers = {
	continue: 'Continue with {{provider}}',
	or: 'or',
	only: 'Sign in with the identity provider of your organization.',
	start: '{{provider}} cannot be reached. Try again later.',
	refusals: {
		expired: 'The sign-in took too long or was started in another browser or at another address. Try again.',
		denied: 'The provider did not sign you in. Try again or use another account.',
		unavailable: 'The provider cannot be reached. Try again later.',
		invalid:
			'The provider’s answer did not pass the security checks. Ask the operator of this server to check the log.',
		unverified: 'The provider has not verified your email address. Verify it there, then try again.',
		domain: 'Email addresses of this domain are not accepted. Use another account.',
		unknown:
			'You have no account here. Ask an account owner to invite the email address that you use with the provider.',
		disabled: 'Your account is disabled. Ask the operator of this server.',
		taken:
			'This provider account is already linked to someone else, or you have already linked a different one. Unlink that one first.',
	},
	proof: {
		title: 'Is this you?',
		link: '{{provider}} confirmed {{email}}, and an account with this address exists. Enter its password once to link {{provider}}.',
		code: 'Enter a code from your authenticator app, or a recovery code.',
		submit: 'Link and sign in',
		submitCode: 'Sign in',
		forgotten: 'If you have no password, set one with “Forgot your password?”.',
		taken: 'This account is already linked to a different {{provider}} account.',
	},
	account: {
		title: 'Identity providers',
		text: 'Sign in with an account that you have elsewhere.',
		linked: 'Linked {{made}}, last used {{used}}',
		none: 'Not linked',
		link: 'Link',
		unlink: 'Unlink',
		linkLabel: 'Link {{provider}}',
		unlinkLabel: 'Unlink {{provider}}',
		unlinkText: 'You can no longer sign in with {{provider}}, and lose the roles that its groups gave you.',
		onlyOne: 'This is your only way to sign in.',
		done: 'The provider is linked. You can sign in with it from now on.',
		noPassword:
			'You have no password. Some actions, such as linking a provider or creating an API key, require one.',
		noMail: 'Ask the operator of this server for a link to set a password.',
		setPassword: 'Email me a link to set a password',
		mailed: 'A link to set a password was sent to {{email}}.',
	},
	join: 'Your account is created when you sign in.',
} as const;
