import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { tools } from '../../server/mcp/tools.ts';
import { freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { programFile } from '../support/program.ts';
import { type TestAccount, world } from '../support/world.ts';

const now = new Date('2026-11-15T09:10:30.000Z');
const w = await world({ after }, { now: () => now, settings: { TIDEMARK_AUTH_FAILURE_LIMIT: '5' } });
const owner = await w.account({ timezone: 'UTC' });
const stranger = await w.account({ timezone: 'UTC' });
const create = async (account: TestAccount) =>
	websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
const own = await create(owner);
const foreign = await create(stranger);
const key = await readKey(owner);

async function readKey(account: TestAccount, more: object = {}): Promise<string> {
	const answer = await account.api('POST', '/keys', { json: { name: 'assistant', access: 'read', ...more } });
	return (answer.json as { data: { key: string } }).data.key;
}

/** The protocol's own client, over HTTP. */
async function connect(given: string): Promise<Client> {
	const client = new Client({ name: 'test', version: '1' });
	const transport = new StreamableHTTPClientTransport(new URL('/mcp', w.base), {
		requestInit: { headers: { authorization: `Bearer ${given}` } },
	});
	await client.connect(transport);
	after(() => client.close());
	return client;
}

type Said = { text: string; isError: boolean };

async function call(client: Client, name: string, input: Record<string, unknown> = {}): Promise<Said> {
	const { content, isError } = await client.callTool({ name, arguments: input });
	const [first] = content as { type: string; text: string }[];
	return { text: first?.text ?? '', isError: isError === true };
}

async function visit({ domain, id }: Website, path: string) {
	const answer = await owner.api('POST', `/websites/${id}/events`, {
		json: { url: `https://${domain}${path}` },
	});
	assert.equal(answer.status, 202);
}

const client = await connect(key);
const goal = await owner.api('POST', `/websites/${own.id}/goals`, {
	json: { name: 'Thanks', kind: 'page', pattern: '/thanks' },
});
const goalId = (goal.json as { data: { id: number } }).data.id;
const funnel = await owner.api('POST', `/websites/${own.id}/funnels`, {
	json: { name: 'Checkout', steps: [{ page: '/' }, { page: '/thanks' }] },
});
const funnelId = (funnel.json as { data: { id: number } }).data.id;
for (const path of ['/', '/blog', '/blog', '/thanks']) await visit(own, path);
await w.drain();

/** What each tool is called with, and what its answer says. */
const calls: Record<string, [input: Record<string, unknown>, says: RegExp]> = {
	list_websites: [{ search: own.domain }, new RegExp(own.domain)],
	compare_websites: [
		{ period: 'today', metrics: ['pageviews', 'conversions'], goal: 'Thanks', per_page: 25 },
		/"pageviews":4.*"goal":\{"name":"Thanks","websites":1\}/,
	],
	get_statistics: [
		{ website_id: own.id, period: 'today', metrics: ['pageviews', 'events'], compare: 'previous' },
		/"totals":\{"pageviews":4,"events":0\}/,
	],
	get_breakdown: [
		{ website_id: own.id, dimension: 'page', period: 'today', metrics: ['pageviews'] },
		/\{"value":"\/blog","pageviews":2\}/,
	],
	explain_change: [
		{ website_id: own.id, period: 'today', metric: 'pageviews' },
		/"sentence":"Page views rose by 4/,
	],
	get_live: [{ website_id: own.id }, /"step_minutes"/],
	list_saved: [{ website_id: own.id }, /"goals":\[.*Thanks.*"funnels":\[.*Checkout/],
	get_funnel: [{ website_id: own.id, funnel_id: funnelId, period: 'today' }, /"name":"Checkout"/],
	get_journeys: [
		{ website_id: own.id, start: 'page:/', steps: 2, period: 'today' },
		/"start":\{"kind":"page","value":"\/"\}.*"steps":\[/,
	],
	get_web_vitals: [{ website_id: own.id, period: 'today' }, /"data"/],
	get_dropped_hits: [{ website_id: own.id, period: 'today' }, /"total":0/],
	explain: [{}, /"bounce_rate".*"entry_page"/],
};

test('the official client lists every tool and can call it', async () => {
	const listed = await client.listTools();
	assert.deepEqual(listed.tools.map(({ name }) => name).sort(), tools.map(({ name }) => name).sort());
	assert.deepEqual(Object.keys(calls).sort(), tools.map(({ name }) => name).sort());
	for (const { annotations, description, inputSchema } of listed.tools) {
		assert.equal(annotations?.readOnlyHint, true);
		assert.ok(description);
		assert.equal(inputSchema.type, 'object');
	}
	for (const [name, [input, says]] of Object.entries(calls)) {
		const { text, isError } = await call(client, name, input);
		assert.equal(isError, false, `${name}: ${text}`);
		assert.match(text, says, name);
	}
});

test('an answer is the one that the API gives, filters and goals included', async () => {
	const { text } = await call(client, 'get_statistics', {
		...{ website_id: own.id, period: 'today', goal: goalId, metrics: ['conversions', 'pageviews'] },
		filters: ['matches', 'page', ['^/BLOG'], { case_sensitive: false }],
	});
	const query = new URLSearchParams({
		...{ period: 'today', goal: String(goalId), metrics: 'conversions,pageviews' },
		filters: '["starts_with","page",["/blog"]]',
	});
	const asked = await owner.api('GET', `/websites/${own.id}/stats?${query}`);
	assert.deepEqual(JSON.parse(text).data, (asked.json as { data: unknown }).data);
	assert.match(text, /"pageviews":2/);
});

test('what is wrong is said in the words of the API', async () => {
	const wrong = await call(client, 'get_statistics', { website_id: own.id, period: 'custom' });
	assert.equal(wrong.isError, true);
	assert.match(wrong.text, /from/);
	const unknown = await call(client, 'get_breakdown', { website_id: own.id, dimension: 'shoe_size' });
	assert.equal(unknown.isError, true);
	assert.match((await call(client, 'get_statistics', { website_id: 'x/../../keys' })).text, /website_id/);
});

test('another account’s websites do not exist, nor those that a limited key is not for', async () => {
	for (const [name, [input]] of Object.entries(calls)) {
		if (!('website_id' in input)) continue;
		const { text, isError } = await call(client, name, { ...input, website_id: foreign.id });
		assert.equal(isError, true, name);
		assert.doesNotMatch(text, new RegExp(foreign.domain));
	}
	assert.doesNotMatch((await call(client, 'list_websites')).text, new RegExp(foreign.domain));
	const second = await create(owner);
	const limited = await connect(await readKey(owner, { website_ids: [second.id] }));
	assert.match((await call(limited, 'list_websites')).text, new RegExp(second.domain));
	assert.doesNotMatch((await call(limited, 'list_websites')).text, new RegExp(own.domain));
	assert.equal((await call(limited, 'get_live', { website_id: own.id })).isError, true);
});

test('[T89] an assistant is not told which addresses are excluded', async () => {
	const website = await create(owner);
	await owner.api('PUT', `/websites/${website.id}`, { form: { exclude_ips: '203.0.113.7' } });
	const { text } = await call(client, 'list_websites', { search: website.domain });
	assert.match(text, /"exclude_ips":null/);
	assert.doesNotMatch(text, /203\.0\.113\.7/);
});

test('only keys that cannot change anything are taken, and guesses are counted', async () => {
	const ask = (headers: Record<string, string>, method = 'POST') =>
		fetch(new URL('/mcp', w.base), {
			method,
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				...headers,
			},
			...(method === 'POST' && { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}' }),
		});
	const full = await ask({ authorization: `Bearer ${owner.key}` });
	assert.equal(full.status, 403);
	assert.match(await full.text(), /read-only API key/);
	assert.equal((await ask({ authorization: `Bearer ${key}` })).status, 200);
	assert.equal((await ask({ authorization: `Bearer ${key}` }, 'GET')).status, 405);
	assert.equal((await ask({})).status, 401);
	for (let tries = 0; tries < 5; tries++) await ask({ authorization: 'Bearer wrong' });
	assert.equal((await ask({ authorization: 'Bearer wrong' })).status, 429);
	assert.equal((await ask({ authorization: `Bearer ${key}` })).status, 200, 'others are not held up');
});

test('a hostile body is refused and harms nobody', async () => {
	const send = (body: string) =>
		fetch(new URL('/mcp', w.base), {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				authorization: `Bearer ${key}`,
			},
			body,
		});
	for (const body of [
		'',
		'{',
		'[]',
		'null',
		'{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
		'['.repeat(5_000),
	])
		assert.ok((await send(body)).status < 500, body.slice(0, 40));
	assert.equal((await send('x'.repeat(2_000_000))).status, 413);
	assert.equal((await call(client, 'explain')).isError, false);
});

test('on this machine the same tools are served over standard input', async () => {
	const local = (given: string) =>
		new StdioClientTransport({
			command: process.execPath,
			args: [programFile, 'mcp', '--url', w.base],
			env: { PATH: process.env.PATH ?? '', TIDEMARK_API_KEY: given },
			stderr: 'pipe',
		});
	const assistant = new Client({ name: 'test', version: '1' });
	await assistant.connect(local(key));
	assert.equal((await assistant.listTools()).tools.length, tools.length);
	const [input, says] = calls.get_statistics ?? [{}, /^$/];
	assert.match((await call(assistant, 'get_statistics', input)).text, says);
	await assistant.close();

	const refused = local(owner.key);
	let said = '';
	refused.stderr?.on('data', (bytes) => {
		said += bytes;
	});
	await assert.rejects(new Client({ name: 'test', version: '1' }).connect(refused));
	assert.match(said, /read-only API key/);
});
