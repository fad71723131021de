import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { param, sql } from '../../server/store/sql.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { importing } from '../support/imports.ts';
import { world } from '../support/world.ts';
import { zipOf } from '../support/zip.ts';

const now = new Date('2026-11-15T12:00:00.000Z');
const w = await world({ after }, { now: () => now });
const owner = await w.account({ timezone: 'UTC' });
const { bring, look, undo, ask, left } = importing(w, owner);
const create = async (timezone: string) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), timezone } }), 201);

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** The columns of Umami's tables (db/postgresql of its repository). */
const eventHeading =
	'event_id,website_id,session_id,visit_id,created_at,url_path,url_query,referrer_path,referrer_query,referrer_domain,page_title,event_type,event_name,hostname';
const sessionHeading =
	'session_id,website_id,browser,os,device,screen,language,country,region,city,distinct_id,created_at';

const eventsOf = (domain: string) =>
	[
		eventHeading,
		// In Berlin the clocks go forward on 29 March 2026; 23:30 of the 28th in UTC is the 29th there.
		[
			uuid(1),
			uuid(9),
			uuid(51),
			uuid(71),
			'2026-03-28 10:00:00+00',
			'/',
			'utm_source=news',
			'',
			'',
			'',
			'Home',
			1,
			'',
			domain,
		],
		[
			uuid(2),
			uuid(9),
			uuid(51),
			uuid(71),
			'2026-03-28 10:01:00+00',
			'/about',
			'',
			'',
			'',
			'',
			'About',
			1,
			'',
			domain,
		],
		[
			uuid(3),
			uuid(9),
			uuid(51),
			uuid(71),
			'2026-03-28 10:02:00+00',
			'/about',
			'',
			'',
			'',
			'',
			'About',
			2,
			'signup',
			domain,
		],
		[
			uuid(4),
			uuid(9),
			uuid(52),
			uuid(72),
			'2026-03-28 23:30:00+00',
			'/',
			'',
			'/search',
			'',
			'google.com',
			'Home',
			1,
			'',
			domain,
		],
		[
			uuid(5),
			uuid(9),
			uuid(52),
			uuid(73),
			'2026-03-29 21:59:00+00',
			'/',
			'',
			'',
			'',
			'',
			'Home',
			1,
			'',
			domain,
		],
		[
			uuid(6),
			uuid(9),
			uuid(53),
			uuid(74),
			'2026-03-29 22:00:00+00',
			'/',
			'',
			'',
			'',
			'',
			'Home',
			1,
			'',
			'elsewhere.example',
		],
	]
		.map((row) => (Array.isArray(row) ? row.join(',') : row))
		.join('\n');

const sessions = [
	sessionHeading,
	[
		uuid(51),
		uuid(9),
		'chrome',
		'Windows 10',
		'laptop',
		'1920x1080',
		'de-DE',
		'DE',
		'DE-BE',
		'Berlin',
		'',
		'2026-03-28',
	],
	[
		uuid(52),
		uuid(9),
		'ios',
		'iOS',
		'mobile',
		'390x844',
		'en-US',
		'US',
		'US-CA',
		'San Francisco',
		'',
		'2026-03-28',
	],
]
	.map((row) => (Array.isArray(row) ? row.join(',') : row))
	.join('\n');

const archive = (domain: string) => ({
	source: 'umami' as const,
	name: 'umami.zip',
	bytes: zipOf([
		{ name: 'session.csv', text: sessions },
		{ name: 'website_event.csv', text: eventsOf(domain) },
		{ name: 'event_data.csv', text: 'a,b' },
	]),
});

const dates = '?period=custom&from=2026-03-27&to=2026-03-31&metrics=visitors,visits,pageviews,events';
const totalsOf = async (id: number, more = '') =>
	((await ask(id, `${dates}&interval=day${more}`)) as unknown as { data: { totals: unknown } }).data.totals;

