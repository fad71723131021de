import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { z } from 'zod';
import { installDatabase, removeDatabase } from '../../server/geo/files.ts';
import { param, sql } from '../../server/store/sql.ts';
import { client, send } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain, itemOf, websiteOf } from '../support/contract.ts';
import { makeMmdb } from '../support/mmdb.ts';
import { seededRandom } from '../support/random.ts';
import { temporaryFolder } from '../support/service.ts';
import { world } from '../support/world.ts';

const w = await world({ after }, { now: () => new Date('2026-11-15T09:00:00Z') });
const owner = await w.account({ timezone: 'UTC' });
const create = async () =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);

type Sent = { name?: string; kind: string; test?: string; values: string[]; enabled?: boolean };
let made = 0;
const addRule = async (id: number, rule: Sent) =>
	itemOf(
		'traffic-rules',
		await owner.api('POST', `/websites/${id}/traffic-rules`, { json: { name: `Rule ${++made}`, ...rule } }),
		201,
	);

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
let hits = 0;
/** Sends a hit as the tracker does. */
const hit = (website: { id: number }, url: string, more: Record<string, unknown> = {}, agent = browser) =>
	send(w.base, 'POST', '/tm', {
		body: JSON.stringify({ w: website.id, i: `a${++hits}`, n: 'pageview', u: url, ...more }),
		headers: { 'user-agent': agent },
	});

