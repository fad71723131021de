import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { send } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { until } from '../support/service.ts';
import { patience } from '../support/timeout-factor.ts';
import { world } from '../support/world.ts';

// The clock of the service stands still unless a test moves it: then the half hour does not move either.
let now = new Date('2026-11-15T09:10:30.000Z');
const w = await world({ after }, { now: () => now });
const owner = await w.account({ timezone: 'UTC' });
const create = async (fields: Record<string, string> = {}) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...fields } }), 201);

const count = z.int().nonnegative();
const rows = z.array(z.strictObject({ value: z.string(), visitors: count }));
const schema = z.strictObject({
	data: z.strictObject({
		visitors: count,
		minutes: z.array(z.strictObject({ time: z.string(), visitors: count, pageviews: count })),
		pages: rows,
		sources: rows,
		countries: rows,
	}),
	meta: z.strictObject({ as_of: z.string(), step_minutes: z.literal([1, 5]) }),
});
type Picture = z.infer<typeof schema>;

async function look({ id }: Website): Promise<Picture> {
	const answer = await owner.api('GET', `/websites/${id}/live`);
	assertStatus(answer, 200);
	return schema.parse(answer.json);
}

let hits = 0;
async function visit({ id, domain }: Website, path: string, visitor: number, more: object = {}) {
	const answer = await send(w.base, 'POST', '/tm', {
		body: JSON.stringify({
			w: id,
			i: `${++hits}`.padStart(8, 'a'),
			n: 'pageview',
			u: `https://${domain}${path}`,
			...more,
		}),
		headers: {
			'user-agent': `Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/${100 + visitor}.0`,
		},
	});
	assert.equal(answer.status, 202);
	assert.equal(answer.headers['x-tidemark-dropped'], undefined);
}

/** What comes of a stream: its pictures, and how many comments stood between them. */
async function watch({ id }: Website, key = owner.key) {
	const leaving = new AbortController();
	const response = await fetch(`${w.base}/api/v1/websites/${id}/live/stream`, {
		headers: { authorization: `Bearer ${key}` },
		signal: leaving.signal,
	});
	const seen = { pictures: [] as Picture[], comments: 0, isOver: false, response };
	const read = async () => {
		let text = '';
		for await (const piece of response.body ?? []) {
			text += Buffer.from(piece).toString();
			for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
				const message = text.slice(0, end);
				text = text.slice(end + 2);
				if (message.startsWith(':')) seen.comments += 1;
				else seen.pictures.push(schema.parse(JSON.parse(message.replace(/^data: /, ''))));
			}
		}
	};
	const reading = read()
		.catch((error: Error) => assert.equal(error.name, 'AbortError'))
		.finally(() => {
			seen.isOver = true;
		});
	return { seen, leave: () => leaving.abort(), over: reading };
}

test('[C-LIVE-1] who was active in the last five minutes, and the last half hour by the minute', async () => {
	const website = await create();
	const nothing = await look(website);
	assert.equal(nothing.data.visitors, 0);
	assert.equal(nothing.data.minutes.length, 30);
	assert.deepEqual(nothing.data.minutes[0], { time: '2026-11-15T08:41:00.000Z', visitors: 0, pageviews: 0 });
	assert.deepEqual(nothing.data.minutes[29]?.time, '2026-11-15T09:10:00.000Z');
	assert.deepEqual(nothing.meta, { as_of: '2026-11-15T09:10:30.000Z', step_minutes: 1 });

	await visit(website, '/a', 1, { r: 'https://www.google.com/' });
	await visit(website, '/b', 1, { r: `https://${website.domain}/a` });
	await visit(website, '/a', 2);
	await w.drain();
	const some = await look(website);
	assert.equal(some.data.visitors, 2);
	assert.deepEqual(some.data.minutes[29], { time: '2026-11-15T09:10:00.000Z', visitors: 2, pageviews: 3 });
	assert.deepEqual(some.data.pages, [
		{ value: '/a', visitors: 2 },
		{ value: '/b', visitors: 1 },
	]);
	// The second visitor came directly; the first page view of the first one came from a search.
	assert.deepEqual(some.data.sources, [
		{ value: '', visitors: 1 },
		{ value: 'Google', visitors: 1 },
	]);
	assert.equal(
		some.data.countries.reduce((sum, { visitors }) => sum + visitors, 0),
		2,
	);

	const before = now;
	now = new Date(now.getTime() + 5 * 60_000 + 1);
	const later = await look(website);
	now = before;
	assert.equal(later.data.visitors, 0);
	assert.deepEqual(later.data.pages, []);
	assert.equal(later.data.minutes[24]?.pageviews, 3);
});

