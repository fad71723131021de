import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { renewEventIds } from '../../server/import/renew-event-ids.ts';
import { createLog } from '../../server/lib/log.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { param, sql } from '../../server/store/sql.ts';
import { freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { holdJobs } from '../support/hold-jobs.ts';
import { importing } from '../support/imports.ts';
import { world } from '../support/world.ts';

const now = new Date('2026-11-15T12:00:00.000Z');
const w = await world({ after }, { now: () => now });
const owner = await w.account({ timezone: 'UTC' });
const { bring, look, undo, ask, left } = importing(w, owner);
const create = async (fields: Record<string, string> = {}) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...fields } }), 201);

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const line = (
	address: string,
	time: string,
	path: string,
	{ status = 200, agent = firefox, referrer = '-' } = {},
) => `${address} - - [${time}] "GET ${path} HTTP/1.1" ${status} 512 "${referrer}" "${agent}"`;

/** A German address, by the list of countries that comes with the package. */
const berlin = '141.20.1.1';
const log = [
	line(berlin, '24/Oct/2026:10:00:00 +0200', '/', { referrer: 'https://www.google.com/' }),
	line(berlin, '24/Oct/2026:10:00:01 +0200', '/style.css'),
	line(berlin, '24/Oct/2026:10:05:00 +0200', '/blog?page=2'),
	line('203.0.113.9', '24/Oct/2026:10:06:00 +0200', '/blog?page=2'),
	line('203.0.113.9', '24/Oct/2026:10:06:00 +0200', '/blog?page=2'),
	line('203.0.113.9', '24/Oct/2026:10:06:10 +0200', '/gone', { status: 404 }),
	line('203.0.113.9', '24/Oct/2026:10:06:20 +0200', '/', {
		agent: 'Googlebot/2.1 (+http://www.google.com/bot.html)',
	}),
	// In Berlin 25 October has 25 hours: half past two is there twice.
	line(berlin, '25/Oct/2026:02:30:00 +0200', '/night'),
	line(berlin, '25/Oct/2026:02:30:00 +0100', '/night'),
	'something else',
	line(berlin, '20/Dec/2026:02:30:00 +0100', '/tomorrow'),
].join('\n');

const file = (bytes: string | Buffer, name = 'access.log') => ({ source: 'log' as const, name, bytes });

async function pages({ id }: Website) {
	return w.clickhouse.rows<{
		date: string;
		path: string;
		country: string;
		times: number;
		visitors: number;
	}>(sql`
		SELECT toString(date) AS date, path, country, toUInt32(count()) AS times, toUInt32(uniqExact(visitor_id)) AS visitors
		FROM events WHERE website_id = ${param('UInt32', id)} GROUP BY date, path, country ORDER BY date, path, country`);
}

test('pages of a log become events, on the days of the website, with a country and without an address', async () => {
	const website = await create({ timezone: 'Europe/Berlin' });
	const found = await look(website.id, file(log));
	assert.equal(found.preview.events, 6);
	assert.deepEqual(found.preview.skipped, { no_page: 2, bot: 1, bad_row: 1, future: 1 });
	const done = await w.operate('import.run', { id: found.id });
	assert.equal(done.state, 'done');
	assert.deepEqual(await pages(website), [
		{ date: '2026-10-24', path: '/', country: 'DE', times: 1, visitors: 1 },
		{ date: '2026-10-24', path: '/blog', country: 'AU', times: 2, visitors: 1 },
		{ date: '2026-10-24', path: '/blog', country: 'DE', times: 1, visitors: 1 },
		{ date: '2026-10-25', path: '/night', country: 'DE', times: 2, visitors: 1 },
	]);
	const rows = await w.clickhouse.rows(
		sql`SELECT * FROM events WHERE website_id = ${param('UInt32', website.id)}`,
	);
	assert.doesNotMatch(JSON.stringify(rows), /141\.20\.1\.1|203\.0\.113/);
	const answer = await ask(
		website.id,
		'?period=custom&from=2026-10-24&to=2026-10-25&metrics=visitors,visits,pageviews',
	);
	assert.deepEqual((answer.data as { totals: unknown }).totals, { visitors: 3, visits: 4, pageviews: 6 });
});

test('a second reading adds nothing, packed or not, and undoing leaves no trace', async () => {
	const website = await create();
	const first = await bring(website.id, file(log));
	const again = await look(website.id, file(gzipSync(log), 'access.log.1.gz'));
	assert.equal(again.preview.events, 0);
	assert.equal(again.preview.skipped.other_import, 6);
	await w.operate('import.undo', { id: again.id });
	await undo(first.id);
	assert.deepEqual(await left(website.id), { totals: 0, events: 0 });
	const packed = await bring(website.id, file(gzipSync(log), 'access.log.1.gz'));
	assert.equal(packed.preview.events, 6);
});

const eventsOf = ({ id }: Website) =>
	w.clickhouse.rows<{ event_id: string; visitor_id: string; path: string; time: string }>(sql`
		SELECT event_id, visitor_id, path, toString(time) AS time FROM events WHERE website_id = ${param('UInt32', id)} ORDER BY time, event_id`);
const idsOf = async (website: Website) => (await eventsOf(website)).map(({ event_id }) => event_id);

/** As versions before made it: whoever guesses the rest of a line finds the address by trying all. */
const hashedId = (websiteId: number, text: string) => {
	const named = createHash('sha256').update(text).digest().readBigUInt64LE(0);
	return createHash('sha256').update(`log\0${websiteId}\0${named}`).digest().readBigUInt64BE(0).toString();
};

