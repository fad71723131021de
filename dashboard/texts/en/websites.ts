export const websites = {
	title: 'Websites',
} as const;
