export const people = {
	title: 'People',
} as const;
