/** What a statistics page asks for, in benches that time it. */
export const dimensions = [
	'source',
	'channel',
	'page',
	'entry_page',
	'exit_page',
	'country',
	'device',
	'browser',
	'os',
] as const;

export const metrics = [
	'visitors',
	'visits',
	'pageviews',
	'views_per_visit',
	'bounce_rate',
	'visit_duration',
] as const;
