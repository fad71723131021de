import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { send } from '../support/client.ts';
import { assertProblem, face, freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { createLink, linkOf, linkPage, type ShareLink, tokenOf } from '../support/share-links.ts';
import { storeEvents } from '../support/stored-events.ts';
import { givePassword, signedIn, visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

let moment = Date.parse('2026-11-08T12:40:00.000Z');
const w = await world(
	{ after },
	{ now: () => new Date(moment), settings: { TIDEMARK_TRUSTED_PROXIES: '127.0.0.1' } },
);
const owner = await w.account({ timezone: 'UTC' });
await givePassword(w, owner);
const password = 'low tide 7';
const create = async (form: Record<string, string> = { privacy: '1' }) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain('l'), ...form } }), 201);
let network = 0;
const open = (link: ShareLink, address = `198.51.100.${++network % 250}`) =>
	linkPage(() => w.base, link, { address });
const path = (website: Website, link?: ShareLink) =>
	`/websites/${website.id}/share-links${link ? `/${link.id}` : ''}`;

/** Ten visitors from Germany and five from Austria a day, on some pages. */
async function fill(website: Website, dates = ['2026-11-06', '2026-11-07', '2026-11-08']): Promise<void> {
	await storeEvents(
		w,
		website.id,
		dates.flatMap((date, day) =>
			Array.from({ length: 15 }, (_, n) => ({
				date,
				visitor_id: String(day * 100 + n + 1),
				event_id: String(day * 100 + n + 1),
				country: n < 10 ? 'DE' : 'AT',
				browser: n % 2 === 0 ? 'Firefox' : 'Chrome',
				path: n < 6 ? '/blog/a' : '/',
			})),
		),
	);
}
const visitors = async (page: ReturnType<typeof open>, website: Website, query = 'period=7d') => {
	const answer = await page('GET', `/websites/${website.id}/stats?${query}`);
	assert.equal(answer.status, 200, answer.text);
	return (answer.json as { data: { totals: { visitors: number | null } } }).data.totals.visitors;
};

test('[C-LINK-1] a link has these fields, is listed, changed and deleted', async () => {
	const website = await create();
	const link = await createLink(owner, website, { name: 'Client' });
	assert.deepEqual(link, {
		id: link.id,
		name: 'Client',
		url: link.url,
		filters: null,
		panels: null,
		from: null,
		to: null,
		last_days: null,
		has_password: false,
		expires_at: null,
		used_count: 0,
		last_used_at: null,
		created_at: link.created_at,
		updated_at: link.created_at,
	});
	assert.match(link.url ?? '', /^https?:\/\/[^/]+\/s\/[\w-]{43}$/);
	const all = {
		filters: ['is', 'country', 'DE'],
		panels: ['pages', 'sources', 'pages'],
		from: '2026-11-01',
		to: '2026-11-30',
		password,
		expires_at: '2026-12-01T00:00:00+01:00',
	};
	const changed = linkOf(await owner.api('PATCH', path(website, link), { json: all }));
	assert.deepEqual(changed, {
		...link,
		filters: ['is', 'country', ['DE']],
		panels: ['pages', 'sources'],
		from: '2026-11-01',
		to: '2026-11-30',
		has_password: true,
		expires_at: '2026-11-30T23:00:00.000Z',
		updated_at: changed.updated_at,
	});
	// What is left out stays; null removes.
	const renamed = linkOf(await owner.api('PUT', path(website, link), { form: { name: 'Press' } }));
	assert.deepEqual(renamed, { ...changed, name: 'Press', updated_at: renamed.updated_at });
	const emptied = { filters: null, panels: null, from: null, to: null, password: null, expires_at: null };
	const plain = linkOf(await owner.api('PATCH', path(website, link), { json: emptied }));
	assert.deepEqual(plain, { ...link, name: 'Press', updated_at: plain.updated_at });
	assert.deepEqual(linkOf(await owner.api('GET', path(website, link))), plain);
	const listed = await owner.api('GET', path(website));
	assert.deepEqual((listed.json as { data: unknown }).data, [plain]);
	const deleted = await owner.api('DELETE', path(website, link));
	assert.deepEqual(deleted.json, { data: { id: link.id, object: 'share_link', deleted: true } });
	assertProblem(await owner.api('GET', path(website, link)), 'not_found');
});

