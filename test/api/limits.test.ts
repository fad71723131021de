import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Answer, client } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const limit = 20;
const failures = 15;
/** A clock that goes, and can be put on. */
let aheadMs = 0;
const now = () => new Date(Date.now() + aheadMs);
const w = await world(
	{ after },
	{ now, settings: { TIDEMARK_RATE_LIMIT: String(limit), TIDEMARK_AUTH_FAILURE_LIMIT: String(failures) } },
);
const nobody = client(w.base);

/** The four fields, parsed strictly and held against each other. */
function quota(answer: Answer): { policy: string; limit: number; remaining: number; resets: number } {
	const numbers = ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => {
		assert.match(answer.headers[name] ?? '', /^\d+$/, name);
		return Number(answer.headers[name]);
	});
	const policy = /^"(key|address)";q=(\d+);w=(\d+)$/.exec(answer.headers['ratelimit-policy'] ?? '');
	const state = /^"(key|address)";r=(\d+);t=(\d+)$/.exec(answer.headers.ratelimit ?? '');
	assert.ok(policy, answer.headers['ratelimit-policy']);
	assert.ok(state, answer.headers.ratelimit);
	assert.equal(policy[1], state[1]);
	assert.deepEqual([Number(policy[2]), Number(state[2])], numbers);
	assert.equal(policy[3], '60');
	assert.ok(Number(state[3]) >= 0 && Number(state[3]) <= 60);
	return {
		policy: policy[1] ?? '',
		limit: Number(policy[2]),
		remaining: Number(state[2]),
		resets: Number(state[3]),
	};
}

test('[C-LIM-1] every kind of answer bears the four fields', async () => {
	const { api } = await w.account({ timezone: 'UTC' });
	const { id } = websiteOf(await api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const answers = [
		await api('GET', '/websites'),
		await api('GET', `/websites/${id}`),
		await api('HEAD', '/account'),
		await api('PUT', `/websites/${id}`, { form: 'privacy=9' }),
		await api('POST', '/websites', { body: '{', headers: { 'content-type': 'application/json' } }),
		await api('POST', '/websites', { body: 'x', headers: { 'content-type': 'text/plain' } }),
		await api('GET', '/nothing'),
		await api('DELETE', '/websites'),
		await api('DELETE', `/websites/${id}`),
	];
	assert.deepEqual(
		answers.map(({ status }) => status),
		[200, 200, 200, 422, 400, 415, 404, 405, 200],
	);
	for (const [index, answer] of answers.entries()) {
		const { policy, limit: most, remaining } = quota(answer);
		assert.deepEqual(
			{ policy, most, remaining },
			{ policy: 'key', most: limit, remaining: limit - index - 2 },
		);
	}
});
test('[C-LIM-1] answers without a key bear them as well, under the other policy', async () => {
	for (const answer of [
		await nobody('GET', '/websites'),
		await nobody('GET', '/openapi.json'),
		await nobody('OPTIONS', '/websites'),
	]) {
		const { policy, limit: most } = quota(answer);
		assert.deepEqual({ policy, most }, { policy: 'address', most: failures });
	}
});

describe('a key past its limit', { concurrency: false }, () => {
	let exhausted: Awaited<ReturnType<typeof w.account>>;
	let answers: Answer[];
	before(async () => {
		exhausted = await w.account({ timezone: 'UTC' });
		answers = [];
		for (let n = 0; n < limit + 3; n++) answers.push(await exhausted.api('GET', '/websites'));
	});

	test('[C-LIM-2] the requests up to the limit are answered, the next are 429', () => {
		assert.deepEqual(
			answers.map(({ status }) => status),
			[...Array.from({ length: limit }, () => 200), 429, 429, 429],
		);
		assert.deepEqual(
			answers.slice(0, limit).map((answer) => quota(answer).remaining),
			Array.from({ length: limit }, (_, n) => limit - 1 - n),
		);
	});
	test('[C-LIM-2] a 429 says when to come again, in seconds and as a time', () => {
		for (const answer of answers.slice(limit)) {
			assertProblem(answer, 'too_many_requests');
			assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/);
			const seconds = Number(answer.headers['retry-after']);
			assert.ok(seconds <= 60);
			const reset = Number(answer.headers['x-ratelimit-reset']);
			assert.ok(Math.abs(reset - (Date.now() / 1000 + seconds)) < 5, `${reset}`);
			assert.deepEqual(quota(answer), { policy: 'key', limit, remaining: 0, resets: seconds });
		}
		for (const answer of answers.slice(0, limit)) {
			assert.equal(answer.headers['retry-after'], undefined);
			assert.equal(answer.headers['x-ratelimit-reset'], undefined);
		}
	});
	test('[C-LIM-2] writes are refused as well, and do nothing', async () => {
		const domain = freshDomain();
		const write = await exhausted.api('POST', '/websites', { form: { domain } });
		assertProblem(write, 'too_many_requests');
		assertProblem(await exhausted.api('GET', '/nothing'), 'too_many_requests');
	});
	test('[C-LIM-3] another key of the account and other accounts are not touched', async () => {
		const sister = await w.key(exhausted, {});
		assert.equal(quota(await client(w.base, sister.key)('GET', '/websites')).remaining, limit - 1);
		const other = await w.account({ timezone: 'UTC' });
		assert.equal(quota(await other.api('GET', '/websites')).remaining, limit - 1);
	});
	test('[C-LIM-5] after Retry-After seconds it is answered again', async () => {
		const last = await exhausted.api('GET', '/websites');
		assertProblem(last, 'too_many_requests');
		const halfMs = Number(last.headers['retry-after']) * 500;
		aheadMs += halfMs;
		assertProblem(await exhausted.api('GET', '/websites'), 'too_many_requests');
		aheadMs += halfMs;
		const again = await exhausted.api('GET', '/websites');
		assertStatus(again, 200);
		assert.equal(quota(again).remaining, limit - 1);
	});
});

test('[C-LIM-4] past the limit of an address wrong keys get 429, and good keys are answered', async () => {
	const owner = await w.account({ timezone: 'UTC' });
	const wrong = client(w.base, 'tm_wrong');
	const statuses = [];
	for (let n = 0; n < failures + 5; n++) statuses.push((await wrong('GET', '/websites')).status);
	assert.deepEqual([...new Set(statuses)], [401, 429]);
	assert.ok(statuses.filter((status) => status === 401).length <= failures);
	const refused = await nobody('GET', '/websites');
	assertProblem(refused, 'too_many_requests');
	assert.match(refused.headers['retry-after'] ?? '', /^[1-9]\d*$/);
	assert.equal(refused.headers['www-authenticate'], undefined);
	assert.equal(quota(refused).policy, 'address');
	const good = await owner.api('GET', '/websites');
	assertStatus(good, 200);
	assert.deepEqual(quota(good).remaining, limit - 1);
});
test('[C-LIM-4] a forged X-Forwarded-For is no other address', async () => {
	for (let n = 1; n <= 3; n++)
		assertProblem(
			await nobody('GET', '/websites', { headers: { 'x-forwarded-for': `198.51.100.${n}` } }),
			'too_many_requests',
		);
});
