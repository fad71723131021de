export const live = {
	title: 'Live',
	heading: 'Live: {{domain}}',
	here_one: 'current visitor',
	here_other: 'current visitors',
	lastHalfHour: 'Visitors in the last 30 minutes',
	visitors: 'Visitors',
	pageviews: 'Page views',
	time: 'Time',
	now: 'now',
	halfHourAgo: '30 minutes ago',
	quarterAgo: '15',
	pages: 'Pages',
	sources: 'Sources',
	countries: 'Countries',
	nobody: 'No current visitors. New visits appear here automatically.',
	noRows: 'No data yet',
	fewer:
		'To protect privacy, rows with fewer than 3 visitors are hidden and data is delayed by up to five minutes.',
	ways: {
		stream: 'Updates every 2 seconds',
		polling: 'Updates every 5 seconds (streaming is unavailable)',
	},
} as const;