test('[C-LINK-2] fields that are not valid are refused', async () => {
	const website = await create();
	const bad: [Record<string, unknown>, string][] = [
		[{ name: '' }, 'name'],
		[{ filters: ['is', 'planet', ['Mars']] }, 'filters'],
		[{ filters: ['is', 'goal', [1]] }, 'filters'],
		[{ filters: ['is', 'page_group', ['/x']] }, 'filters'],
		[{ filters: ['is', 'country', ['DE', 'AT', 'CH', 'FR']] }, 'filters'],
		[
			{
				filters: [
					'and',
					['is_set', 'source'],
					['is', 'country', ['DE', 'AT']],
					['greater_than', 'revenue', 5],
				],
			},
			'filters',
		],
		[{ panels: ['sources', 'secrets'] }, 'panels'],
		[{ from: '2026-11-31' }, 'from'],
		[{ from: '2026-11-30', to: '2026-11-01' }, 'to'],
		[{ last_days: 0 }, 'last_days'],
		[{ last_days: 7, to: '2026-11-01' }, 'last_days'],
		[{ password: 'x'.repeat(129) }, 'password'],
		[{ expires_at: '2026-12-01' }, 'expires_at'],
	];
	for (const [fields, field] of bad)
		assertProblem(
			await owner.api('POST', path(website), { json: { name: 'x', ...fields } }),
			'validation_failed',
			[field],
		);
	const link = await createLink(owner, website, { name: 'x', last_days: 7 });
	assertProblem(
		await owner.api('PATCH', path(website, link), { json: { from: '2026-11-01' } }),
		'validation_failed',
		['last_days'],
	);
	assertProblem(await owner.api('POST', path(website), { json: { name: 'x' } }), 'validation_failed', [
		'name',
	]);
	for (let n = 0; n < 10; n++) await createLink(owner, website, { filters: ['is', 'page', [`/${n}`]] });
	await createLink(owner, website, { filters: ['is', 'page', ['/3']] });
	assertProblem(
		await owner.api('POST', path(website), { json: { name: 'y', filters: ['is', 'page', ['/10']] } }),
		'validation_failed',
		['filters'],
	);
});

for (const privacy of ['0', '1', '2'])
	test(`[C-LINK-3] with privacy ${privacy}, a link opens the statistics of its website and nothing else`, async () => {
		const website = await create({ privacy, ...(privacy === '2' && { password: 'another tide' }) });
		const other = await create({ privacy: '0' });
		await fill(website);
		const page = open(await createLink(owner, website));
		const opened = await page('POST', '/share-link');
		assert.deepEqual(opened.json, {
			data: {
				access: 'open',
				website: { id: website.id, domain: website.domain, timezone: 'UTC' },
				filters: null,
				panels: null,
				from: null,
				to: null,
				last_days: null,
			},
		});
		assert.equal(await visitors(page, website), 45);
		for (const what of ['stats/country', 'vitals', 'properties', 'live', 'goals', 'funnels'])
			assert.equal((await page('GET', `/websites/${website.id}/${what}`)).status, 200, what);
		const closed: [string, string][] = [
			['GET', `/websites/${website.id}`],
			['GET', `/websites/${website.id}/settings`],
			['GET', `/websites/${website.id}/segments`],
			['GET', `/websites/${website.id}/notes`],
			['GET', `/websites/${website.id}/share-links`],
			['GET', `/websites/${website.id}/live/feed`],
			['GET', `/websites/${website.id}/journeys`],
			['GET', `/websites/${website.id}/what-changed`],
			['GET', `/websites/${website.id}/export`],
			['POST', `/websites/${website.id}/goals`],
			['DELETE', `/websites/${website.id}`],
			// Also what everybody may see: the request acts for the link.
			['GET', `/websites/${other.id}/stats`],
			['GET', '/websites'],
			['GET', '/stats'],
			['GET', '/account'],
		];
		for (const [method, where] of closed)
			assertProblem(await page(method, where, method === 'POST' ? { json: {} } : {}), 'not_found');
		// Without the link, the visibility of the website decides.
		const without = await visitor(() => w.base)('GET', `/websites/${website.id}/stats`);
		assert.equal(without.status, { 0: 200, 1: 404, 2: 401 }[privacy]);
	});

