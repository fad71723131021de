import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Event } from '../../server/ingest/event.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { type Filter, openPublicStatistics, type Page, type TableRow } from '../support/public-statistics.ts';
import { seededRandom } from '../support/random.ts';
import { sample } from '../support/sample.ts';
import { createLink, linkPage, type ShareLink } from '../support/share-links.ts';
import { storeEvents } from '../support/stored-events.ts';

const { w, owner } = await openPublicStatistics({ after });

/**
 * Random links and random requests on their pages. Each number that a link shows is the owner's own number for the same request
 * with the filter of the link, and no request gets beyond the panels and dates of the link. SEED repeats a run.
 */
const links = sample('SHARE_LINKS', 5, 60);
const requests = sample('SHARE_LINK_REQUESTS', 16, 60);
const random = seededRandom();
const dates = ['2026-11-03', '2026-11-04', '2026-11-05', '2026-11-06', '2026-11-07', '2026-11-08'];
const today = '2026-11-08';
const kinds = {
	country: ['DE', 'AT', 'CH'],
	browser: ['Firefox', 'Chrome'],
	source: ['', 'Google', 'Bing'],
	page: ['/blog/a', '/blog/b', '/'],
	event: ['buy', 'sign up'],
	hour: ['9', '10', '12'],
} as const;
type Kind = keyof typeof kinds;
/** Written by hand: the panel of each dimension. */
const panelOf: Record<Kind | 'city' | 'goal' | 'os', string> = {
	country: 'places',
	city: 'places',
	browser: 'devices',
	os: 'devices',
	source: 'sources',
	page: 'pages',
	event: 'conversions',
	goal: 'conversions',
	hour: 'hours',
};
// Object.keys forgets the names.
const dimensions = Object.keys(panelOf) as (keyof typeof panelOf)[];
const panels = ['sources', 'pages', 'places', 'devices', 'conversions', 'hours'];

const { id } = websiteOf(
	await owner.api('POST', '/websites', { form: { domain: freshDomain('r'), privacy: '1' } }),
	201,
);
const events = Array.from({ length: 400 }, (_, visitor): (Partial<Event> & { date: string })[] => {
	const date = random.pick(dates);
	const common = {
		date,
		visitor_id: String(visitor + 1),
		country: random.pick(kinds.country),
		city: random.pick(['Berlin', 'Wien', 'Bern']),
		browser: random.pick(kinds.browser),
		os: random.pick(['Linux', 'macOS']),
		source: random.pick(kinds.source),
	};
	const hour = random.pick([9, 10, 12]);
	return Array.from({ length: 1 + random.whole(3) }, (_, n) => ({
		...common,
		time: `${date} ${String(hour).padStart(2, '0')}:${String(2 + n * 3).padStart(2, '0')}:00.000`,
		path: random.pick(kinds.page),
		...(random.whole(4) === 0 && { kind: 'custom' as const, name: random.pick(kinds.event) }),
	}));
}).flat();
await storeEvents(
	w,
	id,
	events.map((event, n) => ({ ...event, event_id: String(n + 1) })),
);
const madeGoal = await owner.api('POST', `/websites/${id}/goals`, {
	json: { name: 'Buy', kind: 'event', pattern: 'buy' },
});
const goal = (madeGoal.json as { data: { id: number } }).data.id;

const some = <T>(list: readonly T[]): T[] => list.filter(() => random.whole(2) === 0);

/** Any operator: the filter of a link is fixed. */
function randomFixed(): Filter | null {
	const test = (): Filter => {
		const kind = random.pick(['country', 'browser', 'source', 'page', 'hour'] as const);
		switch (random.whole(4)) {
			case 0:
				return kind === 'page'
					? ['starts_with', 'page', ['/blog']]
					: ['is_not', kind, [random.pick(kinds[kind])]];
			case 1:
				return ['is_set', 'source'];
			default:
				return ['is', kind, [random.pick(kinds[kind])]];
		}
	};
	switch (random.whole(4)) {
		case 0:
			return null;
		case 1:
			return [random.pick(['and', 'or']), test(), test()];
		default:
			return test();
	}
}

