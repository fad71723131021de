export const signIn = {
	title: 'Sign in',
} as const;