test('[C-LINK-3] in a browser that is signed in, the page of a link shows what the link shows', async () => {
	const website = await create();
	await fill(website);
	const browser = await signedIn(w, owner);
	const page = linkPage(
		() => w.base,
		await createLink(owner, website, { filters: ['is', 'country', ['AT']] }),
		{
			browser,
		},
	);
	assert.equal(await visitors(browser, website), 45);
	assert.equal(await visitors(page, website), 15);
	assertProblem(await page('GET', `/websites/${website.id}`), 'not_found');
});

test('[C-LINK-4][T160] no parameter widens the filter of a link', async () => {
	const website = await create();
	await fill(website);
	const { id } = website;
	const json = { name: 'All', filters: ['is_set', 'country'] };
	const segment = await owner.api('POST', `/websites/${id}/segments`, { json });
	const segmentId = (segment.json as { data: { id: number } }).data.id;
	const page = open(await createLink(owner, website, { filters: ['is', 'country', ['DE']] }));
	const filters = (filter: unknown) => `period=7d&filters=${encodeURIComponent(JSON.stringify(filter))}`;
	assert.equal(await visitors(page, website), 30);
	assert.equal(await visitors(page, website, filters(['is', 'country', ['DE', 'AT']])), 30);
	assert.equal(await visitors(page, website, filters(['not', ['is', 'country', ['AT']]])), 30);
	assert.equal(await visitors(page, website, filters(['is', 'country', ['AT']])), 0);
	assert.equal(
		await visitors(page, website, filters(['or', ['is', 'country', ['AT']], ['is', 'page', ['/']]])),
		12,
	);
	assert.equal(await visitors(page, website, filters(['is', 'page', ['/blog/a']])), 18);
	for (const more of [`segment=${segmentId}`, 'segment=999999'])
		assertProblem(await page('GET', `/websites/${id}/stats?${more}`), 'validation_failed', ['segment']);
	const rows = await page('GET', `/websites/${id}/stats/country?period=7d&metrics=visitors`);
	assert.deepEqual((rows.json as { data: unknown }).data, [{ value: 'DE', visitors: 30 }]);
	const query = await page('POST', `/websites/${id}/stats/query`, {
		json: { period: '7d', metrics: ['visitors'], breakdowns: [{ dimension: 'country', search: 'a' }] },
	});
	const { totals, breakdowns } = (query.json as { data: { totals: unknown; breakdowns: unknown } }).data;
	assert.deepEqual([totals, breakdowns], [{ visitors: 30 }, [{ dimension: 'country', rows: [], total: 0 }]]);
	const table = await page('GET', `/websites/${id}/stats/country?period=7d&metrics=visitors`, {
		headers: { accept: 'text/csv' },
	});
	assert.equal(table.text, 'value,visitors\r\nDE,30\r\n');
	// They have no filter, or not this one.
	for (const what of ['vitals', 'live', 'live/stream', 'properties'])
		assertProblem(await page('GET', `/websites/${id}/${what}`), 'not_found');
	const funnel = await owner.api('POST', `/websites/${id}/funnels`, {
		json: { name: 'Read', steps: [{ page: '/blog/*' }, { page: '/' }] },
	});
	const funnelId = (funnel.json as { data: { id: number } }).data.id;
	const steps = await page('GET', `/websites/${id}/funnels/${funnelId}/stats?period=7d`);
	assert.equal((steps.json as { data: { steps: { visitors: number }[] } }).data.steps[0]?.visitors, 18);
});

