import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { send } from '../support/client.ts';
import { assertStatus, freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { storeEvents } from '../support/stored-events.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const create = async (fields: Record<string, string>): Promise<Website> =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...fields } }), 201);
const today = new Date().toISOString().slice(0, 10);
const get = (path: string, headers: Record<string, string> = {}) => send(w.base, 'GET', path, { headers });
const badge = ({ id }: Website, query = '') => get(`/app/api/websites/${id}/badge.svg${query}`);
const visitors = (website: Website, count: number) =>
	storeEvents(
		w,
		website.id,
		Array.from({ length: count }, (_, index) => ({
			date: today,
			time: `${today} 00:00:00.000`,
			visitor_id: String(index + 1),
		})),
	);

test('[C-BADGE-1] the badge of a public website is a picture for pages of any origin', async () => {
	const website = await create({ privacy: '0' });
	await visitors(website, 1234);
	const answer = await badge(website, '?period=today');
	assert.equal(answer.status, 200);
	assert.equal(answer.headers['content-type'], 'image/svg+xml; charset=utf-8');
	assert.equal(answer.headers['cache-control'], 'public, max-age=60');
	assert.equal(answer.headers['cross-origin-resource-policy'], 'cross-origin');
	assert.equal(answer.headers['set-cookie'], undefined);
	assert.match(answer.text, /aria-label="1,234 visitors today"/);
	assert.doesNotMatch(answer.text, /script|http(?!:\/\/www\.w3\.org\/2000\/svg)/);
	assert.match((await badge(website, '?look=counter&theme=dark')).text, /1,234 visitors in 30 days/);
});

for (const privacy of ['1', '2'])
	test(`[C-BADGE-1] with privacy ${privacy} there is no badge, not even for the owner`, async () => {
		const website = await create({ privacy, ...(privacy === '2' && { password: 'a password of ours' }) });
		assert.equal((await badge(website)).status, 404);
	});

test('[C-BADGE-1] a website that is closed has no badge from then on, also within the minute', async () => {
	const website = await create({ privacy: '0' });
	assert.equal((await badge(website)).status, 200);
	assertStatus(await owner.api('PATCH', `/websites/${website.id}`, { form: { privacy: '1' } }), 200);
	assert.equal((await badge(website)).status, 404);
});

for (const [count, says] of [
	[0, 'under 3'],
	[2, 'under 3'],
	[3, '3'],
] as const)
	test(`[C-BADGE-2] ${count} visitors are "${says}"`, async () => {
		const website = await create({ privacy: '0' });
		if (count > 0) await visitors(website, count);
		assert.match((await badge(website)).text, new RegExp(`aria-label="${says} visitors in 30 days"`));
	});

test('[C-BADGE-2] the number is kept for a minute', async () => {
	const website = await create({ privacy: '0' });
	const before = (await badge(website)).text;
	for (const version of [128, 129, 130]) {
		const hit = { w: website.id, i: `${version}`, n: 'pageview', u: `https://${website.domain}/` };
		const agent = `Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/${version}.0`;
		await send(w.base, 'POST', '/tm', { body: JSON.stringify(hit), headers: { 'user-agent': agent } });
	}
	await w.drain();
	assert.equal((await badge(website)).text, before);
	assert.match((await badge(website, '?period=all')).text, /"3 visitors in all"/);
});

for (const query of ['?period=1d', '?theme=pink', '?look=large', '?label=hello'])
	test(`[C-BADGE-3] ${query} is 422`, async () => {
		assert.equal((await badge(await create({ privacy: '0' }), query)).status, 422);
	});

const ancestors = async (path: string): Promise<string> => {
	const answer = await get(path);
	return /frame-ancestors ([^;]*)/.exec(answer.headers['content-security-policy'] ?? '')?.[1] ?? 'any';
};

test('[C-EMB-1] [T45] only the page of a public website for a frame allows the origins of its list', async () => {
	const embed_origins = 'https://example.com\nhttps://*.example.org';
	const open = await create({ privacy: '0' });
	const hidden = await create({ privacy: '1' });
	const locked = await create({ privacy: '2', password: 'a password of ours' });
	const without = await create({ privacy: '0' });
	for (const { id } of [open, hidden, locked])
		assertStatus(await owner.api('PATCH', `/websites/${id}/settings`, { json: { embed_origins } }), 200);
	assert.equal(await ancestors(`/websites/${open.id}?embed=1`), 'https://example.com https://*.example.org');
	assert.equal(
		await ancestors(`/websites/${open.id}?theme=dark&embed=1&period=7d`),
		'https://example.com https://*.example.org',
	);
	for (const path of [
		`/websites/${open.id}`,
		`/websites/${open.id}?embed=0`,
		`/websites/${open.id}?embed=1&embed=1`,
		`/websites/${open.id}/live?embed=1`,
		`/websites/${open.id}/settings?embed=1`,
		`/websites/${hidden.id}?embed=1`,
		`/websites/${locked.id}?embed=1`,
		`/websites/${without.id}?embed=1`,
		'/websites/999999?embed=1',
		'/websites/x?embed=1',
		'/websites?embed=1',
		'/sign-in?embed=1',
		'/account?embed=1',
		`/app/api/websites/${open.id}/stats`,
	])
		assert.equal(await ancestors(path), "'none'", path);
});
