/** Of the part of the room about data that gives files. */
export const exports = {
	title: 'Take your data with you',
	text: 'All that was kept of this website as a file, event by event or counted. The columns are described in the documentation.',
	what: {
		label: 'What',
		events: 'Events: everything that was counted, one by one',
		visits: 'Visits of finished days',
		totals: 'Totals by day, of finished days',
	},
	format: {
		label: 'Format',
		parquet: 'Parquet, for databases and notebooks',
		csv: 'CSV, for spreadsheets',
		ndjson: 'NDJSON, a line of JSON each',
	},
	from: 'From',
	to: 'To',
	dates: 'Empty: all there is.',
	order: 'The end is before the beginning.',
	button: 'Download',
	begun: 'The download has begun. A large file takes a while.',
} as const;