const dropsSchema = z.object({
	data: z.object({
		total: z.int(),
		reasons: z.array(z.object({ reason: z.string(), count: z.int() })),
		rules: z.array(z.object({ id: z.int(), name: z.string(), count: z.int() })),
	}),
});
const dropsOf = async (id: number) => {
	await w.drain();
	return dropsSchema.parse((await owner.api('GET', `/websites/${id}/drops`)).json).data;
};
/** The drops, once there are this many. */
async function droppedOf(id: number, total: number) {
	for (let tries = 0; tries < 100; tries++) {
		const drops = await dropsOf(id);
		if (drops.total >= total) return drops;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
	throw new Error(`The drops were never counted: ${JSON.stringify(await dropsOf(id))}.`);
}
const statsOf = async (id: number) => {
	await w.drain();
	const answer = await owner.api('GET', `/websites/${id}/stats?period=today&metrics=visits,pageviews`);
	return (answer.json as { data: { totals: { visits: number; pageviews: number } } }).data.totals;
};

/** Stored events: statistics of today may be those of a moment ago. */
const storedOf = async (id: number) => {
	await w.drain();
	const [row] = await w.clickhouse.rows<{ count: number }>(
		sql`SELECT toUInt32(count()) AS count FROM events WHERE website_id = ${param('UInt32', id)}`,
		{ as: 'migrate' },
	);
	return row?.count;
};

test('[C-RULE-5] [C-DROP-8] a rule takes effect at once, counts what it drops, and stops when it is disabled or deleted', async () => {
	const website = await create();
	const urlOf = (path: string) => `https://${website.domain}${path}`;
	await hit(website, urlOf('/admin'));
	const rule = await addRule(website.id, {
		name: 'Admin',
		kind: 'path',
		test: 'starts_with',
		values: ['/admin'],
	});
	for (const path of ['/admin', '/admin/users?x=1', '/about']) await hit(website, urlOf(path));
	const drops = await droppedOf(website.id, 2);
	assert.deepEqual(drops.rules, [{ id: rule.id, name: 'Admin', count: 2 }]);
	assert.deepEqual(
		drops.reasons.filter(({ count }) => count > 0).map(({ reason, count }) => [reason, count]),
		[['rule', 2]],
	);
	assert.equal(await storedOf(website.id), 2, 'past traffic stays');
	const path = `/websites/${website.id}/traffic-rules/${rule.id}`;
	assertStatus(await owner.api('PUT', path, { json: { enabled: false } }), 200);
	await hit(website, urlOf('/admin'));
	assertStatus(await owner.api('PUT', path, { json: { enabled: true } }), 200);
	await hit(website, urlOf('/admin'));
	assert.equal((await droppedOf(website.id, 3)).rules[0]?.count, 3);
	assertStatus(await owner.api('DELETE', path), 200);
	await hit(website, urlOf('/admin'));
	assert.equal(await storedOf(website.id), 4);
	const left = await dropsOf(website.id);
	assert.equal(left.total, 3);
	assert.deepEqual(left.rules, []);
	assert.deepEqual(await w.sql('SELECT * FROM rule_drops WHERE rule_id = $1', [rule.id]), []);
});

test('[C-RULE-5] each kind is compared with what is stored, and network and user agent with what is sent', async () => {
	const website = await create();
	const { domain } = website;
	type Work = () => Promise<unknown>;
	const cases: [rule: Sent, dropped: Work[], kept: Work[]][] = [
		[
			{ kind: 'path', values: ['/café'] },
			[() => hit(website, `https://${domain}/caf%C3%A9?q=1`)],
			[() => hit(website, `https://${domain}/caf`)],
		],
		[
			{ kind: 'hostname', values: [`Shop.${domain}`] },
			[() => hit(website, `https://SHOP.${domain}/`)],
			[() => hit(website, `https://www.${domain}/`)],
		],
		[
			{ kind: 'referrer', values: ['spam.example'] },
			[
				() => hit(website, `https://${domain}/`, { r: 'https://Spam.example/' }),
				() => hit(website, `https://${domain}/`, { r: 'http://a.b.spam.example/x?y' }),
			],
			[() => hit(website, `https://${domain}/`, { r: 'https://notspam.example/spam.example' })],
		],
		[
			{ kind: 'referrer', values: ['.Bücher.example.'] },
			[() => hit(website, `https://${domain}/`, { r: 'https://neu.xn--bcher-kva.example/' })],
			[() => hit(website, `https://${domain}/`, { r: 'https://bucher.example/' })],
		],
		[
			{ kind: 'referrer', test: 'contains', values: ['/Newsletter'] },
			[() => hit(website, `https://${domain}/`, { r: 'https://mail.example/NewsLetter/1' })],
			[() => hit(website, `https://${domain}/`, { r: 'https://newsletter.example/1' })],
		],
		[
			{ kind: 'hostname', values: [`Bücher.${domain}`] },
			[() => hit(website, `https://xn--bcher-kva.${domain}/`)],
			[() => hit(website, `https://bucher.${domain}/`)],
		],
		[
			{ kind: 'campaign', test: 'wildcard', values: ['test-*'] },
			[() => hit(website, `https://${domain}/?utm_campaign=test-1`)],
			[() => hit(website, `https://${domain}/?utm_campaign=Test-1`)],
		],
		[
			{ kind: 'user_agent', values: ['curious-READER'] },
			[() => hit(website, `https://${domain}/`, {}, `${browser} Curious-Reader/1.0`)],
			[() => hit(website, `https://${domain}/`)],
		],
	];
	let total = 0;
	for (const [rule, dropped, kept] of cases) {
		const { id } = await addRule(website.id, rule);
		for (const work of [...dropped, ...kept]) await work();
		total += dropped.length;
		const drops = await droppedOf(website.id, total);
		assert.equal(drops.total, total, rule.kind);
		assert.equal(drops.rules.find((entry) => entry.id === id)?.count, dropped.length, rule.kind);
	}
	assert.equal(await storedOf(website.id), cases.length);
});

test('[C-RULE-6] the referrer of the website itself never matches, and later pages of a visit stay', async () => {
	const website = await create();
	const urlOf = (path: string) => `https://${website.domain}${path}`;
	await addRule(website.id, { kind: 'referrer', test: 'contains', values: ['example'] });
	await hit(website, urlOf('/'), { r: 'https://other.example/' });
	await hit(website, urlOf('/two'), { r: urlOf('/') });
	await hit(website, urlOf('/three'), { r: urlOf('/two') });
	await droppedOf(website.id, 1);
	assert.deepEqual(await statsOf(website.id), { visits: 1, pageviews: 2 });
	const answer = await owner.api('GET', `/websites/${website.id}/stats/source?period=today`);
	assert.match(answer.text, /"internal"/);
});

test('[C-RULE-7] several rules: one of them counts the hit, the first kind and then the oldest', async () => {
	const website = await create();
	const url = `https://${website.domain}/a`;
	const [path, agent, older] = [
		await addRule(website.id, { kind: 'path', values: ['/a'] }),
		await addRule(website.id, { kind: 'user_agent', values: ['curious'] }),
		await addRule(website.id, { kind: 'path', test: 'contains', values: ['a'] }),
	];
	await hit(website, url);
	await hit(website, url, {}, `${browser} Curious/1`);
	await hit(website, `${url}b`);
	const { rules, total } = await droppedOf(website.id, 3);
	assert.equal(total, 3);
	assert.deepEqual(
		new Map(rules.map(({ id, count }) => [id, count])),
		new Map([
			[path.id, 1],
			[agent.id, 1],
			[older.id, 1],
		]),
	);
});

test('[C-RULE-8] the preview counts the visits whose hits the rule then drops', async (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const website = await create();
	const pick = <T>(list: readonly [T, ...T[]]): T => list[random.whole(list.length)] ?? list[0];
	const events = Array.from({ length: 60 }, () => ({
		url: `https://${pick(['', 'www.', 'shop.'])}${website.domain}${pick(['/', '/a', '/a/b', '/blog/a'])}${pick(['', '?utm_campaign=summer', '?utm_campaign=sale-1'])}`,
		referrer: pick([
			'',
			'https://spam.example/',
			'https://x.spam.example/p/q',
			'https://ok.example/spam',
			'https://www.ok.example',
			`https://${website.domain}/spam`,
		]),
	}));
	/** Each from a visitor of its own. */
	const sendAll = async (round: number) => {
		const json = {
			events: events.map((event, n) => ({
				...event,
				id: `${website.id}-${round}-${n}`,
				ip: `8.${round}.${n}.8`,
				user_agent: browser,
			})),
		};
		const answer = await owner.api('POST', `/websites/${website.id}/events`, { json });
		assertStatus(answer, 202);
		await w.drain();
		return (answer.json as { data: { accepted: number } }).data.accepted;
	};
	assert.equal(await sendAll(1), events.length);
	const conditions: Sent[] = [
		{ kind: 'path', test: 'is', values: ['/a', '/none'] },
		{ kind: 'path', test: 'starts_with', values: ['/a'] },
		{ kind: 'path', test: 'contains', values: ['b'] },
		{ kind: 'path', test: 'wildcard', values: ['/*/a', '/a*b'] },
		{ kind: 'hostname', test: 'domain', values: [`www.${website.domain}`] },
		{ kind: 'hostname', test: 'starts_with', values: ['shop.'] },
		{ kind: 'referrer', test: 'domain', values: ['spam.example'] },
		{ kind: 'referrer', test: 'is', values: ['spam.example'] },
		{ kind: 'referrer', test: 'contains', values: ['spam', website.domain] },
		{ kind: 'referrer', test: 'ends_with', values: ['/q', 'k.example'] },
		{ kind: 'campaign', test: 'contains', values: ['s'] },
		{ kind: 'country', values: ['US', 'DE'] },
	];
	const previews: number[] = [];
	for (const json of conditions) {
		const answer = await owner.api('POST', `/websites/${website.id}/traffic-rules/preview`, { json });
		assertStatus(answer, 200);
		const { data } = answer.json as {
			data: { matches: { visits: number; visitors: number; pageviews: number } };
		};
		assert.deepEqual(answer.json, {
			data: { matches: data.matches, reason: null, missing: null, from: '2026-10-17', to: '2026-11-15' },
		});
		assert.equal(data.matches.pageviews, data.matches.visits);
		previews.push(data.matches.visits);
	}
	let round = 1;
	for (const [index, condition] of conditions.entries()) {
		const rule = await addRule(website.id, condition);
		const accepted = await sendAll(++round);
		assert.equal(
			events.length - accepted,
			previews[index],
			`seed ${random.seed}: ${JSON.stringify(condition)}`,
		);
		assertStatus(await owner.api('DELETE', `/websites/${website.id}/traffic-rules/${rule.id}`), 200);
	}
	assert.ok(previews.slice(0, 10).filter((visits) => visits > 0).length >= 8, String(previews));
});

test('[C-RULE-8] what is not stored has no preview, and neither have many values', async () => {
	const { id } = await create();
	const previewOf = (json: unknown, api = owner.api) =>
		api('POST', `/websites/${id}/traffic-rules/preview`, { json });
	for (const [json, reason] of [
		[{ kind: 'user_agent', values: ['x'] }, 'not_stored'],
		[{ kind: 'network', values: ['203.0.113.7'] }, 'not_stored'],
		[{ kind: 'operator', values: ['AS64500'] }, 'not_stored'],
		[
			{ kind: 'referrer', values: Array.from({ length: 1_001 }, (_, n) => `s${n}.example`) },
			'too_many_values',
		],
	] as const) {
		const { matches, reason: why } = (
			(await previewOf(json)).json as { data: { matches: null; reason: string } }
		).data;
		assert.deepEqual([matches, why], [null, reason]);
	}
	const most = { kind: 'referrer', values: Array.from({ length: 1_000 }, (_, n) => `s${n}.example`) };
	assertStatus(await previewOf(most), 200);
	assertProblem(await previewOf({ kind: 'path', values: ['a'] }), 'validation_failed', ['values']);
	assertProblem(await previewOf({}), 'validation_failed', ['kind', 'values']);
	const { key } = await w.key(owner, { access: 'read' });
	assertStatus(await previewOf(most, client(w.base, key)), 200);
});

test('[C-RULE-1] [C-RULE-2] [C-RULE-3] fields have defaults, are brought into the stored form, and must fit each other', async () => {
	const { id } = await create();
	const rulesPath = `/websites/${id}/traffic-rules`;
	for (const [sent, stored] of [
		[
			{ kind: 'country', values: ['de', 'DE', 'at'] },
			{ test: 'is', values: ['DE', 'AT'] },
		],
		[
			{ kind: 'referrer', values: 'Spam.EXAMPLE\n\n  b.example ' },
			{ test: 'domain', values: ['spam.example', 'b.example'] },
		],
		[
			{ kind: 'referrer', test: 'is', values: ['A.example/Path'] },
			{ test: 'is', values: ['a.example/path'] },
		],
		[
			{ kind: 'user_agent', values: ['Foo, Bar'] },
			{ test: 'contains', values: ['Foo, Bar'] },
		],
		[
			{ kind: 'network', values: ['10.0.0.0/8', '2001:db8::1'] },
			{ test: 'is', values: ['10.0.0.0/8', '2001:db8::1'] },
		],
		[
			{ kind: 'operator', values: ['as64500', '64500', '0064501', '4294967295'] },
			{ test: 'is', values: ['AS64500', 'AS64501', 'AS4294967295'] },
		],
		[
			{ kind: 'operator', test: 'contains', values: ['Example Hosting'] },
			{ test: 'contains', values: ['Example Hosting'] },
		],
		[
			{ kind: 'path', values: ['/cafe\u0301'] },
			{ test: 'is', values: ['/caf\u00e9'] },
		],
	] as const) {
		const answer = await owner.api('POST', rulesPath, { json: { name: `Rule ${++made}`, ...sent } });
		const { kind, test: name, values, enabled } = itemOf('traffic-rules', answer, 201);
		assert.deepEqual({ kind, test: name, values, enabled }, { kind: sent.kind, ...stored, enabled: true });
	}
	for (const [sent, field, message] of [
		[{ kind: 'country', test: 'contains', values: ['DE'] }, 'test', /must be one of: is\./],
		[{ kind: 'path', test: 'domain', values: ['/a'] }, 'test', /one of: is, contains/],
		[{ kind: 'country', values: ['DEU'] }, 'values', /Value 1 .* country code/],
		[{ kind: 'network', values: ['10.0.0.1', '10.0.0.0/33'] }, 'values', /Value 2 .* network/],
		[{ kind: 'operator', values: ['AS1', 'Example Hosting'] }, 'values', /Value 2 .* such as AS64500/],
		[{ kind: 'operator', values: ['4294967296'] }, 'values', /Value 1 /],
		[{ kind: 'operator', test: 'starts_with', values: ['Example'] }, 'test', /one of: is, contains\./],
		[{ kind: 'path', values: ['about'] }, 'values', /must begin with \//],
		[{ kind: 'referrer', values: ['https://spam.example'] }, 'values', /not a domain/],
		[{ kind: 'hostname', test: 'is', values: ['https://a.example'] }, 'values', /https:/],
		[{ kind: 'path', test: 'wildcard', values: ['/******'] }, 'values', /5 wildcards/],
		[{ kind: 'campaign', values: ['x'.repeat(256)] }, 'values', /255 characters/],
		[
			{ kind: 'campaign', values: Array.from({ length: 5_001 }, (_, n) => `c${n}`) },
			'values',
			/5,000 values/,
		],
		[
			{ kind: 'campaign', test: 'contains', values: Array.from({ length: 201 }, (_, n) => `c${n}`) },
			'values',
			/at most 200 values/,
		],
		[
			{ kind: 'network', values: Array.from({ length: 1_001 }, (_, n) => `10.0.${n >> 8}.${n & 255}`) },
			'values',
			/1,000 networks/,
		],
		[{ kind: 'campaign', enabled: 'maybe', values: ['x'] }, 'enabled', /true or false/],
	] as const) {
		const answer = await owner.api('POST', rulesPath, { json: { name: `Rule ${++made}`, ...sent } });
		assertProblem(answer, 'validation_failed', [field]);
		assert.match(answer.text, message);
	}
});

test('[C-RULE-4] all values of a website together are limited, also by changes', async () => {
	const { id } = await create();
	const many = (from: number, count: number) => Array.from({ length: count }, (_, n) => `c${from + n}`);
	const first = await addRule(id, { kind: 'campaign', values: many(0, 5_000) });
	await addRule(id, { kind: 'campaign', values: many(5_000, 4_999) });
	const last = await addRule(id, { kind: 'campaign', values: ['x'] });
	const pathOf = (item: number) => `/websites/${id}/traffic-rules/${item}`;
	const answer = await owner.api('PUT', pathOf(last.id), { json: { values: ['x', 'y'] } });
	assertProblem(answer, 'validation_failed', ['values']);
	assert.match(answer.text, /10,000 values together/);
	assertStatus(await owner.api('PUT', pathOf(first.id), { json: { values: many(20_000, 5_000) } }), 200);
	assertStatus(await owner.api('PUT', pathOf(first.id), { json: { values: ['one'] } }), 200);
	assertStatus(await owner.api('PUT', pathOf(last.id), { json: { values: ['x', 'y'] } }), 200);
});

test('[C-RULE-9] a reset deletes the counts and keeps the rules', async () => {
	const website = await create();
	const rule = await addRule(website.id, { kind: 'path', values: ['/'] });
	await hit(website, `https://${website.domain}/`);
	await droppedOf(website.id, 1);
	assertStatus(await owner.api('POST', `/websites/${website.id}/reset`), 200);
	const drops = await dropsOf(website.id);
	assert.deepEqual([drops.total, drops.rules], [0, []]);
	assertStatus(await owner.api('GET', `/websites/${website.id}/traffic-rules/${rule.id}`), 200);
});

test('[T116] an address that a rule matches is in no table and in no line of the log', async () => {
	const website = await create();
	const address = '198.51.100.123';
	const agent = `${browser} Canary/7`;
	await addRule(website.id, { kind: 'network', values: ['198.51.100.0/24'] });
	await addRule(website.id, { kind: 'user_agent', values: ['canary/7'] });
	const json = {
		events: [
			{ url: `https://${website.domain}/`, ip: address, user_agent: browser },
			{ url: `https://${website.domain}/`, ip: '8.8.8.8', user_agent: agent },
		],
	};
	const answer = await owner.api('POST', `/websites/${website.id}/events`, { json });
	assert.match(answer.text, /"rule"/);
	await droppedOf(website.id, 2);
	const tables = await w.sql<{ name: string }>(
		`SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
	);
	for (const { name } of tables) {
		const [row] = await w.sql<{ count: number }>(
			`SELECT count(*)::int AS count FROM "${name}" AS t WHERE t::text LIKE '%${address}%' OR t::text LIKE '%Canary/7%'`,
		);
		assert.equal(row?.count, 0, name);
	}
	assert.doesNotMatch(w.log(), /198\.51\.100\.123|Canary\/7/i);
});

test('[C-RULE-5] [C-RULE-7] [C-RULE-8] [C-RULE-13] [T116] a rule by network operator', async (t) => {
	const website = await create();
	const number = await addRule(website.id, { kind: 'operator', values: ['64500'] });
	const name = await addRule(website.id, { kind: 'operator', test: 'contains', values: ['example HOST'] });
	const agent = await addRule(website.id, { kind: 'user_agent', values: ['curious'] });
	const network = await addRule(website.id, { kind: 'network', values: ['198.51.100.200'] });
	const addresses = ['198.51.100.7', '203.0.113.7', '192.0.2.7', '198.51.100.200', '198.51.100.7'];
	const sendAll = async () => {
		const events = addresses.map((ip, n) => ({
			url: `https://${website.domain}/`,
			ip,
			user_agent: n === 4 ? `${browser} Curious/1` : browser,
		}));
		const answer = await owner.api('POST', `/websites/${website.id}/events`, { json: { events } });
		assertStatus(answer, 202);
		return (answer.json as { data: { accepted: number } }).data.accepted;
	};
	const missing = async (kind = 'operator') => {
		const json = { kind, test: 'contains', values: ['x'] };
		const answer = await owner.api('POST', `/websites/${website.id}/traffic-rules/preview`, { json });
		const { data } = answer.json as { data: { matches: unknown; missing: string | null } };
		return data.missing;
	};
	assert.equal(await missing(), 'operator_database');
	assert.equal(await missing('path'), null);
	assert.equal(await sendAll(), 3, 'without the database, a rule of this kind matches nothing');
	await droppedOf(website.id, 2);

	const file = join(temporaryFolder(t), 'asn.mmdb');
	const record = (as: number, organization: string) => ({
		autonomous_system_number: as,
		autonomous_system_organization: organization,
	});
	writeFileSync(
		file,
		makeMmdb(
			[
				{ address: '198.51.100.0', bits: 24, record: record(64_500, 'Canary Networks') },
				{ address: '203.0.113.0', bits: 24, record: record(64_501, 'An Example Hosting Company') },
				{ address: '192.0.2.0', bits: 24, record: record(64_502, 'Access Provider') },
			],
			{ type: 'asn' },
		),
	);
	const place = { dataFolder: w.config.dataFolder, kind: 'operators' } as const;
	await w.restart(() => installDatabase(place, { paths: [file], version: null }));
	assert.equal(await missing(), null);
	assert.equal(await sendAll(), 1);
	const { rules } = await droppedOf(website.id, 6);
	assert.deepEqual(
		new Map(rules.map(({ id, count }) => [id, count])),
		new Map([
			[number.id, 2],
			[name.id, 1],
			[agent.id, 1],
			[network.id, 2],
		]),
	);
	const tables = await w.sql<{ name: string }>(
		`SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
	);
	for (const table of tables) {
		const [row] = await w.sql<{ count: number }>(
			`SELECT count(*)::int AS count FROM "${table.name}" AS t WHERE t::text LIKE '%Canary Networks%'`,
		);
		assert.equal(row?.count, 0, table.name);
	}
	assert.doesNotMatch(w.log(), /Canary Networks|An Example Hosting|203\.0\.113\.7/);
	await w.restart(async () => void (await removeDatabase(place)));
	assert.equal(await sendAll(), 3);
});
