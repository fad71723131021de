import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { client } from '../support/client.ts';
import {
	assertProblem,
	assertStatus,
	face,
	freshDomain,
	type ItemKind,
	itemOf,
	itemsOf,
	websiteOf,
} from '../support/contract.ts';
import { world } from '../support/world.ts';

/** What goals, funnels, segments, notes and traffic rules have in common, tried with each of them. */
const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const stranger = await w.account({ timezone: 'UTC' });
const reader = client(w.base, (await w.key(owner, { access: 'read' })).key);

const create = async (api = owner.api) =>
	websiteOf(await api('POST', '/websites', { form: { domain: freshDomain() } }), 201);

let made = 0;
type Sent = Record<string, unknown>;
type Case = {
	kind: ItemKind;
	one: string;
	most: number;
	/** A good body, another each time. */
	body: () => Sent;
	/** A change of something else than the name. */
	change: Sent;
	/** Each field as it must not be. */
	bad: Sent;
	columns: string;
	values: (n: string) => string;
};
const cases: Case[] = [
	{
		kind: 'goals',
		one: 'goal',
		most: 200,
		body: () => ({ name: `Goal ${++made}`, kind: 'page', pattern: '/thanks*', property: null }),
		change: { pattern: '/danke', property: { name: 'plan', value: 'pro' } },
		bad: { name: '', kind: 'click', pattern: '/******', property: 'x' },
		columns: 'revision, name, kind, pattern',
		values: (n) => `${n}, 'Filler ' || ${n}, 'page', '/'`,
	},
	{
		kind: 'funnels',
		one: 'funnel',
		most: 50,
		body: () => ({ name: `Funnel ${++made}`, steps: [{ page: '/' }, { page: '/cart*' }] }),
		change: { steps: [{ page: '/a' }, { page: '/b' }, { page: '*c' }] },
		bad: { name: ' ', steps: [{ page: '/' }] },
		columns: 'name, steps',
		values: (n) => `'Filler ' || ${n}, '[]'`,
	},
	{
		kind: 'segments',
		one: 'segment',
		most: 100,
		body: () => ({ name: `Segment ${++made}`, filters: ['is', 'country', ['DE']] }),
		change: { filters: ['and', ['is', 'os', ['Linux']], ['is_not', 'device', ['tablet']]] },
		bad: { name: 'x'.repeat(101), filters: ['is', 'nothing', ['x']] },
		columns: 'name, filters',
		values: (n) => `'Filler ' || ${n}, '["is","country",["DE"]]'`,
	},
	{
		kind: 'notes',
		one: 'note',
		most: 2_000,
		body: () => ({ date: '2026-11-15', text: `Note ${++made}` }),
		change: { date: '2026-02-28', text: 'Another text' },
		bad: { date: '2026-02-29', text: 'x'.repeat(501) },
		columns: 'date, text',
		values: (n) => `'2026-11-15', 'Filler ' || ${n}`,
	},
	{
		kind: 'traffic-rules',
		one: 'traffic_rule',
		most: 500,
		body: () => ({ name: `Rule ${++made}`, kind: 'path', test: 'is', values: ['/a', '/b'], enabled: true }),
		change: { test: 'starts_with', values: ['/c', '/d/é'], enabled: false },
		bad: { name: '', kind: 'asn', values: [] },
		columns: 'name, kind, test, entries, enabled',
		values: (n) => `'Filler ' || ${n}, 'path', 'is', '{/x}', true`,
	},
];

