export const warnings = {
	otherAddress:
		'You opened {{here}}, but the public URL is {{address}}. Snippets and links use the public URL.',
	proxyWarning:
		'Tidemark is behind a proxy that is not trusted, so all visitors appear to have the proxy’s IP address. Set TIDEMARK_TRUSTED_PROXIES={{proxy}} and restart the server.',
	proxyPerhaps:
		'Some requests contain an untrusted X-Forwarded-For header. If Tidemark runs behind your proxy, set TIDEMARK_TRUSTED_PROXIES to the proxy’s address and restart the server. Otherwise you can ignore this.',
	unconfirmed: {
		text: 'Confirm your email address with the link sent to {{email}}. Until then, you cannot receive reports, alerts or transferred websites.',
		noMail:
			'Your email address {{email}} is not confirmed, so you cannot receive reports, alerts or transferred websites. Ask the server operator to confirm it.',
		again: 'Resend confirmation',
		sent: 'Confirmation sent to {{email}}.',
	},
} as const;
