import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertProblem, face, freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { givePassword, signedIn, type Visitor, visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

let moment = Date.parse('2026-11-15T09:00:00.000Z');
/** The test stands in front as a proxy: it says which address a request comes from. */
const w = await world(
	{ after },
	{ now: () => new Date(moment), settings: { TIDEMARK_TRUSTED_PROXIES: '127.0.0.1' } },
);
const owner = await w.account({ timezone: 'UTC' });
await givePassword(w, owner);
const password = 'low tide 7';
const create = async (form: Record<string, string>) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...form } }), 201);
const change = (website: Website, form: Record<string, string>) =>
	owner.api('PUT', `/websites/${website.id}`, { form });
const anyone = (address = '192.0.2.1') => visitor(() => w.base, { address });
const stats = (browser: Visitor, { id }: { id: number }) => browser('GET', `/websites/${id}/stats`);
const unlock = (browser: Visitor, { id }: { id: number }, given = password) =>
	browser('POST', `/websites/${id}/unlock`, { json: { password: given } });
const shareCookie = '__Secure-tidemark-share';

test('[C-SHARE-1] anyone reads the statistics of a public website, and nothing else of it', async () => {
	const website = await create({});
	const browser = anyone();
	const share = await browser('GET', `/websites/${website.id}/share`);
	assert.deepEqual(share.json, {
		data: { id: website.id, access: 'open', domain: website.domain, timezone: 'UTC' },
	});
	for (const path of [
		'stats',
		'stats/query',
		'stats/country',
		'vitals',
		'properties',
		'live',
		'goals',
		'segments',
		'notes',
		'funnels',
	]) {
		const call = path === 'stats/query' ? { json: {} } : {};
		const method = path === 'stats/query' ? 'POST' : 'GET';
		const answer = await browser(method, `/websites/${website.id}/${path}`, call);
		assert.equal(answer.status, 200, `${path}: ${answer.text}`);
	}
	for (const path of ['/dimensions', '/metrics']) assert.equal((await browser('GET', path)).status, 200);
	const closed: [string, string][] = [
		['GET', ''],
		['PUT', ''],
		['DELETE', ''],
		['GET', '/settings'],
		['GET', '/drops'],
		['POST', '/goals'],
		['POST', '/reset'],
		['POST', '/events'],
	];
	for (const [method, path] of closed) {
		const call = method === 'POST' || method === 'PUT' ? { json: { email: 1 } } : {};
		assertProblem(await browser(method, `/websites/${website.id}${path}`, call), 'unauthenticated');
	}
	assert.equal((await stats(anyone(), website)).headers['ratelimit-policy']?.split(';')[0], '"share"');
	assert.deepEqual(websiteOf(await owner.api('GET', `/websites/${website.id}`)), website);
});

test('[C-SHARE-2][T19] a private website and one that does not exist are the same', async () => {
	const website = await create({ privacy: '1' });
	for (const path of ['stats', 'share', 'live', 'goals', 'stats/country']) {
		const hidden = await anyone()('GET', `/websites/${website.id}/${path}`);
		const missing = await anyone()('GET', `/websites/999999999/${path}`);
		assertProblem(hidden, 'not_found');
		assert.deepEqual(face(hidden), face(missing), path);
	}
	const [hidden, missing] = [await unlock(anyone(), website), await unlock(anyone(), { id: 999_999_999 })];
	assertProblem(hidden, 'not_found');
	assert.deepEqual(face(hidden), face(missing));
	assertProblem(await stats(anyone(), await create({ privacy: '2', password })), 'password_needed');
	const over = await anyone()('GET', `/websites/${website.id}/stats`, {
		headers: { cookie: '__Host-tidemark=over' },
	});
	assertProblem(over, 'unauthenticated');
	const stranger = await w.account({ timezone: 'UTC' });
	await givePassword(w, stranger);
	const signed = await signedIn(w, stranger);
	assertProblem(await stats(signed, website), 'not_found');
	assert.equal(
		(await stats(signed, await create({}))).status,
		200,
		'what everybody may see, a stranger may see',
	);
	assert.equal((await stats(await signedIn(w, owner), website)).status, 200);
});

