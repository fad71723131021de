import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import type { Event } from '../../server/ingest/event.ts';
import { assertProblem, assertStatus, freshDomain, runsMeta, websiteOf } from '../support/contract.ts';
import { seededRandom } from '../support/random.ts';
import { storeEvents } from '../support/stored-events.ts';
import { visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const now = new Date('2026-11-15T12:00:00.000Z');
const w = await world({ after }, { now: () => now });
const owner = await w.account({ timezone: 'UTC' });
const random = seededRandom();

const share = z.number().min(0).max(1).nullable();
const vitals = z.strictObject({
	data: z.array(
		z.strictObject({
			name: z.enum(['lcp', 'inp', 'cls']),
			samples: z.int(),
			p75: z.number().nullable(),
			good: share,
			needs_improvement: share,
			poor: share,
			thresholds: z.strictObject({ good: z.number(), poor: z.number() }),
			pages: z.array(z.strictObject({ page: z.string(), samples: z.int(), p75: z.number() })),
		}),
	),
	meta: runsMeta,
});
const properties = z.strictObject({
	data: z.array(z.strictObject({ name: z.string(), events: z.int() })),
	meta: runsMeta,
});

type Sent = Partial<Event> & { date: string };
type Vital = Sent & Pick<Event, 'lcp_ms' | 'inp_ms' | 'cls' | 'path' | 'time' | 'country' | 'device'>;

const make = async (form: Record<string, string> = {}) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...form } }), 201).id;

async function ask(id: number, query = '') {
	const answer = await owner.api('GET', `/websites/${id}/vitals${query}`);
	assertStatus(answer, 200);
	return vitals.parse(answer.json);
}
const filters = (json: unknown) => `filters=${encodeURIComponent(JSON.stringify(json))}`;

const vital = (date: string, of: Partial<Event>): Vital => ({
	kind: 'vital',
	name: 'vital',
	date,
	time: `${date} 10:00:00.000`,
	path: '/',
	country: 'DE',
	device: 'desktop',
	lcp_ms: 0,
	inp_ms: 0,
	cls: -1,
	...of,
});

/** What the answer must be, counted by hand. */
const thresholds = {
	lcp: { good: 2500, poor: 4000 },
	inp: { good: 200, poor: 500 },
	cls: { good: 0.1, poor: 0.25 },
};
const sampleOf = {
	lcp: ({ lcp_ms: ms }: Vital) => (ms > 0 ? ms : undefined),
	inp: ({ inp_ms: ms }: Vital) => (ms > 0 ? ms : undefined),
	cls: ({ cls }: Vital) => (cls >= 0 ? cls : undefined),
};
function percentile(samples: readonly number[]): number {
	// The least value that at least three of four samples do not exceed.
	const sorted = samples.toSorted((a, b) => a - b);
	const found = sorted.find(
		(value) => samples.filter((one) => one <= value).length * 4 >= samples.length * 3,
	);
	return found ?? Number.NaN;
}
function expected(events: readonly Vital[], least = 1) {
	return (['lcp', 'inp', 'cls'] as const).map((name) => {
		const measured = events.flatMap((event) => {
			const sample = sampleOf[name](event);
			return sample === undefined ? [] : [{ page: event.path, sample }];
		});
		const of = thresholds[name];
		const count = measured.length >= least ? measured.length : 0;
		const rate = (isIn: (sample: number) => boolean) =>
			count === 0 ? null : measured.filter(({ sample }) => isIn(sample)).length / count;
		const pages = [...Map.groupBy(measured, ({ page }) => page)]
			.map(([page, rows]) => ({
				page,
				samples: rows.length,
				p75: percentile(rows.map(({ sample }) => sample)),
			}))
			.filter(({ samples }) => samples >= least)
			.toSorted((a, b) => b.samples - a.samples || (a.page < b.page ? -1 : 1));
		return {
			name,
			samples: count,
			p75: count === 0 ? null : percentile(measured.map(({ sample }) => sample)),
			good: rate((sample) => sample <= of.good),
			needs_improvement: rate((sample) => sample > of.good && sample <= of.poor),
			poor: rate((sample) => sample > of.poor),
			thresholds: of,
			pages: pages.slice(0, 10),
		};
	});
}