async function randomLink(): Promise<ShareLink> {
	const [from = '', to = ''] = [random.pick(dates), random.pick(dates)].sort();
	const period = random.pick([{}, { from }, { to }, { from, to }, { last_days: 1 + random.whole(6) }]);
	return createLink(
		owner,
		{ id },
		{
			filters: randomFixed(),
			panels: random.whole(2) === 0 ? null : some(panels),
			...period,
		},
	);
}

type Query = Record<string, string>;

/** Anything that a visitor may send, whether the link shows it or not. */
function randomQuery(): Query {
	const kind = random.pick(Object.keys(kinds) as Kind[]);
	const own: Filter = [
		random.pick(['is', 'is', 'is_not', 'any_of', 'contains']),
		kind,
		some(kinds[kind]).slice(0, 2).concat(kinds[kind].slice(0, 1)) as string[],
	];
	const [from = '', to = ''] = [random.pick(dates), random.pick(dates)].sort();
	const period = random.pick<Query>([
		{ period: 'today' },
		{ period: '24h' },
		{ period: '7d' },
		{ period: 'all' },
		{ period: 'year' },
		{ period: 'month' },
		{ period: 'yesterday' },
		{ from, to },
		{ from: '2026-01-01', to: '2026-12-31' },
	]);
	const compare = random.pick<Query>([
		{},
		{},
		{ compare: 'previous' },
		{ compare: 'year' },
		{ compare: 'custom', compare_from: from, compare_to: to },
	]);
	return {
		...period,
		...compare,
		metrics: random.pick(['visitors,visits', 'visitors,visits', 'visitors,visits,revenue']),
		...(random.whole(2) === 0 && { filters: JSON.stringify(own) }),
		...(random.whole(4) === 0 && { goal: String(goal), metrics: 'visitors,visits,conversions' }),
	};
}

/** What the owner asks to get the same: the same dates, and both filters. */
function ownersQuery(
	link: ShareLink,
	sent: Query,
	{ from, to }: { from: string; to: string },
	isDay: boolean,
): Query {
	const { compare: _, compare_from: _from, compare_to: _to, period, ...rest } = sent;
	const own = sent.filters === undefined ? null : (JSON.parse(sent.filters) as Filter);
	const filters = own && link.filters ? ['and', link.filters, own] : (own ?? link.filters);
	const time: Query = period === '24h' && !isDay ? { period } : { period: 'custom', from, to };
	const { filters: _filters, ...others } = rest;
	return { ...others, ...time, ...(filters && { filters: JSON.stringify(filters) }) };
}

function limitsOf(link: ShareLink): { from: string; to: string } {
	const first = link.last_days === null ? link.from : dates.at(-link.last_days);
	return { from: first ?? '2000-01-01', to: link.to ?? '2099-01-01' };
}

type Answered = { data: Page['data']; meta: { from: string; to: string } };
const numbersOf = (row: object): [string, number][] =>
	Object.entries(row).filter(
		(entry): entry is [string, number] =>
			['visitors', 'visits', 'conversions'].includes(entry[0]) && typeof entry[1] === 'number',
	);