test('[C-SHARE-3][T15] the password opens this website, for a day, as long as it is the password', async () => {
	const website = await create({ privacy: '2', password });
	const other = await create({ privacy: '2', password });
	const browser = anyone();
	assertProblem(await stats(browser, website), 'password_needed');
	const locked = await browser('GET', `/websites/${website.id}/share`);
	assert.deepEqual(locked.json, { data: { id: website.id, access: 'password' } });
	assertProblem(await unlock(browser, website, 'wrong'), 'validation_failed', ['password']);
	assertProblem(await unlock(browser, website, 'x'.repeat(129)), 'validation_failed', ['password']);
	assert.equal(browser.cookies.size, 0);
	assert.equal((await unlock(browser, website)).status, 200);
	const kept = browser.cookies.get(shareCookie);
	assert.deepEqual(kept?.line.split('; ').slice(1).sort(), [
		'HttpOnly',
		'Max-Age=86400',
		`Path=/app/api/websites/${website.id}`,
		'SameSite=Lax',
		'Secure',
	]);
	assert.equal((await stats(browser, website)).status, 200);
	assertProblem(await browser('GET', `/websites/${website.id}`), 'unauthenticated');

	// The cookie sent where the browser would not: to another website with the same password.
	const value = kept?.value ?? '';
	const withCookie = (text: string, { id }: { id: number }) =>
		anyone()('GET', `/websites/${id}/stats`, { headers: { cookie: `${shareCookie}=${text}` } });
	assert.equal((await withCookie(value, website)).status, 200);
	assertProblem(await withCookie(value, other), 'password_needed');
	const [until = '', mac = ''] = value.split('.');
	for (const edited of [
		`${Number(until) + 1}.${mac}`,
		`${until}.${mac.slice(0, -2)}AA`,
		`${until}.`,
		until,
		'',
		`${until}.${'A'.repeat(43)}`,
	])
		assertProblem(await withCookie(edited, website), 'password_needed');

	await change(website, { password: 'high tide 8' });
	assertProblem(await stats(browser, website), 'password_needed');
	assertProblem(await unlock(browser, website), 'validation_failed', ['password']);
	assert.equal((await unlock(browser, website, 'high tide 8')).status, 200);
	moment += 86_399_000;
	assert.equal((await stats(browser, website)).status, 200);
	moment += 1_000;
	assertProblem(await stats(browser, website), 'password_needed');
});

test('[C-SHARE-4] a changed mode holds at the next request', async () => {
	const website = await create({});
	const browser = anyone();
	assert.equal((await stats(browser, website)).status, 200);
	await change(website, { privacy: '1' });
	assertProblem(await stats(browser, website), 'not_found');
	await change(website, { privacy: '2', password });
	assertProblem(await stats(browser, website), 'password_needed');
	assert.equal((await unlock(browser, website)).status, 200);
	assert.equal((await stats(browser, website)).status, 200);
	await change(website, { privacy: '1' });
	assertProblem(await stats(browser, website), 'not_found');
	assertProblem(await unlock(browser, website), 'not_found');
	await change(website, { privacy: '0' });
	assert.equal((await stats(anyone(), website)).status, 200);
	assertProblem(await unlock(anyone(), website), 'not_found');
	await owner.api('DELETE', `/websites/${website.id}`);
	assertProblem(await stats(browser, website), 'not_found');
});

test('[T09] a list of words does not find the password of a website, and shuts nobody out', async () => {
	const website = await create({ privacy: '2', password });
	const holder = anyone('203.0.113.200');
	assert.equal((await unlock(holder, website)).status, 200);
	let lookedAt = 0;
	// Ten minutes, from a hundred addresses.
	for (let second = 0; second < 600; second += 5) {
		const answers = await Promise.all(
			Array.from({ length: 5 }, (_, n) =>
				unlock(anyone(`198.51.100.${(second + n) % 100}`), website, `word ${second} ${n}`),
			),
		);
		lookedAt += answers.filter(({ status }) => status === 422).length;
		assert.ok(answers.every(({ status }) => status === 422 || status === 429));
		if (second % 100 === 0) assert.equal((await stats(holder, website)).status, 200);
		moment += 5_000;
	}
	assert.ok(lookedAt >= 20 && lookedAt <= 45, `${lookedAt} were looked at`);
	const late = await unlock(anyone('203.0.113.7'), website);
	moment += 60_000;
	assert.ok(late.status === 200 || (await unlock(anyone('203.0.113.7'), website)).status === 200);
});

test('[C-SHARE-5] an operator can shut all public pages', async (t) => {
	const shut = await world(t, { settings: { TIDEMARK_PUBLIC_STATS: 'off' } });
	const account = await shut.account({ timezone: 'UTC' });
	await givePassword(shut, account);
	const forms = [{}, { privacy: '2', password }];
	for (const form of forms) {
		const { id } = websiteOf(
			await account.api('POST', '/websites', { form: { domain: freshDomain(), ...form } }),
			201,
		);
		const browser = visitor(() => shut.base);
		for (const path of ['stats', 'share'])
			assertProblem(await browser('GET', `/websites/${id}/${path}`), 'not_found');
		assertProblem(await unlock(browser, { id }), 'not_found');
		assert.equal((await stats(await signedIn(shut, account), { id })).status, 200);
	}
});