test('[C-LIVE-1] a reset empties it', async () => {
	const website = await create();
	await visit(website, '/', 1);
	await w.drain();
	assert.equal((await look(website)).data.visitors, 1);
	const before = now;
	now = new Date(now.getTime() + 1_000);
	assertStatus(await owner.api('POST', `/websites/${website.id}/reset`), 200);
	assert.equal((await look(website)).data.visitors, 0);
	now = before;
});

test('[C-LIVE-3] a stream tells the picture at once and again when it has changed', async () => {
	const website = await create();
	const { seen, leave, over } = await watch(website);
	assert.equal(seen.response.headers.get('content-type'), 'text/event-stream');
	assert.match(seen.response.headers.get('cache-control') ?? '', /no-store/);
	await until(() => seen.pictures.length === 1, 2_000, 'the picture is there');
	assert.deepEqual(seen.pictures[0], await look(website));
	await visit(website, '/a', 1);
	await until(() => seen.pictures.length === 2, 6_000, 'a second one is there');
	assert.equal(seen.pictures[1]?.data.visitors, 1);
	await wait(4_500);
	assert.equal(seen.pictures.length, 2);
	leave();
	await over;
});

test('[C-LIVE-3] a comment keeps a quiet stream alive', async () => {
	const { seen, leave, over } = await watch(await create());
	await until(() => seen.comments === 1, 18_000, 'the stream says that it lives');
	assert.equal(seen.pictures.length, 1);
	leave();
	await over;
});

test('[C-LIVE-5] 50 streams of an account, not 51; one that was left makes room', async () => {
	const account = await w.account();
	const website = websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const path = `/websites/${website.id}/live/stream`;
	// They are asked about and not opened: they take no place.
	for (let n = 0; n < 60; n++) assert.equal((await account.api('HEAD', path)).status, 200);
	const streams = await Promise.all(Array.from({ length: 50 }, () => watch(website, account.key)));
	assert.ok(streams.every(({ seen }) => seen.response.status === 200));
	const refused = await account.api('GET', path);
	assertProblem(refused, 'too_many_requests');
	assert.match(refused.headers['retry-after'] ?? '', /^\d+$/);
	streams[0]?.leave();
	await streams[0]?.over;
	await wait(200);
	const another = await watch(website, account.key);
	assert.equal(another.seen.response.status, 200);
	await until(() => another.seen.pictures.length === 1, 10_000, 'the picture is there');
	for (const { leave } of [...streams, another]) leave();
	await Promise.all([...streams, another].map(({ over }) => over));
});

test('[C-LIVE-6] a stream ends when its key is revoked or its website is gone', async () => {
	const website = await create();
	const { id, key } = await w.key(owner);
	const revoked = await watch(website, key);
	const deleted = await watch(website);
	await until(
		() => revoked.seen.pictures.length + deleted.seen.pictures.length === 2,
		10_000,
		'both have a picture',
	);
	await w.revokeKey(id);
	await visit(website, '/a', 1);
	await until(
		() => revoked.seen.isOver && deleted.seen.pictures.length === 2,
		10_000,
		'the revoked one is over, the other goes on',
	);
	// Nothing was told after the key was gone.
	assert.equal(revoked.seen.pictures.length, 1);
	assertStatus(await owner.api('DELETE', `/websites/${website.id}`), 200);
	await until(() => deleted.seen.isOver, 10_000, 'it is over');
});