test('[C-LINK-5][T160] a link shows its panels only', async () => {
	const website = await create();
	await fill(website);
	const { id } = website;
	const goal = await owner.api('POST', `/websites/${id}/goals`, {
		json: { name: 'Read', kind: 'page', pattern: '/blog/*' },
	});
	const goalId = (goal.json as { data: { id: number } }).data.id;
	const page = open(await createLink(owner, website, { panels: ['pages'] }));
	assert.equal((await page('GET', `/websites/${id}/stats/page`)).status, 200);
	for (const what of ['country', 'browser', 'source', 'event', 'goal', 'hour', 'property:plan'])
		assertProblem(await page('GET', `/websites/${id}/stats/${what}`), 'validation_failed', ['dimension']);
	for (const what of ['goals', `goals/${goalId}`, 'funnels', 'vitals', 'live', 'properties'])
		assertProblem(await page('GET', `/websites/${id}/${what}`), 'not_found');
	const refused: [string, string][] = [
		['stats?filters=["is","country",["DE"]]', 'filters'],
		['stats?filters=["or",["is","page",["/"]],["not",["is","browser",["Chrome"]]]]', 'filters'],
		['stats/page?by=country', 'by'],
		[`stats?goal=${goalId}&metrics=conversions`, 'goal'],
		['stats?metrics=revenue', 'metrics'],
		['stats/page?sort_by=revenue', 'sort_by'],
	];
	for (const [query, field] of refused) {
		const answer = await page('GET', `/websites/${id}/${query}`);
		assertProblem(answer, 'validation_failed');
		assert.ok(field in (answer.json as { errors: object }).errors, `${query}: ${answer.text}`);
	}
	const query = await page('POST', `/websites/${id}/stats/query`, {
		json: { breakdowns: [{ dimension: 'page' }, { dimension: 'country' }] },
	});
	assertProblem(query, 'validation_failed', ['breakdowns.1.dimension']);
	// Not even panels: the totals and the chart.
	const bare = open(await createLink(owner, website, { panels: [] }));
	assert.equal(await visitors(bare, website), 45);
	assertProblem(await bare('GET', `/websites/${id}/stats/page`), 'validation_failed', ['dimension']);
});

const periodOf = async (page: ReturnType<typeof open>, { id }: Website, query: string) => {
	const answer = await page('GET', `/websites/${id}/stats?metrics=visitors&interval=day&${query}`);
	if (answer.status !== 200) return (answer.json as { errors: object }).errors;
	const { data, meta } = answer.json as {
		data: { totals: { visitors: number }; series: { time: string }[]; compared: null | object };
		meta: { from: string; to: string };
	};
	assert.deepEqual([data.series[0]?.time, data.series.at(-1)?.time], [meta.from, meta.to]);
	return [meta.from, meta.to, data.totals.visitors, data.compared !== null];
};

