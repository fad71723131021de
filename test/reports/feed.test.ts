import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { send } from '../support/client.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { sampleReport, storeReport } from '../support/reports.ts';
import { givePassword, signedIn } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ locale: 'de' });
await givePassword(w, owner);
const browser = await signedIn(w, owner);
const addWebsite = async () =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), privacy: '1' } }), 201);

const addReport = ({ id, domain }: { id: number; domain: string }, from: string, to: string) =>
	storeReport(
		w,
		owner.id,
		sampleReport({ from, to, website: { id, name: domain, domain }, madeAt: `${to}T06:00:00.000Z` }),
	);

const shown = z.object({ data: z.object({ url: z.string(), created_at: z.iso.datetime() }) });
async function makeFeed(id: number): Promise<string> {
	const answer = await browser('POST', `/websites/${id}/feed`);
	assert.equal(answer.status, 201, answer.text);
	const { url } = shown.parse(answer.json).data;
	const [, path = ''] = /^https:\/\/stats\.example\.test(\/feeds\/[\w-]{43}\.atom)$/.exec(url) ?? [];
	assert.ok(path, url);
	return path;
}
const read = (path: string, headers: Record<string, string> = {}) => send(w.base, 'GET', path, { headers });

test('[C-FEED-1] [T79] the address is shown once; the database has its digest alone', async () => {
	const { id } = await addWebsite();
	assert.deepEqual((await browser('GET', `/websites/${id}/feed`)).json, { data: null });
	const path = await makeFeed(id);
	const token = path.slice('/feeds/'.length, -'.atom'.length);
	const again = await browser('GET', `/websites/${id}/feed`);
	assert.doesNotMatch(again.text, /feeds/);
	assert.match(again.text, /created_at/);
	const [row] = await w.sql<{ text: string }>('SELECT feeds::text AS text FROM feeds WHERE website_id = $1', [
		id,
	]);
	assert.ok(row && !row.text.includes(token));
	assert.ok(!w.log().includes(token), 'it is in no log');
});

test('[C-FEED-2] it opens the reports without signing in, the latest first', async () => {
	const website = await addWebsite();
	await addReport(website, '2026-11-02', '2026-11-08');
	await addReport(website, '2026-11-09', '2026-11-15');
	const answer = await read(await makeFeed(website.id), { host: 'evil.example' });
	assert.equal(answer.status, 200, answer.text);
	assert.equal(answer.headers['content-type'], 'application/atom+xml; charset=utf-8');
	assert.equal(answer.headers['cache-control'], 'private, max-age=3600');
	assert.equal(answer.headers['x-robots-tag'], 'noindex');
	assert.equal(answer.headers['set-cookie'], undefined);
	const found = [...answer.text.matchAll(/<entry>.*?<title>(.*?)<\/title>/gs)];
	// German puts a space before the sign that must not be broken at.
	const titles = found.map(([, title = '']) => title.replace(/\s/g, ' '));
	assert.deepEqual(titles, [
		'9.–15. Nov. 2026: 1.204 Besucher (+12 %)',
		'2.–8. Nov. 2026: 1.204 Besucher (+12 %)',
	]);
	assert.match(
		answer.text,
		/href="https:\/\/stats\.example\.test\/websites\/\d+\?from=2026-11-09&amp;to=2026-11-15"/,
	);
	assert.doesNotMatch(answer.text, /evil/);
	const etag = answer.headers.etag ?? '';
	const path = await makeFeed(website.id);
	const fresh = await read(path);
	assert.notEqual(fresh.headers.etag, etag, 'it names its own address');
	assert.equal((await read(path, { 'if-none-match': fresh.headers.etag ?? '' })).status, 304);
});

test('[C-FEED-2] a website without a report has an empty feed', async () => {
	const { id } = await addWebsite();
	const answer = await read(await makeFeed(id));
	assert.equal(answer.status, 200);
	assert.doesNotMatch(answer.text, /<entry>/);
});

test('[C-FEED-3] [T79] what was renewed, removed, moved, deleted or never there is the same 404', async () => {
	const never = await read(`/feeds/${'A'.repeat(43)}.atom`);
	assert.equal(never.status, 404);
	const assertGone = async (path: string, why: string) => {
		const answer = await read(path);
		assert.equal(answer.status, 404, why);
		const withoutId = (text: string) => text.replace(/"request_id":"[^"]+"/, '');
		assert.equal(withoutId(answer.text), withoutId(never.text), why);
	};
	for (const odd of ['/feeds/x.atom', `/feeds/${'A'.repeat(43)}`, '/feeds/.atom']) await assertGone(odd, odd);
	const { id } = await addWebsite();
	const first = await makeFeed(id);
	const second = await makeFeed(id);
	await assertGone(first, 'renewed');
	assert.equal((await read(second)).status, 200);
	assert.equal((await browser('DELETE', `/websites/${id}/feed`)).status, 200);
	await assertGone(second, 'removed');
	const third = await makeFeed(id);
	const other = await w.account();
	await w.operate('website.move', { id, email: other.email });
	await assertGone(third, 'moved');
	const { id: deleted } = await addWebsite();
	const fourth = await makeFeed(deleted);
	await owner.api('DELETE', `/websites/${deleted}`);
	await assertGone(fourth, 'deleted');
	const { id: last } = await addWebsite();
	const fifth = await makeFeed(last);
	await w.operate('account.disable', { email: owner.email, disabled: true });
	await assertGone(fifth, 'disabled');
});
