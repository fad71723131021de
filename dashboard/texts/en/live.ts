export const live = {
	title: 'Live',
	heading: 'Live: {{domain}}',
	here_one: 'visitor in the last 5 minutes',
	here_other: 'visitors in the last 5 minutes',
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
	nobody: 'Nobody is here right now. As soon as somebody opens a page, it shows here by itself.',
	noRows: 'Nothing yet',
	fewer:
		'Rows with fewer than 3 visitors are not shown, and the picture is up to five minutes old, so that it is about nobody in particular.',
	ways: {
		stream: 'Changes by itself, within 2 seconds',
		polling: 'Asked for every 5 seconds, because the stream does not come through',
	},
} as const;