test('[T19] whoever looks for websites by their numbers is stopped', async (t) => {
	const small = await world(t, { settings: { TIDEMARK_AUTH_FAILURE_LIMIT: '20' } });
	const statuses = new Set<number>();
	for (let id = 1; id < 40; id++)
		statuses.add((await visitor(() => small.base)('GET', `/websites/${id}/stats`)).status);
	assert.deepEqual(statuses, new Set([404, 429]));
	assertProblem(await visitor(() => small.base)('GET', '/websites/1/share'), 'too_many_requests');
});

test('[C-SHARE-6] people of a website are told their role, others what the mode says', async () => {
	const stranger = await w.account({ timezone: 'UTC' });
	await givePassword(w, stranger);
	const member = await signedIn(w, stranger);
	const owning = await signedIn(w, owner);
	for (const form of [{ privacy: '0' }, { privacy: '1' }, { privacy: '2', password }]) {
		const { id, domain } = await create(form);
		const share = async (browser: Visitor) => (await browser('GET', `/websites/${id}/share`)).json;
		const open = { id, access: 'open', domain, timezone: 'UTC' };
		assert.deepEqual(await share(owning), { data: { ...open, role: 'owner', public_pages: true } });
		if (form.privacy === '0') assert.deepEqual(await share(member), { data: open });
		if (form.privacy === '1') assertProblem(await member('GET', `/websites/${id}/share`), 'not_found');
		if (form.privacy === '2') assert.deepEqual(await share(member), { data: { id, access: 'password' } });
		for (const role of ['viewer', 'editor', 'admin']) {
			await w.sql('DELETE FROM members');
			await w.sql(
				'INSERT INTO members (owner_id, website_id, member_id, role, created_at) VALUES ($1, $2, $3, $4, now())',
				[owner.id, id, stranger.id, role],
			);
			assert.deepEqual(await share(member), { data: { ...open, role, public_pages: true } });
		}
		await w.sql('DELETE FROM members');
	}
	const { id } = await create({ privacy: '1' });
	const over = await anyone()('GET', `/websites/${id}/share`, {
		headers: { cookie: '__Host-tidemark=over' },
	});
	assertProblem(over, 'unauthenticated');
});

test('[T84] [C-SHARE-8] of a disabled account nothing is shared, while its websites go on counting', async () => {
	const customer = await w.account({ timezone: 'UTC' });
	await givePassword(w, customer);
	const owned = async (form: Record<string, string>) =>
		websiteOf(await customer.api('POST', '/websites', { form: { domain: freshDomain(), ...form } }), 201);
	const open = await owned({ privacy: '0' });
	const locked = await owned({ privacy: '2', password });
	await customer.api('PUT', `/websites/${open.id}/settings`, {
		json: { indexable: 1, embed_origins: 'https://a.example' },
	});
	const unlocked = anyone();
	assert.equal((await unlock(unlocked, locked)).status, 200);
	const answers = async () => [
		(await stats(anyone(), open)).status,
		(await stats(unlocked, locked)).status,
		(await anyone()('GET', `/websites/${open.id}/share`)).status,
		(await anyone()('GET', `/websites/${locked.id}/share`)).status,
		(await unlock(anyone(), locked)).status,
		(await fetch(`${w.base}/app/api/websites/${open.id}/badge.svg`)).status,
		(await customer.api('GET', '/account')).status,
	];
	const isListed = async () =>
		(await fetch(`${w.base}/websites/${open.id}`)).headers.get('x-robots-tag') === null;
	const shared = await answers();
	assert.deepEqual(shared, [200, 200, 200, 200, 200, 200, 200]);
	assert.equal(await isListed(), true);
	await w.operate('account.disable', { email: customer.email, disabled: true });
	assert.deepEqual(await answers(), [404, 404, 404, 404, 404, 404, 401]);
	assert.equal(await isListed(), false);
	const hit = await fetch(`${w.base}/tm`, {
		method: 'POST',
		headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
		body: JSON.stringify({
			w: open.id,
			i: '0f3a9c5be2d17468',
			n: 'pageview',
			u: `https://${open.domain}/`,
			r: '',
		}),
	});
	assert.deepEqual([hit.status, hit.headers.get('x-tidemark-dropped')], [202, null]);
	await w.operate('account.disable', { email: customer.email, disabled: false });
	assert.deepEqual(await answers(), shared);
});

test('[C-ADDR-1] whoever is signed in is told the address that the collector sees', async () => {
	for (const [address, network] of [
		['192.0.2.17', '192.0.2.17'],
		['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
	] as const) {
		const browser = await signedIn(w, owner, { address });
		const answer = await browser('GET', '/session/address');
		assert.deepEqual(answer.json, { data: { address, network } });
		assert.equal(answer.headers['cache-control'], 'no-store');
		assert.ok(!w.log().includes(address), 'it is not logged');
	}
	assertProblem(await anyone()('GET', '/session/address'), 'unauthenticated');
});