test('[C-LINK-6][T160] a period is cut to the dates of a link, and refused outside', async () => {
	const website = await create();
	await fill(website, ['2026-11-01', '2026-11-05', '2026-11-06', '2026-11-07', '2026-11-08']);
	const dated = open(await createLink(owner, website, { from: '2026-11-05', to: '2026-11-06' }));
	for (const query of [
		'period=7d',
		'period=all',
		'period=30d',
		'period=year',
		'from=2026-01-01&to=2026-11-30',
	])
		assert.deepEqual(await periodOf(dated, website, query), ['2026-11-05', '2026-11-06', 30, false], query);
	assert.deepEqual(await periodOf(dated, website, 'from=2026-11-06&to=2026-11-08'), [
		'2026-11-06',
		'2026-11-06',
		15,
		false,
	]);
	for (const [query, field] of [
		['period=today', 'period'],
		['period=24h', 'period'],
		['period=last_month', 'period'],
		['from=2026-11-07&to=2026-11-08', 'from'],
	] as const)
		assert.deepEqual(
			await periodOf(dated, website, query),
			{ [field]: ['This share link does not show this period.'] },
			query,
		);
	// A comparison is shown as a whole or not at all.
	assert.deepEqual(await periodOf(dated, website, 'from=2026-11-06&to=2026-11-06&compare=previous'), [
		'2026-11-06',
		'2026-11-06',
		15,
		true,
	]);
	for (const compare of ['previous', 'year', 'previous&match_weekdays=1'])
		assert.deepEqual(
			await periodOf(dated, website, `period=7d&compare=${compare}`),
			['2026-11-05', '2026-11-06', 30, false],
			compare,
		);
	for (const [from, to] of [
		['2026-11-04', '2026-11-05'],
		['2026-11-06', '2026-11-07'],
	])
		assert.deepEqual(
			await periodOf(
				dated,
				website,
				`from=2026-11-05&to=2026-11-06&compare=custom&compare_from=${from}&compare_to=${to}`,
			),
			{ compare_from: ['This share link does not show all of this period.'] },
		);
	assertProblem(await dated('GET', `/websites/${website.id}/live`), 'not_found');

	const recent = open(await createLink(owner, website, { last_days: 2 }));
	assert.deepEqual(await periodOf(recent, website, 'period=30d'), ['2026-11-07', '2026-11-08', 30, false]);
	assert.deepEqual(await periodOf(recent, website, 'period=24h'), ['2026-11-07', '2026-11-08', 15, false]);
	assert.deepEqual(await periodOf(recent, website, 'from=2026-11-01&to=2026-11-06'), {
		from: ['This share link does not show this period.'],
	});
	assert.equal((await recent('GET', `/websites/${website.id}/live`)).status, 200);
	// Vitals and funnels resolve their periods the same way.
	for (const what of ['vitals', 'properties']) {
		const { meta } = (await recent('GET', `/websites/${website.id}/${what}?period=30d`)).json as {
			meta: { from: string };
		};
		assert.equal(meta.from, '2026-11-07', what);
	}
});

test('[C-LINK-6][T160] the dates of a link are those of the website, wherever the visitor is', async () => {
	const islander = await w.account({ timezone: 'Pacific/Kiritimati' });
	const form = { domain: freshDomain('l'), privacy: '1' };
	const website = websiteOf(await islander.api('POST', '/websites', { form }), 201);
	const page = open(await createLink(islander, website, { last_days: 1 }));
	const answer = await page('GET', `/websites/${website.id}/stats?period=30d`);
	assert.equal(answer.status, 200, answer.text);
	const { meta } = answer.json as { meta: { from: string; to: string; timezone: string } };
	assertProblem(
		await page('GET', `/websites/${website.id}/stats?period=30d&timezone=UTC`),
		'validation_failed',
		['timezone'],
	);
	assert.deepEqual([meta.from, meta.to, meta.timezone], ['2026-11-09', '2026-11-09', 'Pacific/Kiritimati']);
});