const dates = ['2026-11-09', '2026-11-12', '2026-11-14', '2026-11-15'];
const many = Array.from({ length: 600 }, () => {
	const date = random.pick(dates);
	const hour = String(random.whole(12)).padStart(2, '0');
	return vital(date, {
		time: `${date} ${hour}:00:00.000`,
		path: `/page-${Math.floor(random.next() ** 2 * 14)}`,
		hostname: random.pick(['www.example.com', 'shop.example.com']),
		country: random.pick(['DE', 'FR', '']),
		device: random.pick(['desktop', 'mobile']),
		browser: random.pick(['Firefox', 'Chrome']),
		os: random.pick(['Linux', 'iOS']),
		// At the thresholds, beside them, and anywhere.
		lcp_ms: random.pick([0, 2499, 2500, 2501, 4000, 4001, 1 + random.whole(9000)]),
		inp_ms: random.pick([0, 0, 200, 201, 500, 501, 1 + random.whole(900)]),
		cls: random.pick([-1, 0, 0.1, 0.1001, 0.25, 0.2501, random.whole(5000) / 1e4]),
	});
});
const website = await make();
const others: Sent[] = [
	// What is no vital has no samples, whatever stands in its row.
	{ date: '2026-11-15', kind: 'pageview', name: 'pageview', path: '/page-1', cls: 0 },
	{ date: '2026-11-15', kind: 'engagement', name: 'engagement', engaged_ms: 900, cls: 0 },
	{ date: '2026-11-15', kind: 'custom', name: 'lcp', lcp_ms: 90 },
];
await storeEvents(w, website, [...many, ...others]);
await storeEvents(w, await make(), [vital('2026-11-15', { lcp_ms: 9, path: '/elsewhere' })]);

test('[C-VITAL-1] samples, 75th percentile, shares and pages are those of a count by hand', async (t) => {
	t.diagnostic(`SEED=${random.seed}`);
	const { data, meta: about } = await ask(website, '?period=7d');
	assert.deepEqual(data, expected(many));
	const { ms: _, rows_read: __, ...rest } = about;
	assert.deepEqual(rest, {
		from: '2026-11-09',
		to: '2026-11-15',
		timezone: 'UTC',
		as_of: '2026-11-15T12:00:00.000Z',
		answered_from: 'events',
		available_from: null,
		imported: null,
	});
});

test('[C-VITAL-1] a website that sends none has no samples', async () => {
	const { data, meta: about } = await ask(await make());
	assert.deepEqual(data, expected([]));
	assert.equal(about.answered_from, '');
});

test('[C-VITAL-2] the percentile is good exactly when three quarters of the samples are', async () => {
	for (const [samples, p75] of [
		[[2500], 2500],
		[[1, 2, 3, 4], 3],
		[[1, 2, 2500, 9000], 2500],
		[[1, 2, 2500, 9000, 9001], 9000],
		[[7, 7, 7, 7, 7, 8, 9, 9], 8],
	] as const) {
		const id = await make();
		await storeEvents(
			w,
			id,
			samples.map((ms) => vital('2026-11-15', { lcp_ms: ms })),
		);
		const [lcp] = (await ask(id)).data;
		assert.equal(lcp?.p75, p75, String(samples));
		assert.equal((lcp?.good ?? 0) >= 0.75, (lcp?.p75 ?? 0) <= 2500);
	}
});

