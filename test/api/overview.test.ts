import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { client } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { storeEvents } from '../support/stored-events.ts';
import { type TestAccount, world } from '../support/world.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const w = await world({ after }, { now: () => now });

const number = z.number().nonnegative().nullable();
const usual = {
	visitors: number,
	visits: number,
	pageviews: number,
	bounce_rate: number,
	visit_duration: number,
};
const changes = z.strictObject({
	visitors: z.number().nullable(),
	visits: z.number().nullable(),
	pageviews: z.number().nullable(),
	bounce_rate: z.number().nullable(),
	visit_duration: z.number().nullable(),
});
const totals = { ...usual, change: z.number().min(-1).nullable(), changes: changes.nullable() };
const schema = z.strictObject({
	data: z.array(
		z.strictObject({
			id: z.int(),
			domain: z.string(),
			favorite: z.union([z.literal(0), z.literal(1)]),
			labels: z.array(z.string()),
			timezone: z.string(),
			privacy: z.literal([0, 1, 2]),
			last_date: z.iso.date().nullable(),
			now: z.int(),
			from: z.iso.date(),
			to: z.iso.date(),
			...totals,
			compared: z.strictObject({ from: z.iso.date(), to: z.iso.date(), ...usual }).nullable(),
			sparkline: z.array(z.int()),
		}),
	),
	links: z.strictObject({
		first: z.url(),
		last: z.url(),
		prev: z.url().nullable(),
		next: z.url().nullable(),
	}),
	meta: z.strictObject({
		current_page: z.number(),
		from: z.number().nullable(),
		last_page: z.number(),
		path: z.url(),
		per_page: z.number(),
		to: z.number().nullable(),
		total: z.number(),
		totals: z.strictObject({
			...totals,
			compared: z.strictObject(usual).nullable(),
			now: z.int(),
			sparkline: z.array(z.int()),
		}),
		labels: z.array(z.string()),
		interval: z.literal(['day', 'week', 'month']),
		as_of: z.string(),
		ms: z.int(),
	}),
});

async function ask(api: TestAccount['api'], query = '') {
	const answer = await api('GET', `/stats${query}`);
	assertStatus(answer, 200);
	return schema.parse(answer.json);
}
const domains = async (account: TestAccount, query: string) =>
	(await ask(account.api, query)).data.map(({ domain }) => domain);

/** A visitor on each of these dates, at 08:00 UTC, with one page view. */
const visitors = (website: Website, dates: readonly string[]) =>
	storeEvents(
		w,
		website.id,
		dates.map((date) => ({ date, time: `${date} 08:00:00.000` })),
	);

const create = async (account: TestAccount, domain: string, form: Record<string, string> = {}) =>
	websiteOf(await account.api('POST', '/websites', { form: { domain, ...form } }), 201);
const put = async (account: TestAccount, { id }: Website, path: string, json: object) =>
	assertStatus(await account.api('PUT', `/websites/${id}${path}`, { json }), 200);

/** Three websites: with 1, 3 and no visitors this week, and with 2, 2 and none in the week before. */
const account = await w.account({ timezone: 'UTC' });
const small = await create(account, 'small.example');
const large = await create(account, 'large.example', { timezone: 'Asia/Kathmandu' });
const empty = await create(account, 'empty.example');
await put(account, small, '/settings', { labels: ['shop', 'Berlin'] });
await put(account, large, '/settings', { labels: ['shop'] });
await put(account, large, '', { favorite: 1, privacy: 2, password: 'tide' });
await visitors(small, ['2026-11-15', '2026-11-02', '2026-11-03']);
await visitors(large, ['2026-11-09', '2026-11-09', '2026-11-12', '2026-11-02', '2026-11-08', '2026-10-31']);

