import type { Report } from '../../server/reports/report.ts';

const day = 86_400_000;
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** A report as it could be, the same each time. Only what matters needs to be said. */
export function sampleReport({
	website,
	...over
}: Partial<Omit<Report, 'website'>> & { website?: Partial<Report['website']> } = {}): Report {
	const kind = over.kind ?? 'week';
	const [from, to] = kind === 'week' ? ['2026-11-09', '2026-11-15'] : ['2026-10-01', '2026-10-31'];
	const days = (Date.parse(to) - Date.parse(from)) / day + 1;
	const daily = (index: number) => [182, 231, 204, 197, 168, 96, 126][index % 7] ?? 0;
	const earlier = (index: number) => [171, 164, 188, 201, 142, 102, 107][index % 7] ?? 0;
	return {
		website: { id: 42, name: 'example.com', domain: 'example.com', timezone: 'Europe/Berlin', ...website },
		kind,
		from,
		to,
		before:
			kind === 'week' ? { from: '2026-11-02', to: '2026-11-08' } : { from: '2026-09-01', to: '2026-09-30' },
		isProvisional: false,
		madeAt: '2026-11-16T06:00:00.000Z',
		totals: {
			visitors: { now: 1204, before: 1075, yearAgo: 1241 },
			visits: { now: 1390, before: 1252, yearAgo: 1390 },
			pageviews: { now: 3871, before: 3604, yearAgo: 2950 },
			bounce_rate: { now: 0.413, before: 0.438, yearAgo: 0.389 },
			visit_duration: { now: 138, before: 131, yearAgo: null },
		},
		revenue: { now: { EUR: 4047.5 }, before: { EUR: 3510 }, yearAgo: null },
		series: Array.from({ length: days }, (_, index) => ({
			day: dateOf(Date.parse(from) + index * day),
			visitors: daily(index),
			before: kind === 'month' && index === 30 ? null : earlier(index),
		})),
		pages: [
			{ value: '/', visitors: 612, before: 580 },
			{ value: '/pricing', visitors: 311, before: 214 },
			{ value: '/blog/counting-without-cookies', visitors: 240, before: 0 },
			{ value: '/docs/install', visitors: 154, before: 171 },
			{ value: '/about', visitors: 61, before: 61 },
		],
		sources: [
			{ value: '', visitors: 498, before: 470 },
			{ value: 'Google', visitors: 377, before: 391 },
			{ value: 'Hacker News', visitors: 184, before: 12 },
			{ value: 'Mastodon', visitors: 66, before: null },
		],
		countries: [
			{ value: 'DE', visitors: 522, before: 480 },
			{ value: 'US', visitors: 251, before: 240 },
			{ value: 'FR', visitors: 133, before: 120 },
			{ value: 'JP', visitors: 74, before: 80 },
			{ value: '', visitors: 9, before: 4 },
		],
		goals: [
			{ name: 'Sign-up', conversions: 48, rate: 0.0345, before: 41, revenue: { EUR: 4047.5 } },
			{ name: 'Download', conversions: 31, rate: 0.0223, before: 36 },
		],
		explained: {
			...{ metric: 'visitors', currency: null, current: 1204, compared: 1075, difference: 129 },
			isDivided: true,
			cause: {
				...{ dimension: 'source', value: 'Hacker News', difference: 172 },
				within: { dimension: 'entry_page', value: '/pricing', difference: 97 },
			},
		},
		risen: [
			{ kind: 'page', value: '/blog/counting-without-cookies', visitors: 240, before: 0 },
			{ kind: 'source', value: 'Hacker News', visitors: 184, before: 12 },
		],
		fallen: [{ kind: 'page', value: '/docs/install', visitors: 154, before: 171 }],
		...over,
	};
}

/** As the job that makes reports writes it down. */
export async function storeReport(
	w: { sql(text: string, values: unknown[]): Promise<unknown> },
	accountId: number,
	report: Report,
): Promise<void> {
	const { website, kind, from, to, isProvisional, madeAt } = report;
	await w.sql(
		`INSERT INTO reports (account_id, website_id, kind, from_day, to_day, zone, is_provisional, content, awaits_digest, made_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, false, $9)`,
		[accountId, website.id, kind, from, to, website.timezone, isProvisional, JSON.stringify(report), madeAt],
	);
}