test(`[C-LINK-4][C-LINK-5][C-LINK-6][T160] a link shows nothing but the owner's numbers within its limits (SEED=${random.seed})`, async (t) => {
	let shown = 0;
	let refused = 0;
	for (let n = 0; n < links; n++) {
		const link = await randomLink();
		const page = linkPage(() => w.base, link);
		const limits = limitsOf(link);
		const isShown = (dimension: keyof typeof panelOf) =>
			link.panels === null || link.panels.includes(panelOf[dimension]);
		for (let each = 0; each < requests; each++) {
			const sent = randomQuery();
			const dimension = random.pick(dimensions);
			const what = JSON.stringify([link.filters, link.panels, limits, sent, dimension]);
			const isTable = random.whole(2) === 0;
			const { compare, compare_from, compare_to, ...table } = sent;
			const answer = await page(
				'GET',
				`/websites/${id}/stats${isTable ? `/${dimension}` : ''}?${new URLSearchParams(isTable ? table : { ...sent, interval: 'day' })}`,
			);
			// Its five seconds were too few on a busy machine.
			if (answer.status === 503) continue;
			const [, kind] = sent.filters === undefined ? [] : (JSON.parse(sent.filters) as [string, Kind]);
			const isHidden =
				(isTable && !isShown(dimension)) ||
				(kind !== undefined && !isShown(kind)) ||
				((sent.goal !== undefined || sent.metrics?.includes('revenue')) && !isShown('goal'));
			if (isHidden) assert.equal(answer.status, 422, `${what}: ${answer.text}`);
			if (answer.status !== 200) {
				assert.equal(answer.status, 422, `${what}: ${answer.text}`);
				refused++;
				continue;
			}
			const { data, meta } = answer.json as Answered;
			const span = isTable
				? (answer.json as { meta: { period: { from: string; to: string } } }).meta.period
				: meta;
			assert.ok(limits.from <= span.from && span.to <= limits.to, `${what}: ${span.from} to ${span.to}`);
			const isDay = limits.from >= '2026-11-08' || limits.to < today;
			const wanted = ownersQuery(link, sent, span, isDay || span.from === today);
			/**
			 * Of dates that are over, what is shown is exact. With a filter, today ends at the current hour. The last 24 hours may be cut to
			 * a part of yesterday.
			 */
			const isExact = span.to < today && sent.period !== '24h';
			const assertOwn = (number: number, its: object | undefined, metric: string, where: string) => {
				const own = (its as Record<string, unknown> | undefined)?.[metric] as number;
				assert.ok(isExact ? number === own : number <= own, `${what}: ${where}: ${number} of ${own}`);
				shown++;
			};
			const asOwner = async (query: Query) => {
				const { status, json, text } = await owner.api(
					'GET',
					`/websites/${id}/stats${isTable ? `/${dimension}` : ''}?${new URLSearchParams(query)}`,
				);
				assert.equal(status, 200, text);
				return json;
			};
			if (isTable) {
				const rows = (await asOwner({ ...wanted, per_page: '100' })) as { data: TableRow[] };
				for (const row of (answer.json as { data: TableRow[] }).data) {
					if (row.other) continue;
					const its = rows.data.find(({ value }) => value === row.value);
					assert.ok(its, `${what}: ${row.value}`);
					for (const [metric, number] of numbersOf(row)) assertOwn(number, its, metric, row.value);
				}
				continue;
			}
			const own = (await asOwner({ ...wanted, interval: 'day' })) as Answered;
			for (const [metric, number] of numbersOf(data.totals))
				assertOwn(number, own.data.totals, metric, 'in all');
			for (const point of data.series) {
				assert.ok(limits.from <= point.time.slice(0, 10) && point.time.slice(0, 10) <= limits.to, what);
				const its = own.data.series.find(({ time }) => time === point.time);
				for (const [metric, number] of numbersOf(point)) assertOwn(number, its, metric, point.time);
			}
			// A comparison lies within the dates too.
			for (const point of data.compared?.series ?? [])
				assert.ok(limits.from <= point.time.slice(0, 10) && point.time.slice(0, 10) <= limits.to, what);
		}
		await owner.api('DELETE', `/websites/${id}/share-links/${link.id}`);
	}
	t.diagnostic(`${links} links, ${shown} numbers compared, ${refused} requests refused`);
	assert.ok(shown > links * 5 && refused > links, `${shown} ${refused}`);
});

const isFew = (count: number) => count === 1 || count === 2;
const filtersOf = (filter: Filter) => new URLSearchParams({ filters: JSON.stringify(filter) });
/** Ten visitors of one kind, and so many of the same kind who also visited another page. */
async function visited(groups: readonly (Partial<Event> & { visitors: number })[]): Promise<{ id: number }> {
	const website = websiteOf(
		await owner.api('POST', '/websites', { form: { domain: freshDomain('d'), privacy: '1' } }),
		201,
	);
	const list = groups.flatMap(({ visitors, ...event }) =>
		Array.from({ length: visitors }, () => ({ date: '2026-11-05', ...event })),
	);
	await storeEvents(
		w,
		website.id,
		list.map((event, n) => ({ ...event, visitor_id: String(n + 1), event_id: String(n + 1) })),
	);
	return website;
}
const shownVisitors = async (link: ShareLink, website: { id: number }, more = ''): Promise<number | null> => {
	const answer = await linkPage(() => w.base, link)('GET', `/websites/${website.id}/stats?period=7d&${more}`);
	assert.equal(answer.status, 200, answer.text);
	return (answer.json as Page).data.totals.visitors;
};