test('[C-OVER-1] each website with its numbers, the change and a line; all of them together in meta', async () => {
	const { data, meta, links } = await ask(account.api);
	assert.deepEqual(data, [
		{
			id: large.id,
			domain: 'large.example',
			favorite: 1,
			labels: ['shop'],
			timezone: 'Asia/Kathmandu',
			privacy: 2,
			last_date: '2026-11-12',
			now: 0,
			from: '2026-11-09',
			to: '2026-11-15',
			visitors: 3,
			visits: 3,
			pageviews: 3,
			bounce_rate: 1,
			visit_duration: 0,
			change: 0.5,
			compared: {
				from: '2026-11-02',
				to: '2026-11-08',
				visitors: 2,
				visits: 2,
				pageviews: 2,
				bounce_rate: 1,
				visit_duration: 0,
			},
			changes: { visitors: 1, visits: 1, pageviews: 1, bounce_rate: 0, visit_duration: 0 },
			sparkline: [2, 0, 0, 1, 0, 0, 0],
		},
		{
			id: small.id,
			domain: 'small.example',
			favorite: 0,
			labels: ['shop', 'Berlin'],
			timezone: 'UTC',
			privacy: 0,
			last_date: '2026-11-15',
			now: 0,
			from: '2026-11-09',
			to: '2026-11-15',
			visitors: 1,
			visits: 1,
			pageviews: 1,
			bounce_rate: 1,
			visit_duration: 0,
			change: -0.5,
			compared: {
				from: '2026-11-02',
				to: '2026-11-08',
				visitors: 2,
				visits: 2,
				pageviews: 2,
				bounce_rate: 1,
				visit_duration: 0,
			},
			changes: { visitors: -1, visits: -1, pageviews: -1, bounce_rate: 0, visit_duration: 0 },
			sparkline: [0, 0, 0, 0, 0, 0, 1],
		},
		{
			id: empty.id,
			domain: 'empty.example',
			favorite: 0,
			labels: [],
			timezone: 'UTC',
			privacy: 0,
			last_date: null,
			now: 0,
			from: '2026-11-09',
			to: '2026-11-15',
			visitors: 0,
			visits: 0,
			pageviews: 0,
			bounce_rate: null,
			visit_duration: null,
			change: null,
			compared: {
				from: '2026-11-02',
				to: '2026-11-08',
				visitors: 0,
				visits: 0,
				pageviews: 0,
				bounce_rate: null,
				visit_duration: null,
			},
			changes: { visitors: 0, visits: 0, pageviews: 0, bounce_rate: null, visit_duration: null },
			sparkline: [0, 0, 0, 0, 0, 0, 0],
		},
	]);
	const { ms: _, ...about } = meta;
	assert.deepEqual(about, {
		current_page: 1,
		from: 1,
		last_page: 1,
		path: `${w.publicUrl}/api/v1/stats`,
		per_page: 10,
		to: 3,
		total: 3,
		totals: {
			visitors: 4,
			visits: 4,
			pageviews: 4,
			bounce_rate: 1,
			visit_duration: 0,
			change: 0,
			compared: { visitors: 4, visits: 4, pageviews: 4, bounce_rate: 1, visit_duration: 0 },
			changes: { visitors: 0, visits: 0, pageviews: 0, bounce_rate: 0, visit_duration: 0 },
			now: 0,
			sparkline: [2, 0, 0, 1, 0, 0, 1],
		},
		labels: ['Berlin', 'shop'],
		interval: 'day',
		as_of: '2026-11-15T09:30:00.000Z',
	});
	assert.equal(links.first, `${w.publicUrl}/api/v1/stats?page=1`);
});

test('[C-OVER-3] the time is that of each website’s calendar, and can be chosen', async () => {
	const at = async (query: string) =>
		(await ask(account.api, `${query}&sort_by=id&sort=asc`)).data.map(({ from, to, visitors: n }) => [
			from,
			to,
			n,
		]);
	assert.deepEqual(await at('?period=custom&from=2026-11-02&to=2026-11-02'), [
		['2026-11-02', '2026-11-02', 1],
		['2026-11-02', '2026-11-02', 1],
		['2026-11-02', '2026-11-02', 0],
	]);
	assert.deepEqual(await at('?period=all'), [
		['2026-11-02', '2026-11-15', 3],
		['2026-10-31', '2026-11-15', 6],
		['2026-11-15', '2026-11-15', 0],
	]);
	const year = await ask(account.api, '?period=12months&sort_by=id&sort=asc');
	assert.equal(year.meta.interval, 'month');
	assert.deepEqual(year.data[1]?.sparkline, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 5]);
});