test('[C-VITAL-3] the time, filters and segments choose samples', async () => {
	const check = async (query: string, isIn: (event: Vital) => boolean) =>
		assert.deepEqual((await ask(website, `?${query}`)).data, expected(many.filter(isIn)), query);
	await check('period=today', ({ date }) => date === '2026-11-15');
	await check(
		'period=custom&from=2026-11-10&to=2026-11-14',
		({ date }) => date > '2026-11-09' && date < '2026-11-15',
	);
	// The full hour 24 hours ago is 12:00 of the day before: nothing came so late.
	await check('period=24h', ({ date }) => date === '2026-11-15');
	await check(`period=7d&${filters(['is', 'page', ['/page-1', '/page-2']])}`, ({ path }) =>
		['/page-1', '/page-2'].includes(path),
	);
	await check(`period=7d&${filters(['is', 'country', ['']])}`, ({ country }) => country === '');
	await check(
		`period=7d&${filters(['and', ['not_contains', 'page', '-1'], ['or', ['is', 'device', 'mobile'], ['starts_with', 'browser', 'Fire']]])}`,
		({ path, device, browser }) => !path.includes('-1') && (device === 'mobile' || browser === 'Firefox'),
	);
	await check(`period=7d&${filters(['not', ['is', 'os', 'iOS']])}`, ({ os }) => os !== 'iOS');
	const segment = z.object({ data: z.object({ id: z.int() }) }).parse(
		(
			await owner.api('POST', `/websites/${website}/segments`, {
				json: { name: 'The shop', filters: ['is', 'hostname', ['shop.example.com']] },
			})
		).json,
	).data.id;
	await check(
		`period=7d&segment=${segment}&${filters(['is', 'country', 'FR'])}`,
		({ hostname, country }) => hostname === 'shop.example.com' && country === 'FR',
	);
});

test('[C-VITAL-4] a filter or segment that looks at visits is 422 and says what can be tested', async () => {
	for (const dimension of ['source', 'entry_page', 'city', 'event', 'property:plan', 'hour']) {
		const value = dimension === 'hour' ? 3 : 'x';
		const answer = await owner.api(
			'GET',
			`/websites/${website}/vitals?${filters(['or', ['is', 'page', '/'], ['not', ['is', dimension, value]]])}`,
		);
		assertProblem(answer, 'validation_failed', ['filters']);
		assert.match(answer.text, /filtered by page, hostname, country, device, browser, os, not by /);
	}
	const segment = await owner.api('POST', `/websites/${website}/segments`, {
		json: { name: 'Searching', filters: ['is', 'channel', ['Organic search']] },
	});
	const { id } = z.object({ data: z.object({ id: z.int() }) }).parse(segment.json).data;
	const answer = await owner.api(
		'GET',
		`/websites/${website}/vitals?segment=${id}&${filters(['is', 'page', '/'])}`,
	);
	assertProblem(answer, 'validation_failed', ['segment']);
});

for (const [query, fields] of [
	['?metrics=visits', ['metrics']],
	['?period=week', ['period']],
	['?filters=%5B', ['filters']],
	['?compare=previous&interval=day', ['compare', 'interval']],
] as const)
	test(`[C-VITAL-5] ${query} is 422`, async () => {
		assertProblem(await owner.api('GET', `/websites/${website}/vitals${query}`), 'validation_failed', fields);
	});

test('[C-VITAL-6] dates whose events were deleted are left out, and the answer says so', async () => {
	const id = await make();
	const events = ['2026-11-02', '2026-11-09', '2026-11-10', '2026-11-15'].map((date, index) =>
		vital(date, { lcp_ms: 1000 * (index + 1), path: `/${date}` }),
	);
	await storeEvents(w, id, events);
	await w.sql('UPDATE websites SET raw_from = $2 WHERE id = $1', [id, '2026-11-10']);
	const cut = await ask(id);
	assert.deepEqual(cut.data, expected(events.slice(2)));
	assert.equal(cut.meta.available_from, '2026-11-10');
	assert.equal((await ask(id, '?period=today')).meta.available_from, null);
});

test('[C-VITAL-6] what came before a reset is not told', async () => {
	const id = await make();
	await storeEvents(w, id, [vital('2026-11-15', { lcp_ms: 900 })]);
	assertStatus(await owner.api('POST', `/websites/${id}/reset`), 200);
	assert.equal((await ask(id)).data[0]?.samples, 0);
});

