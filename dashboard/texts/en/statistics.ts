export const statistics = {
	title: 'Statistics',
} as const;