test('[C-OVER-4] search, favorite and label choose websites, and only those are in the totals', async () => {
	assert.deepEqual(await domains(account, '?search=LARGE'), ['large.example']);
	assert.deepEqual(await domains(account, '?favorite=1'), ['large.example']);
	assert.deepEqual(await domains(account, '?favorite=0'), ['small.example', 'empty.example']);
	assert.deepEqual(await domains(account, '?label=shop'), ['large.example', 'small.example']);
	assert.deepEqual(await domains(account, '?label=Berlin&search=s'), ['small.example']);
	assert.deepEqual(await domains(account, `?websites=${small.id}, ${empty.id}`), [
		'small.example',
		'empty.example',
	]);
	assert.deepEqual(await domains(account, `?websites=${small.id},${empty.id}&label=shop`), ['small.example']);
	for (const query of ['?label=Berlin&label=shop', '?label=Berlin,shop', '?label=&label[]=shop'])
		assert.deepEqual(await domains(account, query), ['large.example', 'small.example'], query);
	assert.deepEqual(await domains(account, `?websites=${small.id}&websites=${empty.id}`), [
		'small.example',
		'empty.example',
	]);
	assert.deepEqual(await domains(account, '?label=berlin'), []);
	assert.deepEqual(await domains(account, '?label=%27%22%5C'), []);
	const { meta } = await ask(account.api, '?label=Berlin');
	assert.equal(meta.total, 1);
	assert.deepEqual(meta.labels, ['Berlin', 'shop']);
	assert.equal(meta.totals.visitors, 1);
	const none = await ask(account.api, '?search=nowhere');
	assert.deepEqual(none.data, []);
	assert.equal(none.meta.totals.visitors, 0);
	assert.equal(none.meta.totals.change, null);
});

test('[C-OVER-5] sorted by visitors, change, domain or id; what has no value comes last', async () => {
	for (const [query, order] of [
		['', ['large', 'small', 'empty']],
		['?sort=asc', ['empty', 'small', 'large']],
		['?sort_by=change', ['large', 'small', 'empty']],
		['?sort_by=change&sort=asc', ['small', 'large', 'empty']],
		['?sort_by=domain&sort=asc', ['empty', 'large', 'small']],
		['?sort_by=domain', ['small', 'large', 'empty']],
		['?sort_by=id', ['empty', 'large', 'small']],
		['?sort_by=id&sort=asc', ['small', 'large', 'empty']],
		['?sort_by=id&sort=asc&favorites_first=1', ['large', 'small', 'empty']],
		['?sort=asc&favorites_first=1', ['large', 'empty', 'small']],
		['?sort=asc&favorites_first=0', ['empty', 'small', 'large']],
		// All have one visitor, or none: in the order of ids.
		['?period=custom&from=2026-11-02&to=2026-11-02', ['small', 'large', 'empty']],
	] as const)
		assert.deepEqual(
			(await domains(account, query)).map((domain) => domain.replace('.example', '')),
			order,
			query,
		);
});

test('[C-OVER-6] a page at a time, with links that keep what was asked for', async () => {
	const many = await w.account({ timezone: 'UTC' });
	for (let n = 0; n < 12; n++) await create(many, freshDomain());
	const first = await ask(many.api, '?sort_by=domain&period=today&page=1');
	assert.equal(first.data.length, 10);
	assert.equal(first.meta.last_page, 2);
	assert.equal(first.links.next, `${w.publicUrl}/api/v1/stats?period=today&sort_by=domain&page=2`);
	const second = await ask(many.api, '?sort_by=domain&period=today&page=2');
	assert.equal(second.data.length, 2);
	assert.equal(new Set([...first.data, ...second.data].map(({ id }) => id)).size, 12);
	const past = await ask(many.api, '?page=7');
	assert.deepEqual([past.data.length, past.meta.from, past.meta.total], [0, null, 12]);
	assert.equal((await ask(many.api, '?per_page=25')).data.length, 12);
});

for (const [query, fields] of [
	['?lable=shop', ['lable']],
	['?period=week', ['period']],
	['?from=2026-11-01', ['to']],
	['?period=7d&from=2026-11-01', ['from']],
	['?sort_by=pages&sort=up', ['sort_by', 'sort']],
	['?per_page=11&page=-1', ['per_page', 'page']],
	['?favorite=2', ['favorite']],
	['?label=%00', ['label']],
	['?favorites_first=yes', ['favorites_first']],
	['?websites=1,x', ['websites']],
	['?websites=0', ['websites']],
	[`?websites=${Array.from({ length: 1_001 }, (_, n) => n + 1).join()}`, ['websites']],
	['?search_by=domain', ['search_by']],
	['?period=custom&from=2026-11-02&to=2026-11-01', ['to']],
	['?metrics=visitors,people', ['metrics']],
	['?metrics=conversions', ['metrics']],
	['?sort_by=conversion_rate', ['sort_by']],
	['?compare=custom&compare_from=2026-11-02', ['compare_to']],
	['?compare=none&match_weekdays=1', ['match_weekdays']],
	['?compare=none&sort_by=visits_change', ['sort_by']],
	['?compare=none&sort_by=change', ['sort_by']],
	['?segment=1', ['segment']],
	['?filters=country', ['filters']],
	['?filters=["is","color",["red"]]', ['filters']],
	['?filters=["is","goal",[1]]', ['filters']],
	['?filters=["not",["is","page_group",["/"]]]', ['filters']],
	['?filters=["not",["and",["is_set","goal"]]]', ['filters']],
] as const)
	test(`[C-OVER-7] ${query.slice(0, 60)} is 422, also without any website`, async () => {
		assertProblem(await account.api('GET', `/stats${query}`), 'validation_failed', fields);
		const nobodys = await w.account();
		assertProblem(await nobodys.api('GET', `/stats${query}`), 'validation_failed', fields);
	});