test('[C-LINK-7][T163] the password of a link opens this link, for a day, as long as it is the password', async () => {
	const website = await create();
	const link = await createLink(owner, website, { password });
	const other = await createLink(owner, website, { password });
	const browser = visitor(() => w.base, { address: '203.0.113.1' });
	const page = linkPage(() => w.base, link, { browser });
	const stats = (it = page) => it('GET', `/websites/${website.id}/stats`);
	assert.deepEqual((await page('POST', '/share-link')).json, { data: { access: 'password' } });
	assertProblem(await stats(), 'password_needed');
	const unlock = (given: string, it = page) =>
		it('POST', '/share-link/unlock', { json: { password: given } });
	assertProblem(await unlock('wrong'), 'validation_failed', ['password']);
	assert.equal(browser.cookies.size, 0);
	assert.equal((await unlock(password)).status, 200);
	const [[name, cookie] = ['', undefined]] = browser.cookies;
	assert.deepEqual(cookie?.line.split('; ').slice(1).sort(), [
		'HttpOnly',
		'Max-Age=86400',
		'Path=/app/api',
		'SameSite=Lax',
		'Secure',
	]);
	assert.equal((await stats()).status, 200);
	assertProblem(await stats(linkPage(() => w.base, other, { browser })), 'password_needed');
	// The cookie of one link under the name of another.
	const forged = visitor(() => w.base);
	forged.cookies.set(name.replace(String(link.id), String(other.id)), cookie ?? assert.fail());
	assertProblem(await stats(linkPage(() => w.base, other, { browser: forged })), 'password_needed');
	await owner.api('PATCH', path(website, link), { json: { password: 'high tide 8' } });
	assertProblem(await stats(), 'password_needed');
	assert.equal((await unlock('high tide 8')).status, 200);
	moment += 86_400_000;
	assertProblem(await stats(), 'password_needed');
	moment -= 86_400_000;
	await owner.api('PATCH', path(website, link), { json: { password: '' } });
	assert.equal((await stats()).status, 200);
	assertProblem(await unlock(password), 'not_found');
});

test('[T163] a list of words does not find the password of a link, and shuts nobody out', async () => {
	const website = await create();
	const link = await createLink(owner, website, { password });
	const holder = visitor(() => w.base, { address: '203.0.113.200' });
	const unlock = (browser: ReturnType<typeof visitor>, given: string) =>
		linkPage(() => w.base, link, { browser })('POST', '/share-link/unlock', { json: { password: given } });
	assert.equal((await unlock(holder, password)).status, 200);
	let checked = 0;
	for (let second = 0; second < 300; second += 5) {
		const answers = await Promise.all(
			Array.from({ length: 5 }, (_, n) =>
				unlock(
					visitor(() => w.base, { address: `198.18.0.${(second + n) % 100}` }),
					`word ${second} ${n}`,
				),
			),
		);
		checked += answers.filter(({ status }) => status === 422).length;
		assert.ok(answers.every(({ status }) => status === 422 || status === 429));
		moment += 5_000;
	}
	assert.ok(checked >= 20 && checked <= 40, `${checked} were checked`);
	const page = linkPage(() => w.base, link, { browser: holder });
	assert.equal((await page('GET', `/websites/${website.id}/stats`)).status, 200);
});

/** The ways in which a link ends, each with what brings it back. */
const ends: Record<string, (website: Website, link: ShareLink) => Promise<unknown>> = {
	deleted: (website, link) => owner.api('DELETE', path(website, link)),
	expired: (website, link) =>
		owner.api('PATCH', path(website, link), { json: { expires_at: new Date(moment).toISOString() } }),
	'deleted with its website': (website) => owner.api('DELETE', `/websites/${website.id}`),
	'deleted by a transfer': async (website) => {
		const receiver = await w.account({ timezone: 'UTC' });
		await givePassword(w, receiver);
		await w.operate('website.move', { id: website.id, email: receiver.email });
	},
};
for (const [how, end] of Object.entries(ends))
	test(`[C-LINK-8][T164] a link that is ${how} ends at once, also in open streams and caches`, async () => {
		const website = await create();
		await fill(website);
		const link = await createLink(owner, website);
		const page = open(link);
		const where = `/websites/${website.id}/stats/country?period=7d`;
		const answer = await page('GET', where);
		assert.equal(answer.status, 200);
		assert.match(answer.headers['cache-control'] ?? '', /private, no-cache/);
		assert.match(answer.headers.vary ?? '', /X-Share-Link/);
		const stream = await fetch(`${w.base}/app/api/websites/${website.id}/live/stream`, {
			headers: { 'x-share-link': tokenOf(link), 'sec-fetch-site': 'same-origin' },
		});
		assert.equal(stream.status, 200);
		const reader = stream.body?.getReader();
		await reader?.read();
		await end(website, link);
		const etag = answer.headers.etag;
		assertProblem(await page('GET', where, etag ? { headers: { 'if-none-match': etag } } : {}), 'not_found');
		const refused = await page('POST', '/share-link');
		assertProblem(refused, 'not_found');
		const unknown = linkPage(() => w.base, { url: `${w.base}/s/${'A'.repeat(43)}` });
		assert.deepEqual(face(refused), face(await unknown('POST', '/share-link')));
		await reader?.cancel();
	});