test('[C-LINK-13][T166] thresholds apply to the filter of a link as to one that is sent', async () => {
	const website = await visited([
		{ visitors: 2, country: 'DE' },
		{ visitors: 10, country: 'AT' },
		{ visitors: 10, country: 'CH', path: '/x' },
		{ visitors: 1, country: 'CH' },
	]);
	const shown = async (filters: Filter | null) =>
		shownVisitors(await createLink(owner, website, { filters }), website);
	assert.equal(await shown(null), 23);
	assert.equal(await shown(['is', 'country', ['DE']]), null);
	assert.equal(await shown(['is_not', 'country', ['DE']]), null);
	assert.equal(await shown(['is', 'country', ['AT']]), 10);
	// Everyone from Switzerland but one: the public page shows how many there are.
	assert.equal(await shown(['and', ['is', 'country', ['CH']], ['is', 'page', ['/x']]]), null);
	const link = await createLink(owner, website, { filters: ['is', 'country', ['CH']] });
	assert.equal(await shownVisitors(link, website), 11);
	assert.equal(await shownVisitors(link, website, String(filtersOf(['is', 'page', ['/x']]))), null);
});

test('[C-LINK-13][T166] two links with similar filters do not differ by one or two people', async () => {
	const website = await visited([
		{ visitors: 10, path: '/blog/a' },
		{ visitors: 1, path: '/blog/secret' },
		{ visitors: 9, path: '/shop' },
	]);
	const wide = await createLink(owner, website, { filters: ['starts_with', 'page', ['/blog']] });
	assert.equal(await shownVisitors(wide, website), 11);
	const narrow = await createLink(owner, website, { filters: ['starts_with', 'page', ['/blog/a']] });
	const both = [await shownVisitors(wide, website), await shownVisitors(narrow, website)];
	assert.ok(both.includes(null), `${both}: they differ by one person`);
	const rows = async (link: ShareLink) =>
		(
			(
				await linkPage(() => w.base, link)(
					'GET',
					`/websites/${website.id}/stats/page?period=7d&metrics=visitors`,
				)
			).json as { data: TableRow[] }
		).data;
	for (const link of [wide, narrow])
		for (const { value, visitors } of await rows(link))
			assert.ok(!isFew(visitors ?? 0), `${value} ${visitors}`);
	// A link that selects others says nothing about these.
	await owner.api('DELETE', `/websites/${website.id}/share-links/${narrow.id}`);
	const shop = await createLink(owner, website, { filters: ['starts_with', 'page', ['/shop']] });
	assert.deepEqual([await shownVisitors(wide, website), await shownVisitors(shop, website)], [11, 9]);
});

test('[C-LINK-13][T166] links that compare whole values do not differ by one or two people either', async () => {
	const website = await visited([
		{ visitors: 10, country: 'DE', path: '/de' },
		{ visitors: 10, country: 'FR', path: '/fr' },
		{ visitors: 1, country: 'US', path: '/de' },
	]);
	const shownBy = async (...filters: Filter[]) => {
		const links = await Promise.all(filters.map((each) => createLink(owner, website, { filters: each })));
		const numbers = await Promise.all(links.map((link) => shownVisitors(link, website)));
		for (const { id } of links) await owner.api('DELETE', `/websites/${website.id}/share-links/${id}`);
		return numbers;
	};
	const german: Filter = ['is', 'country', ['DE']];
	const notFrench: Filter = ['is_not', 'country', ['FR']];
	const germanPage: Filter = ['is', 'page', ['/de']];
	for (const other of [notFrench, germanPage]) {
		const numbers = await shownBy(german, other);
		assert.ok(numbers.includes(null), `${numbers}: they differ by one person`);
	}
	// One link per country: nobody is in two of them.
	assert.deepEqual(await shownBy(german, ['is', 'country', ['FR']]), [10, 10]);
});