test('[C-OVER-8] only websites of the account, and of a limited key only those that it may see', async () => {
	const other = await w.account({ timezone: 'UTC' });
	assert.deepEqual((await ask(other.api)).data, []);
	const { key } = await w.key(account, { access: 'read', websites: [small.id, empty.id] });
	const limited = await ask(client(w.base, key));
	assert.deepEqual(
		limited.data.map(({ id }) => id),
		[small.id, empty.id],
	);
	assert.equal(limited.meta.totals.visitors, 1);
	assert.deepEqual(limited.meta.labels, ['Berlin', 'shop']);
	const { key: narrow } = await w.key(account, { access: 'read', websites: [empty.id] });
	assert.deepEqual((await ask(client(w.base, narrow))).meta.labels, []);
	const named = await ask(client(w.base, key), `?websites=${large.id},${small.id}`);
	assert.deepEqual(
		named.data.map(({ id }) => id),
		[small.id],
	);
	assert.deepEqual((await ask(other.api, `?websites=${small.id}`)).data, []);
	assert.deepEqual((await ask(other.api)).meta.labels, []);
});

test('[C-OVER-9] who is there now is who was active in the last 5 minutes, since the website was emptied', async () => {
	const own = await w.account({ timezone: 'UTC' });
	const [first, second] = [await create(own, freshDomain()), await create(own, freshDomain())];
	const at = (time: string, visitor: string, kind: 'pageview' | 'custom' | 'engagement' = 'pageview') => ({
		date: '2026-11-15',
		time: `2026-11-15 ${time}`,
		visitor_id: visitor,
		kind,
	});
	await storeEvents(w, first.id, [
		at('09:25:00.000', '1'),
		at('09:29:00.000', '1'),
		at('09:30:00.000', '2', 'custom'),
		at('09:24:59.999', '3'),
		at('09:30:00.001', '4'),
		at('09:28:00.000', '5', 'engagement'),
		at('09:28:00.000', '0'),
	]);
	await storeEvents(w, second.id, [at('09:29:59.000', '1'), at('08:00:00.000', '9')]);
	const now = async (query = '') => {
		const { data, meta } = await ask(own.api, `?sort_by=id&sort=asc${query}`);
		return [...data.map((line) => line.now), meta.totals.now];
	};
	assert.deepEqual(await now(), [2, 1, 3]);
	// Of now, whatever the time that is asked for.
	assert.deepEqual(await now('&period=custom&from=2026-11-01&to=2026-11-02'), [2, 1, 3]);
	const live = z.object({ data: z.object({ visitors: z.number() }) });
	for (const [website, visitors] of [
		[first, 2],
		[second, 1],
	] as const)
		assert.equal(
			live.parse((await own.api('GET', `/websites/${website.id}/live`)).json).data.visitors,
			visitors,
		);
	assertStatus(await own.api('POST', `/websites/${first.id}/reset`), 200);
	assert.deepEqual(await now(), [0, 1, 1]);
});

test('[C-OVER-2] what comes is there in the next answer, and what is emptied is gone', async () => {
	const own = await w.account({ timezone: 'UTC' });
	const website = await create(own, freshDomain());
	const visitorsNow = async () => (await ask(own.api, '?period=today')).data[0]?.visitors;
	await visitors(website, ['2026-11-15']);
	assert.equal(await visitorsNow(), 1);
	assert.equal(await visitorsNow(), 1);
	await storeEvents(w, website.id, [
		{ date: '2026-11-15', time: '2026-11-15 08:30:00.000', visitor_id: '77', event_id: '77' },
		{ date: '2026-11-15', time: '2026-11-15 08:30:00.000', visitor_id: '0', event_id: '78' },
	]);
	assert.equal(await visitorsNow(), 2);
	assertStatus(await own.api('POST', `/websites/${website.id}/reset`), 200);
	assert.equal(await visitorsNow(), 0);
	await storeEvents(w, website.id, [
		{ date: '2026-11-15', time: '2026-11-15 09:31:00.000', visitor_id: '79', event_id: '79' },
	]);
	// The others are still on the disk, and on the same day.
	assert.equal(await visitorsNow(), 1);
});