test('[T90] the id of an imported event is no function of its line; events of one second keep the order of the file', async () => {
	const [one, other] = [await create(), await create()];
	const lines = Array.from({ length: 40 }, (_, at) =>
		line(berlin, '24/Oct/2026:10:00:00 +0000', `/${at + 10}`),
	);
	await bring(one.id, file(lines.join('\n')));
	await bring(other.id, file(lines.join('\n')));
	const [first, second] = [await eventsOf(one), await idsOf(other)];
	assert.equal(new Set([...first.map(({ event_id }) => event_id), ...second]).size, 80);
	assert.deepEqual(
		first.map(({ path }) => path),
		lines.map((_, at) => `/${at + 10}`),
	);
	const guessed = new Set(lines.flatMap((text) => [hashedId(one.id, text), hashedId(other.id, text)]));
	const found = (ids: readonly string[]) => ids.filter((id) => guessed.has(id)).length;
	assert.equal(found([...first.map(({ event_id }) => event_id), ...second]), 0);
	// The search finds an id that was made so.
	assert.equal(found([hashedId(one.id, lines[7] ?? '')]), 1);
});

test('[F52] [T90] events that an earlier version imported get random ids once, also after a kill, and count as before', async (t) => {
	const website = await create();
	const text = [
		line(berlin, '23/Oct/2026:10:00:00 +0000', '/'),
		line(berlin, '23/Oct/2026:10:00:05 +0000', '/next'),
		// In one second, and one of them twice: their order is that of their ids.
		...['/a', '/b', '/c', '/c'].map((path) => line(berlin, '24/Oct/2026:10:00:00 +0000', path)),
	];
	const { id } = await bring(website.id, file(text.join('\n')));
	const other = await create();
	await bring(other.id, file(text.join('\n')));
	await w.clickhouse.command(
		sql`ALTER TABLE events UPDATE event_id = sipHash64(event_id, path) WHERE website_id = ${param('UInt32', website.id)}`,
		{ settings: { mutations_sync: '2' } },
	);
	const log = createLog('silent', () => undefined);
	const postgres = openPostgres(w.postgresTarget, { log, connections: 2 });
	t.after(() => postgres.close());
	const held = await holdJobs(postgres, 'renew event ids', 'seal days');
	t.after(() => held.end());
	await w.sql('UPDATE imports SET has_random_ids = false WHERE id = $1', [id]);
	await w.operate('rebuild', { websiteId: website.id });
	const query =
		'?period=custom&from=2026-10-23&to=2026-10-24&metrics=visitors,visits,pageviews,bounce_rate,visit_duration';
	const [hashed, untouched, before] = [
		await idsOf(website),
		await idsOf(other),
		await ask(website.id, query),
	];
	const dirtyDays = () =>
		w.sql<{ date: string }>(
			'SELECT date::text AS date FROM days WHERE website_id = $1 AND last_batch > sealed_batch',
			[website.id],
		);
	assert.deepEqual(await dirtyDays(), []);

	const services = { clickhouse: w.clickhouse, now: () => now, log, signal: new AbortController().signal };
	const isKilled = { transaction: () => Promise.reject(new Error('killed')) };
	await assert.rejects(renewEventIds({ ...services, postgres: { ...postgres, ...isKilled } }), /killed/);
	await renewEventIds({ ...services, postgres });
	const renewed = await idsOf(website);
	assert.equal(new Set([...hashed, ...renewed]).size, 12);
	await renewEventIds({ ...services, postgres });
	assert.deepEqual(await idsOf(website), renewed);
	assert.deepEqual(await idsOf(other), untouched);

	assert.deepEqual((await ask(website.id, query)).data, before.data);
	// Only where ids decide an order the day is sealed again; then what is sealed is what the events say.
	assert.deepEqual(await dirtyDays(), [{ date: '2026-10-24' }]);
	await w.operate('rebuild', { websiteId: website.id });
	assert.deepEqual((await ask(website.id, query)).data, before.data);
	assert.deepEqual((await w.operate('check', {})).differences, []);
	const again = await look(website.id, file(text.join('\n')));
	assert.deepEqual(again.preview.skipped, { other_import: 6 });
});

test('days on which the website counted by itself stay as they were', async () => {
	const website = await create();
	const sent = await owner.api('POST', `/websites/${website.id}/events`, {
		json: { url: `https://${website.domain}/own` },
	});
	assert.equal(sent.status, 202);
	await w.drain();
	const found = await look(
		website.id,
		file(
			[line(berlin, '15/Nov/2026:08:00:00 +0000', '/'), line(berlin, '14/Nov/2026:08:00:00 +0000', '/')].join(
				'\n',
			),
		),
	);
	assert.equal(found.preview.events, 1);
	assert.deepEqual(found.preview.skipped, { own_day: 1 });
});

test('[T42] [T74] a hostile log is read as text, or refused', async () => {
	const website = await create();
	const time = '24/Oct/2026:10:00:00 +0200';
	const odd = [
		line(berlin, time, "/';DROP/**/TABLE/**/events;--"),
		line(berlin, time, '/=HYPERLINK("http://x")'.replaceAll('"', '\\x22')),
		line('999.1.1.1', time, '/nowhere'),
		line(berlin, time, `/${'a'.repeat(20_000)}`),
		line(berlin, time, '/\u0000nul'),
		`{"ts":1e99,"request":{"uri":"/x","method":"GET"},"status":200}`,
	].join('\n');
	const { preview } = await bring(website.id, file(odd));
	assert.ok(preview.events >= 3);
	assert.ok((preview.skipped.bad_row ?? 0) >= 1);
	assert.ok((await pages(website)).some(({ path }) => path.includes('DROP')));
	await assert.rejects(
		look(website.id, file(gzipSync(log).subarray(0, 60), 'cut.gz')),
		/truncated or damaged/,
	);
	await assert.rejects(look(website.id, file('')), /contains nothing to import/);
});