test('[T164] a stream that a link opened ends when the link is deleted', async () => {
	const website = await create();
	const link = await createLink(owner, website);
	const stream = await fetch(`${w.base}/app/api/websites/${website.id}/live/stream`, {
		headers: { 'x-share-link': tokenOf(link), 'sec-fetch-site': 'same-origin' },
	});
	const reader = stream.body?.getReader() ?? assert.fail();
	assert.equal((await reader.read()).done, false);
	await owner.api('DELETE', path(website, link));
	// The next message, at the latest the heartbeat, is not sent any more.
	assert.equal((await reader.read()).done, true);
});

test('[C-LINK-8][T84] links of a disabled account do not work, nor does any where public pages are off', async (t) => {
	const customer = await w.account({ timezone: 'UTC' });
	const website = websiteOf(
		await customer.api('POST', '/websites', { form: { domain: freshDomain('l'), privacy: '1' } }),
		201,
	);
	const page = open(await createLink(customer, website));
	assert.equal((await page('POST', '/share-link')).status, 200);
	await w.operate('account.disable', { email: customer.email, disabled: true });
	assertProblem(await page('POST', '/share-link'), 'not_found');
	assertProblem(await page('GET', `/websites/${website.id}/stats`), 'not_found');
	await w.operate('account.disable', { email: customer.email, disabled: false });
	assert.equal((await page('GET', `/websites/${website.id}/stats`)).status, 200);

	const shut = await world(t, { settings: { TIDEMARK_PUBLIC_STATS: 'off' } });
	const account = await shut.account({ timezone: 'UTC' });
	const closed = websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const off = linkPage(() => shut.base, await createLink(account, closed));
	assertProblem(await off('POST', '/share-link'), 'not_found');
	assertProblem(await off('GET', `/websites/${closed.id}/stats`), 'not_found');
});

test('[C-LINK-9] an opening of the page is counted, not a request, and not before the password', async () => {
	const website = await create();
	const link = await createLink(owner, website);
	const page = open(link);
	const uses = async (of = link) => {
		const { used_count: count, last_used_at: at } = linkOf(await owner.api('GET', path(website, of)));
		return [count, at];
	};
	await page('POST', '/share-link');
	await visitors(page, website);
	await page('GET', '/share-link');
	await page('POST', '/share-link');
	assert.deepEqual(await uses(), [2, new Date(moment).toISOString()]);
	const locked = await createLink(owner, website, { password });
	const other = open(locked);
	await other('POST', '/share-link');
	await other('POST', '/share-link/unlock', { json: { password: 'wrong' } });
	assert.deepEqual(await uses(locked), [0, null]);
	await other('POST', '/share-link/unlock', { json: { password } });
	assert.equal((await uses(locked))[0], 1);
});

test('[C-LINK-10] a retry of a create with an Idempotency-Key returns the same link, and the database does not have it', async () => {
	const website = await create();
	const call = { json: { name: 'Once', password } };
	const [first, second] = [
		await owner.api('POST', path(website), { ...call, headers: { 'idempotency-key': 'link-once' } }),
		await owner.api('POST', path(website), { ...call, headers: { 'idempotency-key': 'link-once' } }),
	];
	assert.deepEqual(linkOf(second, 201), linkOf(first, 201));
	const token = tokenOf(linkOf(first, 201));
	const stored = await w.sql<{ row: string }>(
		`SELECT t::text AS row FROM share_links t UNION ALL SELECT t::text FROM idempotent_answers t`,
	);
	assert.ok(stored.length >= 2);
	for (const { row } of stored) {
		assert.ok(!row.includes(token) && !row.includes(Buffer.from(token).toString('hex')), row);
		assert.ok(!row.includes(Buffer.from(token, 'base64url').toString('hex')), row);
	}
});