for (const { kind, one, most, body, change, bad, columns, values } of cases) {
	const at = (website: number, id?: number | string) =>
		`/websites/${website}/${kind}${id === undefined ? '' : `/${id}`}`;
	const table = kind.replace('-', '_');
	const make = async (website: number, sent: Sent = body()) =>
		itemOf(kind, await owner.api('POST', at(website), { json: sent }), 201);
	const fill = (website: number, count: number) =>
		w.sql(
			`INSERT INTO ${table} (website_id, created_at, updated_at, ${columns})
			SELECT $1, now(), now(), ${values('n')} FROM generate_series(1, $2) AS n`,
			[website, count],
		);

	test(`[C-ITEM-1] ${kind}: an empty list, a page, the next one`, async () => {
		const { id } = await create();
		const path = `${w.publicUrl}/api/v1${at(id)}`;
		assert.deepEqual(itemsOf(kind, await owner.api('GET', at(id))), {
			data: [],
			links: { first: `${path}?page=1`, last: `${path}?page=1`, prev: null, next: null },
			meta: { current_page: 1, from: null, last_page: 1, path, per_page: 10, to: null, total: 0 },
		});
		const records = [];
		for (let n = 0; n < 12; n++) records.push(await make(id));
		const first = itemsOf(kind, await owner.api('GET', at(id)));
		assert.deepEqual(first.data, records.slice(2).reverse(), 'the newest first');
		assert.equal(first.links.next, `${path}?page=2`);
		assert.equal(first.meta.total, 12);
		const second = itemsOf(kind, await owner.api('GET', `${at(id)}?page=2`));
		assert.deepEqual(second.data, records.slice(0, 2).reverse());
		assert.deepEqual(second.meta, {
			...{ current_page: 2, from: 11, last_page: 2, path, per_page: 10, to: 12, total: 12 },
		});
		const all = itemsOf(kind, await owner.api('GET', `${at(id)}?per_page=25&unknown=1&page=`));
		assert.deepEqual(all.data, [...records].reverse());
		assert.equal(all.links.first, `${path}?per_page=25&page=1`);
		assert.deepEqual(itemsOf(kind, await owner.api('GET', `${at(id)}?page=9`)).data, []);
		const wrong = await owner.api('GET', `${at(id)}?per_page=7&page=-1`);
		assertProblem(wrong, 'validation_failed', ['page', 'per_page']);
	});

	test(`[C-ITEM-2] ${kind}: create answers 201, the record, Location and an ETag`, async () => {
		const { id } = await create();
		const sent = body();
		const answer = await owner.api('POST', at(id), { json: sent });
		const record = itemOf(kind, answer, 201);
		const { id: itemId, created_at, updated_at } = record;
		assert.deepEqual(record, { id: itemId, ...sent, created_at, updated_at });
		assert.equal(created_at, updated_at);
		assert.equal(answer.headers.location, `${w.publicUrl}/api/v1${at(id, itemId)}`);
		const got = await owner.api('GET', at(id, itemId));
		assert.deepEqual(itemOf(kind, got), record);
		assert.equal(got.headers.etag, answer.headers.etag);
	});

	test(`[C-ITEM-3] ${kind}: get bears a strong ETag, and If-None-Match is 304`, async () => {
		const { id } = await create();
		const path = at(id, (await make(id)).id);
		const { headers } = await owner.api('GET', path);
		assert.match(headers.etag ?? '', /^"[^"]+"$/);
		const again = await owner.api('GET', path, { headers: { 'if-none-match': headers.etag ?? '' } });
		assertStatus(again, 304);
		assert.equal(again.text, '');
		assertStatus(await owner.api('GET', path, { headers: { 'if-none-match': '"x"' } }), 200);
		assertStatus(await owner.api('HEAD', path), 200);
	});

	for (const method of ['PUT', 'PATCH'])
		test(`[C-ITEM-4] ${kind}: ${method} changes what is sent and nothing else`, async () => {
			const { id } = await create();
			const record = await make(id);
			const path = at(id, record.id);
			assert.deepEqual(itemOf(kind, await owner.api(method, path)), record, 'an empty body');
			for (const [name, value] of Object.entries(change)) {
				const before = itemOf(kind, await owner.api('GET', path));
				const answer = await owner.api(method, path, { json: { [name]: value, id: 1, website_id: 1 } });
				const changed = itemOf(kind, answer);
				const { updated_at } = changed;
				assert.deepEqual(changed, { ...before, [name]: value, updated_at });
				assert.ok(updated_at > before.updated_at);
				const got = await owner.api('GET', path);
				assert.deepEqual(itemOf(kind, got), changed);
				assert.equal(got.headers.etag, answer.headers.etag);
				assert.deepEqual(itemOf(kind, await owner.api(method, path, { json: { [name]: value } })), changed);
			}
		});

	test(`[C-ITEM-4] ${kind}: what was read can be sent back, as JSON and as a form`, async () => {
		const { id } = await create();
		const record = await make(id);
		const path = at(id, record.id);
		assert.deepEqual(itemOf(kind, await owner.api('PUT', path, { json: record })), record);
		const form = Object.fromEntries(
			Object.entries(record).map(([name, value]) => [
				name,
				value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value),
			]),
		);
		assert.deepEqual(itemOf(kind, await owner.api('PUT', path, { form })), record);
	});

	test(`[C-ITEM-4] ${kind}: changes of different fields at the same moment all survive`, async () => {
		const { id } = await create();
		const record = await make(id);
		const path = at(id, record.id);
		await Promise.all(
			Object.entries(change).map(([name, value]) => owner.api('PUT', path, { json: { [name]: value } })),
		);
		const { updated_at } = itemOf(kind, await owner.api('GET', path));
		assert.deepEqual(itemOf(kind, await owner.api('GET', path)), { ...record, ...change, updated_at });
	});

	test(`[C-ITEM-5] ${kind}: deleted is deleted, and its id is not given again`, async () => {
		const { id } = await create();
		const [kept, gone] = [await make(id), await make(id)];
		const answer = await owner.api('DELETE', at(id, gone.id));
		assertStatus(answer, 200);
		assert.deepEqual(answer.json, { data: { id: gone.id, object: one, deleted: true } });
		for (const method of ['GET', 'PUT', 'DELETE'])
			assertProblem(await owner.api(method, at(id, gone.id)), 'not_found');
		assert.deepEqual(itemsOf(kind, await owner.api('GET', at(id))).data, [kept]);
		assert.ok((await make(id)).id > gone.id);
	});

	test(`[C-ITEM-6] ${kind}: what is not there and what is not yours is 404, byte for byte, before the body`, async () => {
		const [mine, mineToo, theirs] = [await create(), await create(), await create(stranger.api)];
		const there = itemOf(kind, await stranger.api('POST', at(theirs.id), { json: body() }), 201);
		const { id } = await make(mine.id);
		const nothing = face(await owner.api('GET', at(mine.id, 10 ** 12)));
		assert.equal(nothing.status, 404);
		const paths = [
			at(theirs.id, there.id),
			at(mine.id, there.id),
			at(mineToo.id, id),
			...['0', '-1', `0${id}`, `${id}.0`, `${id}x`, 'null', '9'.repeat(30)].map((odd) => at(mine.id, odd)),
			at(10 ** 12, id),
		];
		for (const path of paths)
			for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
				const call = method === 'PUT' ? { body: '{', headers: { 'content-type': 'text/xml' } } : {};
				assert.deepEqual(face(await owner.api(method, path, call)), nothing, `${method} ${path}`);
			}
		for (const method of ['GET', 'POST'])
			assert.deepEqual(face(await owner.api(method, `${at(theirs.id)}?page=x`)), nothing);
		assert.deepEqual(itemOf(kind, await stranger.api('GET', at(theirs.id, there.id))), there);
		assert.equal(itemOf(kind, await owner.api('GET', at(mine.id, id))).id, id);
	});

	test(`[C-ITEM-7] ${kind}: a stale If-Match is 412 and changes nothing`, async () => {
		const { id } = await create();
		const record = await make(id);
		const path = at(id, record.id);
		const etag = (await owner.api('GET', path)).headers.etag ?? '';
		const headers = { 'if-match': '"stale"' };
		assertProblem(await owner.api('PUT', path, { json: change, headers }), 'precondition_failed');
		assertProblem(await owner.api('DELETE', path, { headers }), 'precondition_failed');
		assert.deepEqual(itemOf(kind, await owner.api('GET', path)), record);
		assertStatus(await owner.api('PUT', path, { json: change, headers: { 'if-match': etag } }), 200);
		assertProblem(await owner.api('DELETE', path, { headers: { 'if-match': etag } }), 'precondition_failed');
		assertStatus(await owner.api('DELETE', path, { headers: { 'if-match': '*' } }), 200);
	});

	test(`[C-ITEM-8] ${kind}: a read key reads and does not write`, async () => {
		const { id } = await create();
		const record = await make(id);
		assert.deepEqual(itemOf(kind, await reader('GET', at(id, record.id))), record);
		assert.deepEqual(itemsOf(kind, await reader('GET', at(id))).data, [record]);
		const broken = { body: '{', headers: { 'content-type': 'application/json' } };
		assertProblem(await reader('POST', at(id), broken), 'forbidden');
		assertProblem(await reader('PUT', at(id, record.id), { json: change }), 'forbidden');
		assertProblem(await reader('DELETE', at(id, record.id)), 'forbidden');
		assert.deepEqual(itemsOf(kind, await owner.api('GET', at(id))).data, [record]);
	});

	test(`[C-ITEM-9] ${kind}: all faulty fields are named at once, and nothing is done`, async () => {
		const { id } = await create();
		const fields = Object.keys(bad);
		assertProblem(await owner.api('POST', at(id), { json: bad }), 'validation_failed', fields);
		const missing = fields.filter((name) => name !== 'property');
		assertProblem(await owner.api('POST', at(id)), 'validation_failed', missing);
		const record = await make(id);
		const answer = await owner.api('PUT', at(id, record.id), { json: bad });
		assertProblem(answer, 'validation_failed', fields);
		const half = { ...change, ...Object.fromEntries(Object.entries(bad).slice(0, 1)) };
		assertProblem(await owner.api('PUT', at(id, record.id), { json: half }), 'validation_failed', [
			fields[0] ?? '',
		]);
		assert.deepEqual(itemsOf(kind, await owner.api('GET', at(id))).data, [record]);
	});

	test(`[C-ITEM-9] ${kind}: each field refuses other types, NUL, halves of characters and null`, async () => {
		const { id } = await create();
		const record = await make(id);
		for (const name of Object.keys(bad))
			for (const value of [true, 7, {}, [[]], 'a\0b', '\ud800', name === 'property' ? 'null x' : null]) {
				const answer = await owner.api('PUT', at(id, record.id), { json: { [name]: value } });
				assertProblem(answer, 'validation_failed', [name]);
			}
		for (const type of ['text/plain', 'multipart/form-data'])
			assertProblem(
				await owner.api('POST', at(id), { body: 'x', headers: { 'content-type': type } }),
				'unsupported_media_type',
			);
		const broken = { body: '{', headers: { 'content-type': 'application/json' } };
		assertProblem(await owner.api('PUT', at(id, record.id), broken), 'bad_request');
		assert.deepEqual(itemsOf(kind, await owner.api('GET', at(id))).data, [record]);
	});

	if (kind !== 'notes') {
		test(`[C-ITEM-10] ${kind}: a name is trimmed, has up to 100 characters and is unique, letter case aside not`, async () => {
			const [{ id }, other] = [await create(), await create()];
			const first = await make(id, { ...body(), name: '  It\'s a "name"\t' });
			assert.equal('name' in first && first.name, 'It\'s a "name"');
			const answer = await owner.api('POST', at(id), { json: { ...body(), name: 'It\'s a "name" ' } });
			assertProblem(answer, 'validation_failed', ['name']);
			assert.match(answer.text, new RegExp(`already has a ${one.replace('_', ' ')}`));
			await make(id, { ...body(), name: 'it\'s a "name"' });
			await make(other.id, { ...body(), name: 'It\'s a "name"' });
			const long = await make(id, { ...body(), name: '👋'.repeat(100) });
			const taken = await owner.api('PUT', at(id, long.id), { json: { name: 'It\'s a "name"' } });
			assertProblem(taken, 'validation_failed', ['name']);
			assertStatus(await owner.api('PUT', at(id, long.id), { json: { name: '👋'.repeat(100) } }), 200);
			assertProblem(
				await owner.api('PUT', at(id, long.id), { json: { name: '👋'.repeat(101) } }),
				'validation_failed',
				['name'],
			);
		});

		test(`[C-ITEM-10] ${kind}: of ten creates with one name at the same moment one is made`, async () => {
			const { id } = await create();
			const json = { ...body(), name: 'The same' };
			const answers = await Promise.all(
				Array.from({ length: 10 }, () => owner.api('POST', at(id), { json })),
			);
			assert.deepEqual(answers.map(({ status }) => status).sort(), [
				201,
				...Array.from({ length: 9 }, () => 422),
			]);
			assert.equal(itemsOf(kind, await owner.api('GET', at(id))).meta.total, 1);
		});
	}

	test(`[C-ITEM-11] ${kind}: a website has at most ${most}, also when two come at once`, async () => {
		const { id } = await create();
		await fill(id, most - 1);
		const answers = await Promise.all(
			Array.from({ length: 5 }, () => owner.api('POST', at(id), { json: body() })),
		);
		assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422, 422, 422]);
		const refused = answers.find(({ status }) => status === 422);
		assert.ok(refused);
		assertProblem(refused, 'limit_reached', [one]);
		assert.match(refused.text, new RegExp(`at most ${most} ${kind.replace('-', ' ')}`));
		assert.equal(itemsOf(kind, await owner.api('GET', at(id))).meta.total, most);
	});

	test(`[C-ITEM-12] ${kind}: a form says the same as JSON, lists and objects as JSON text`, async () => {
		const { id } = await create();
		const sent = { ...body(), ...change };
		const form = Object.fromEntries(
			Object.entries(sent).map(([name, value]) => [
				name,
				typeof value === 'string' ? value : JSON.stringify(value),
			]),
		);
		const record = itemOf(kind, await owner.api('POST', at(id), { form }), 201);
		const { created_at, updated_at } = record;
		assert.deepEqual(record, { id: record.id, ...sent, created_at, updated_at });
		for (const name of Object.keys(form)) {
			const answer = await owner.api('PUT', at(id, record.id), { form: { [`${name}[x]`]: 'y' } });
			assertProblem(answer, 'validation_failed', [name]);
		}
	});

	test(`[C-ITEM-13] ${kind}: they go with their website and leave its record alone`, async () => {
		const { id } = await create();
		const before = await owner.api('GET', `/websites/${id}`);
		const record = await make(id);
		await owner.api('PUT', at(id, record.id), { json: change });
		const after = await owner.api('GET', `/websites/${id}`);
		assert.equal(after.text, before.text);
		assertStatus(await owner.api('POST', `/websites/${id}/reset`), 200);
		assertStatus(await owner.api('GET', at(id, record.id)), 200);
		assertStatus(await owner.api('DELETE', `/websites/${id}`), 200);
		assertProblem(await owner.api('GET', at(id, record.id)), 'not_found');
		assertProblem(await owner.api('GET', at(id)), 'not_found');
		assertProblem(await owner.api('POST', at(id), { json: body() }), 'not_found');
		assert.deepEqual(await w.sql(`SELECT id FROM ${table} WHERE website_id = $1`, [id]), []);
	});
}