test('[T86][C-LIVE-6] a stream that a key opened ends when the website is transferred or the key loses it', async () => {
	const [website, kept] = [await create(), await create()];
	const limited = await w.key(owner, { websites: [kept.id] });
	const streams = [await watch(website), await watch(kept, limited.key)] as const;
	await until(() => streams.every(({ seen }) => seen.pictures.length === 1), 10_000, 'both have a picture');
	const { email } = await w.account();
	await w.operate('website.move', { id: website.id, email });
	await w.sql('UPDATE api_keys SET website_ids = $2 WHERE id = $1', [limited.id, [website.id]]);
	await w.sql(`SELECT pg_notify('tidemark_keys', '')`);
	await visit(website, '/a', 1);
	await visit(kept, '/a', 1);
	await until(() => streams.every(({ seen }) => seen.isOver), 10_000, 'both are over');
	// Nothing was told after the right to it was gone.
	for (const { seen } of streams) assert.equal(seen.pictures.length, 1);
});

test('[C-LIVE-6] a stop ends all streams and does not wait for them', async () => {
	const website = await create();
	const streams = await Promise.all([watch(website), watch(website)]);
	await until(() => streams.every(({ seen }) => seen.pictures.length === 1), 10_000, 'all have a picture');
	let tookMs = Number.POSITIVE_INFINITY;
	const began = performance.now();
	await w.restart(async () => {
		tookMs = performance.now() - began;
		assert.ok(streams.every(({ seen }) => seen.isOver));
	});
	assert.ok(tookMs < 5_000 * patience, `${tookMs} ms`);
});

const feedSchema = z.strictObject({
	data: z.strictObject({
		events: z.array(
			z.strictObject({
				time: z.string().regex(/:00\.000Z$/),
				name: z.string().nullable(),
				page: z.string(),
				source: z.string().nullable(),
			}),
		),
		current_pages: rows,
		devices: rows,
	}),
	meta: z.strictObject({ as_of: z.string() }),
});

test('[C-LIVE-9] [T109] the feed has the latest events without visitors, and where each visitor is', async () => {
	const website = await create();
	const feed = async () =>
		feedSchema.parse((await owner.api('GET', `/websites/${website.id}/live/feed`)).json).data;
	const count = async () => (await feed()).events.length;
	assert.deepEqual(await feed(), { events: [], current_pages: [], devices: [] });
	await visit(website, '/a', 1, { r: 'https://www.google.com/' });
	await until(async () => (await count()) === 1, 20_000, 'the first is there');
	const before = now;
	now = new Date(now.getTime() + 1_000);
	await visit(website, '/b', 2);
	await visit(website, '/b', 1, { r: `https://${website.domain}/a` });
	await visit(website, '/b', 1, { n: 'signup', p: { plan: 'secret' } });
	await until(async () => (await count()) === 4, 20_000, 'all are there');
	const { events, current_pages, devices } = await feed();
	assert.deepEqual(events.at(-1), { ...events.at(-1), name: null, page: '/a', source: 'Google' });
	const later = events.slice(0, -1).map(({ name, page, source }) => `${name} ${page} ${source}`);
	assert.deepEqual(later.toSorted(), ['null /b ', 'null /b null', 'signup /b null']);
	assert.deepEqual(current_pages, [{ value: '/b', visitors: 2 }]);
	assert.deepEqual(devices, [{ value: 'desktop', visitors: 2 }]);
	now = new Date(now.getTime() + 1_000);
	assertStatus(await owner.api('POST', `/websites/${website.id}/reset`), 200);
	assert.deepEqual(await feed(), { events: [], current_pages: [], devices: [] });
	now = before;
});

for (const path of ['live', 'live/stream', 'live/feed'])
	test(`[C-LIVE-7] /${path}: parameters are 422, an unknown website 404`, async () => {
		const { id } = await create();
		assertProblem(await owner.api('GET', `/websites/${id}/${path}?period=7d`), 'validation_failed', [
			'period',
		]);
		const stranger = await w.account();
		assertProblem(await stranger.api('GET', `/websites/${id}/${path}?period=7d`), 'not_found');
	});