test('[C-LINK-11][T45] the embedded page of a link without a password allows the origins of the website', async () => {
	const website = await create();
	await owner.api('PATCH', `/websites/${website.id}/settings`, {
		json: { embed_origins: 'https://a.example' },
	});
	const [link, locked] = [await createLink(owner, website), await createLink(owner, website, { password })];
	const ancestors = async (where: string) => {
		const answer = await send(w.base, 'GET', where, { headers: { accept: 'text/html' } });
		return /frame-ancestors ([^;]*)/.exec(answer.headers['content-security-policy'] ?? '')?.[1];
	};
	assert.equal(await ancestors(`/s/${tokenOf(link)}?embed=1`), 'https://a.example');
	for (const where of [
		`/s/${tokenOf(link)}`,
		`/s/${tokenOf(link)}?embed=0`,
		`/s/${tokenOf(locked)}?embed=1`,
		`/s/${'A'.repeat(43)}?embed=1`,
		`/websites/${website.id}?embed=1`,
	])
		assert.equal(await ancestors(where), "'none'", where);
	await owner.api('DELETE', path(website, link));
	assert.equal(await ancestors(`/s/${tokenOf(link)}?embed=1`), "'none'");
});

test('[C-LINK-12][T162] the token of a link gets into no log and no referrer', async () => {
	const website = await create();
	const link = await createLink(owner, website);
	const token = tokenOf(link);
	const page = open(link);
	const shown = await send(w.base, 'GET', `/s/${token}`, { headers: { accept: 'text/html' } });
	assert.equal(shown.headers['referrer-policy'], 'no-referrer');
	assert.equal(shown.headers['x-robots-tag'], 'noindex');
	assert.ok(!shown.text.includes(token));
	for (const answer of [
		await page('POST', '/share-link'),
		await page('GET', `/websites/${website.id}/stats/country?period=7d`),
		await page('GET', `/websites/${website.id}/nothing`),
		await page('GET', `/websites/${website.id}/stats?period=never`),
	]) {
		assert.ok(!answer.text.includes(token), answer.text);
		assert.ok(!JSON.stringify(answer.headers).includes(token));
	}
	assert.match(w.log(), /\/s\/:token/);
	assert.ok(!w.log().includes(token));
});

test('[T161] tokens cannot be guessed: a wrong one counts as a failed attempt, and is answered like a missing website', async (t) => {
	const small = await world(t, { settings: { TIDEMARK_AUTH_FAILURE_LIMIT: '20' } });
	const account = await small.account({ timezone: 'UTC' });
	const website = websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const link = await createLink(account, website);
	const token = tokenOf(link);
	assert.equal(Buffer.from(token, 'base64url').length, 32);
	const statuses: number[] = [];
	const last = token.at(-1) === 'A' ? 'E' : 'A';
	for (const wrong of [`${token.slice(0, -1)}${last}`, token.toLowerCase(), '', token.slice(1)])
		statuses.push(
			(await linkPage(() => small.base, { url: `x/s/${wrong}` })('GET', `/websites/${website.id}/stats`))
				.status,
		);
	assert.deepEqual(new Set(statuses), new Set([404]));
	for (let n = 0; n < 30; n++)
		statuses.push((await linkPage(() => small.base, { url: `x/s/${n}` })('POST', '/share-link')).status);
	assert.deepEqual(new Set(statuses), new Set([404, 429]));
	assert.equal(statuses.at(-1), 429);
});
