type LongRun = {
	description: string;
	/** Arguments of Node. */
	command: readonly string[];
	settings?: Record<string, string>;
	/** The lines of its output that are its result. */
	result: RegExp;
};

/** Test files, with larger samples than CI takes. */
const tests = (description: string, files: readonly string[], settings: Record<string, string>): LongRun => ({
	description,
	command: ['scripts/test.ts', ...files],
	settings,
	result: /^\d+ passed, \d+ failed/,
});

export const longRuns: Record<string, LongRun> = {
	changes: tests('2,000 questions about what changed', ['test/stats/changes'], { CHANGES_ROUNDS: '112' }),
	deletions: tests('2,000 queries while events are hidden, restored and deleted', ['test/stats/deletions'], {
		DELETION_ROUNDS: '96',
	}),
	faults: tests('50 runs of kills and freezes while hits arrive', ['test/faults/ingest'], {
		FAULT_RUNS: '50',
	}),
	hostile: tests('500 hostile values in every place of a query', ['test/threats/stats'], {
		HOSTILE_VALUES: '500',
	}),
	journeys: tests('2,000 random journeys', ['test/stats/journeys'], { JOURNEYS: '2000' }),
	jetstream: tests('50 runs of faults of a NATS server', ['test/faults/jetstream'], { FAULT_RUNS: '50' }),
	cluster: tests('50 runs of faults of a cluster', ['test/faults/cluster'], { FAULT_RUNS: '50' }),
	kills: tests('20 kills of all processes during changes', ['test/faults/kill'], { KILL_ROUNDS: '20' }),
	mail: tests(
		'200 rounds of killed senders and lost connections',
		['test/notify/mail/queue', 'test/reports/killed'],
		{ MAIL_ROUNDS: '200' },
	),
	overview: tests('2,000 lines of random overviews', ['test/stats/overview-questions'], {
		OVERVIEW_QUESTION_ROUNDS: '50',
	}),
	overload: tests('One website over its rate limit for 15 minutes', ['test/faults/overload'], {
		OVERLOAD_SECONDS: '300',
		OVERLOAD_TAIL_SECONDS: '600',
	}),
	power: tests('12 power failures', ['test/faults/disk'], { POWER_CUTS: '12' }),
	questions: tests('2,000 random queries, compared with an independent count', ['test/stats/questions'], {
		STATS_ROUNDS: '84',
	}),
	requests: tests('10,000 generated API requests', ['test/api/generated'], { GENERATED_REQUESTS: '10000' }),
	rolling: tests('20 rolling restarts at 1,000 hits per second', ['test/faults/rolling'], {
		ROLLING_RESTARTS: '20',
		ROLLING_SECONDS: '300',
		ROLLING_RATE: '1000',
	}),
	seals: tests('60 kills while days are sealed', ['test/faults/seal'], { SEAL_KILLS: '60' }),
	sabotage: {
		description: 'Plants each known fault and expects the tests to fail: [1/3], [words of its name]',
		command: ['scripts/sabotage.ts'],
		result: /faults were seen|^(MISSED|BROKEN)/,
	},
	shares: tests(
		'300 pairs of public queries that differ by one filter value',
		['test/threats/shares-pairs'],
		{
			SHARE_PAIRS: '300',
		},
	),
	soak: {
		description: 'A cluster under load with random faults: [minutes]',
		command: ['scripts/soak.ts'],
		result: /^faults: /,
	},
};

/** Files of bench/. */
export const benchmarks: Record<string, string> = {
	'access-log': 'Import of a web server log: [lines]',
	api: 'Management API with 100,000 websites and 1,000 accounts',
	capacity: 'Cost of an event and of a query for each part, and what four loads need: [seconds]',
	collect: 'Collection in one process and with two workers, beside a bare Fastify route: [seconds] [rounds]',
	collectors: 'Four collectors and one writer on one event log: [seconds]',
	dashboard: 'Statistics page in Chromium: first load, changed filter, layout shift: [rounds]',
	export: 'Export of events as Parquet over the API: [events] [rounds]',
	fairness:
		'10,000 websites while one gets ten times its rate limit: [seconds] [rate limit] [hits per second]',
	lighthouse: 'Lighthouse scores of the statistics page (npx downloads Lighthouse)',
	memory: 'Memory over time under a steady load: [minutes] [hits per second] [dashboards]',
	'open-day': 'Deriving the visits of today: whole, and what an incremental derivation would cost: [rounds]',
	overview: 'Overview of many websites over 90 days: [websites] [events per website today] [runs]',
	reports: 'Weekly reports of many websites, due at once: [websites] [hits per second]',
	seal: 'Time and memory of seals of different sizes: [millions of events]',
	small: 'Statistics page of a small website: CPU time and statements: [events in 30 days] [rounds]',
	'slow-disk': 'Acknowledgement times while every sync of PostgreSQL is slow: [seconds] [hits per second]',
	start: 'Start-up time and idle memory of the packed tarball: [starts]',
	stats: 'Statistics page at ten million events: [millions of events] [--grow]',
	storage: 'Bytes on disk per event: events, visits and totals, and each column of events',
	together: 'Statistics beside collection on one box: [seconds] [hits per second]',
	visits: 'Deriving visits from events: [millions of events]',
	workers: 'One worker against two: [seconds] [rounds]',
	writer: 'The writer alone, beside a bare insert of the same bytes: [events per round]',
};
