export const exports = {
	title: 'Export',
	text: 'Download all stored data of this website. The columns are described in the documentation.',
	what: {
		label: 'Data',
		events: 'Events (raw)',
		visits: 'Visits (completed days)',
		totals: 'Daily totals (completed days)',
	},
	format: {
		label: 'Format',
		parquet: 'Parquet (databases, notebooks)',
		csv: 'CSV (spreadsheets)',
		ndjson: 'NDJSON (one JSON object per line)',
	},
	from: 'From',
	to: 'To',
	dates: 'Leave empty to export everything.',
	order: 'The end date is before the start date.',
	button: 'Download',
	begun: 'Download started. Large files take a while.',
} as const;