test('[C-VITAL-7] a share is shown nothing that stands for fewer than three samples', async () => {
	const id = await make();
	const events = [
		...[1, 2, 3].map((ms) => vital('2026-11-15', { lcp_ms: ms, path: '/three' })),
		...[4, 5].map((ms) => vital('2026-11-15', { lcp_ms: ms, inp_ms: ms, path: '/two' })),
	];
	await storeEvents(w, id, events);
	const answer = await visitor(() => w.base)('GET', `/websites/${id}/vitals`);
	assert.equal(answer.status, 200, answer.text);
	assert.deepEqual(vitals.parse(answer.json).data, expected(events, 3));
	assert.equal(answer.text.includes('/two'), false);
	assert.deepEqual((await ask(id)).data, expected(events));
});

test('[C-VITAL-8][T41] as a table: a row a vital and a row a page, formulas as text', async () => {
	const id = await make();
	await storeEvents(w, id, [
		vital('2026-11-15', { lcp_ms: 3000, cls: 0.1, path: '/a' }),
		vital('2026-11-15', { lcp_ms: 2000, path: '=1+1' }),
	]);
	const answer = await owner.api('GET', `/websites/${id}/vitals?period=today`, {
		headers: { accept: 'text/csv' },
	});
	assert.equal(answer.status, 200, answer.text);
	assert.equal(
		answer.text,
		[
			'vital,page,samples,p75,good,needs_improvement,poor',
			'lcp,,2,3000,0.5,0.5,0',
			'lcp,/a,1,3000,,,',
			"lcp,'=1+1,1,2000,,,",
			'inp,,0,,,,',
			'cls,,1,0.1,1,0,0',
			'cls,/a,1,0.1,,,',
			'',
		].join('\r\n'),
	);
	assert.match(String(answer.headers['content-disposition']), /-vitals-2026-11-15-2026-11-15\.csv"$/);
});

test('[C-VITAL-5] a website that the key cannot see is 404', async () => {
	const stranger = await w.account();
	for (const path of ['vitals?x=1', 'properties?x=1'])
		assertProblem(await stranger.api('GET', `/websites/${website}/${path}`), 'not_found');
});

const carrying = (date: string, kind: 'custom' | 'pageview', ...names: string[]): Sent => ({
	date,
	kind,
	name: kind === 'custom' ? 'order' : kind,
	properties: Object.fromEntries(names.map((name) => [name, 'value'])),
});

async function namesOf(id: number, query = '') {
	const answer = await owner.api('GET', `/websites/${id}/properties${query}`);
	assertStatus(answer, 200);
	return properties.parse(answer.json);
}

test('[C-PROP-1] the names that events and page views carried, the most frequent first', async () => {
	const id = await make();
	await storeEvents(w, id, [
		carrying('2026-11-15', 'custom', 'plan', 'it’s {p0:String}'),
		carrying('2026-11-15', 'custom', 'plan'),
		carrying('2026-11-14', 'custom', 'plan', 'author'),
		carrying('2026-11-14', 'pageview', 'author'),
		carrying('2026-11-01', 'custom', 'old'),
		carrying('2026-11-15', 'custom'),
	]);
	assert.deepEqual((await namesOf(id, '?period=7d')).data, [
		{ name: 'plan', events: 3 },
		{ name: 'author', events: 2 },
		{ name: 'it’s {p0:String}', events: 1 },
	]);
	assert.deepEqual((await namesOf(id, '?period=custom&from=2026-11-01&to=2026-11-01')).data, [
		{ name: 'old', events: 1 },
	]);
	const shared = await visitor(() => w.base)('GET', `/websites/${id}/properties?period=7d`);
	assert.deepEqual(properties.parse(shared.json).data, [{ name: 'plan', events: 3 }], '[C-PROP-3]');
});

test('[C-PROP-2] at most 100 names, and no parameter but the time', async () => {
	const id = await make();
	await storeEvents(
		w,
		id,
		Array.from({ length: 130 }, (_, n) => carrying('2026-11-15', 'custom', `name-${n}`)),
	);
	assert.equal((await namesOf(id)).data.length, 100);
	const refused = await owner.api('GET', `/websites/${id}/properties?filters=%5B%5D&metrics=visits`);
	assertProblem(refused, 'validation_failed', ['filters', 'metrics']);
});