test('[C-IMP-6] events of elsewhere are events here, on the days of the website, and can be filtered', async () => {
	const { id, domain } = await create('Europe/Berlin');
	const done = await bring(id, archive(domain));
	assert.deepEqual([done.state, done.kind, done.fault], ['done', 'events', null]);
	assert.deepEqual(done.preview.skipped, { unknown_file: 1, other_website: 1 });
	const answer = await ask(id, `${dates}&interval=day`);
	const { series, totals } = answer.data as unknown as { series: Record<string, unknown>[]; totals: unknown };
	// One session of Umami is a visitor of each of its days.
	assert.deepEqual(totals, { visitors: 2, visits: 3, pageviews: 4, events: 1 });
	assert.deepEqual(
		series.map(({ time, visitors, pageviews }) => [time, visitors, pageviews]),
		[
			['2026-03-27', 0, 0],
			['2026-03-28', 1, 2],
			['2026-03-29', 1, 2],
			['2026-03-30', 0, 0],
			['2026-03-31', 0, 0],
		],
	);
	assert.deepEqual(answer.meta.imported, { from: '2026-03-28', to: '2026-03-29', source: 'umami' });
	const german = `&filters=${encodeURIComponent('["is","country",["DE"]]')}`;
	assert.deepEqual(await totalsOf(id, german), { visitors: 1, visits: 1, pageviews: 2, events: 1 });
	// And the same once the days are sealed.
	await w.operate('rebuild', { websiteId: id });
	assert.deepEqual(await totalsOf(id), { visitors: 2, visits: 3, pageviews: 4, events: 1 });
	assert.deepEqual(await totalsOf(id, german), { visitors: 1, visits: 1, pageviews: 2, events: 1 });
});

test('[C-IMP-7] a second run adds nothing, and no visitor of the source can be found by ours', async () => {
	const { id, domain } = await create('UTC');
	await bring(id, archive(domain));
	const stored = await w.clickhouse.rows<{ visitor_id: string; event_id: string }>(
		sql`SELECT visitor_id, event_id FROM events WHERE website_id = ${param('UInt32', id)}`,
	);
	assert.equal(new Set(stored.map(({ event_id }) => event_id)).size, 5);
	// The second session has visits on two days: two visitors of ours.
	assert.equal(new Set(stored.map(({ visitor_id }) => visitor_id)).size, 3);
	const before = await totalsOf(id);
	const again = await look(id, archive(domain));
	assert.equal(again.preview.days, 0);
	await w.operate('import.run', { id: again.id });
	assert.deepEqual(await totalsOf(id), before);
});

test('[C-IMP-5] events that are undone are gone, sealed or not, and what the website counted on such a day itself stays', async () => {
	const { id, domain } = await create('UTC');
	const { id: importId } = await bring(id, archive(domain));
	await w.operate('rebuild', { websiteId: id });
	await undo(importId);
	assert.deepEqual(await totalsOf(id), { visitors: 0, visits: 0, pageviews: 0, events: 0 });
	assert.deepEqual(await left(id), { totals: 0, events: 0 });
	assert.deepEqual(await w.sql('SELECT 1 FROM days WHERE website_id = $1', [id]), []);
	assert.equal((await ask(id, dates)).meta.imported, null);
	// It can be brought again.
	await bring(id, archive(domain));
	assert.deepEqual(await totalsOf(id), { visitors: 3, visits: 3, pageviews: 4, events: 1 });
});

test('[C-IMP-8] while events are being brought in, and after they were undone, nothing of them is seen', async () => {
	const { id, domain } = await create('UTC');
	const event = (name: string) =>
		JSON.stringify({
			event_timestamp: '1772362800123456',
			event_name: name,
			user_pseudo_id: '1.2',
			event_params: [
				{ key: 'page_location', value: { string_value: `https://${domain}/` } },
				{ key: 'plan', value: { string_value: 'large' } },
			],
		});
	const of = {
		source: 'ga4' as const,
		name: 'events.json',
		bytes: [event('page_view'), event('sign_up')].join('\n'),
	};
	const namesOf = async () => {
		const { json } = await owner.api(
			'GET',
			`/websites/${id}/properties?period=custom&from=2026-03-01&to=2026-03-01`,
		);
		return (json as { data: { name: string }[] }).data.map(({ name }) => name);
	};
	const { id: importId } = await bring(id, of);
	assert.deepEqual(await namesOf(), ['plan']);
	// The job looks for those that run or were undone; one that failed is left alone.
	for (const state of ['failed', 'done']) {
		await w.sql('UPDATE imports SET state = $2 WHERE id = $1', [importId, state]);
		assert.deepEqual(await namesOf(), state === 'done' ? ['plan'] : [], state);
	}
});
