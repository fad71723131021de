import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { param, sql } from '../../server/store/sql.ts';
import { freshDomain, type Website, websiteOf } from '../support/contract.ts';
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
		/cut short or broken/,
	);
	await assert.rejects(look(website.id, file('')), /nothing in the file/i);
});
