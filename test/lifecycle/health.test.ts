import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { send } from '../support/client.ts';
import { assertProblem } from '../support/contract.ts';
import { engineOf, type ServiceProcess, startServiceProcess, until } from '../support/service.ts';

const token = randomBytes(24).toString('hex');
let plain: ServiceProcess;
let open: ServiceProcess;
const cleaning: (() => Promise<void>)[] = [];
before(async () => {
	const scope = { after: (work: () => Promise<void>) => void cleaning.unshift(work) };
	[plain, open] = await Promise.all([
		startServiceProcess(scope),
		startServiceProcess(scope, { settings: { TIDEMARK_METRICS_TOKEN: token } }),
	]);
});
after(async () => {
	for (const service of [plain, open]) assert.equal(await service.stop(), 0);
	for (const work of cleaning) await work();
});

test('live says that the process answers, ready how its parts are', async () => {
	const live = await send(plain.base, 'GET', '/health/live');
	assert.deepEqual([live.status, live.json], [200, { status: 'live' }]);
	const ready = await send(plain.base, 'GET', '/health/ready');
	const roles = { collect: 'ready', write: 'ready', api: 'ready', jobs: 'ready' };
	assert.deepEqual(
		[ready.status, ready.json],
		[200, { status: 'ready', roles, postgres: 'up', clickhouse: 'up' }],
	);
	for (const { headers } of [live, ready]) {
		assert.equal(headers['cache-control'], 'no-store');
		assert.match(headers['content-type'] ?? '', /^application\/json/);
		assert.equal(headers['x-content-type-options'], 'nosniff');
	}
	assert.equal((await send(plain.base, 'HEAD', '/health/ready')).status, 200);
});

test('[F55] a frozen engine: ready answers, says which roles wait, and the metric is 0 until it goes on', async (t) => {
	const engine = engineOf(open.pid) ?? 0;
	const resume = () => void process.kill(engine, 'SIGCONT');
	t.after(resume);
	// Long enough for a slow machine; without a deadline of the check there is no answer at all.
	const ask = (path: string) =>
		send(open.base, 'GET', path, {
			headers: { authorization: `Bearer ${token}` },
			signal: AbortSignal.timeout(20_000),
		});
	const roles = {
		collect: 'ready',
		write: 'waits for clickhouse',
		api: 'ready',
		jobs: 'waits for clickhouse',
	};
	process.kill(engine, 'SIGSTOP');
	const [ready, again, metrics] = await Promise.all([
		ask('/health/ready'),
		ask('/health/ready'),
		ask('/metrics'),
	]);
	for (const answer of [ready, again])
		assert.deepEqual(
			[answer.status, answer.json],
			[200, { status: 'ready', roles, postgres: 'up', clickhouse: 'down' }],
		);
	assert.match(metrics.text, /^tidemark_engine_up 0$/m);
	await until(() => /engine does not respond/.test(open.output()), 5_000, 'the log says so');
	resume();
	await until(
		async () => /^tidemark_engine_up 1$/m.test((await ask('/metrics')).text),
		5_000,
		'the metric is 1 again',
	);
	const { json } = await ask('/health/ready');
	assert.deepEqual(json, {
		status: 'ready',
		roles: { collect: 'ready', write: 'ready', api: 'ready', jobs: 'ready' },
		...{ postgres: 'up', clickhouse: 'up' },
	});
	assert.equal(engineOf(open.pid), engine, 'it was not restarted');
});

test('without a token in the settings /metrics does not exist, whatever is sent', async () => {
	const missing = await send(plain.base, 'GET', '/no-such-page');
	for (const headers of [
		{},
		{ authorization: 'Bearer ' },
		{ authorization: 'Bearer undefined' },
		{ authorization: `Bearer ${token}` },
	]) {
		const answer = await send(plain.base, 'GET', '/metrics', { headers });
		assertProblem(answer, 'not_found');
		assert.equal(answer.text, missing.text);
	}
});

test('with a token /metrics opens to whoever sends it as a Bearer token, and to nobody else', async () => {
	for (const headers of [
		{},
		{ authorization: token },
		{ authorization: `Basic ${token}` },
		{ authorization: `Bearer ${token}x` },
		{ authorization: `Bearer ${token.slice(0, -1)}` },
		{ authorization: `Bearer ${token.toUpperCase()}` },
		{ cookie: `token=${token}` },
	])
		assertProblem(
			await send(open.base, 'GET', '/metrics', { headers: headers as Record<string, string> }),
			'not_found',
		);
	assertProblem(await send(open.base, 'GET', `/metrics?token=${token}`), 'not_found');
	await send(open.base, 'GET', '/api/v1/websites/17?secret=canary');
	const answer = await send(open.base, 'GET', '/metrics', { headers: { authorization: `bearer ${token}` } });
	assert.equal(answer.status, 200);
	assert.match(answer.headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/);
	assert.match(answer.text, /^tidemark_engine_up 1$/m);
	assert.match(
		answer.text,
		/^tidemark_http_requests_total\{method="GET",route="\/api\/v1\/websites\/:id",status="401"\} 1$/m,
	);
	assert.match(answer.text, /^process_resident_memory_bytes \d/m);
	assert.doesNotMatch(answer.text, /canary|websites\/17/, 'routes, never addresses');
});

test('the control socket is for the owner alone and has the metrics without a token', async () => {
	const socketPath = join(plain.folder, 'control.sock');
	assert.equal(statSync(socketPath).mode & 0o777, 0o600);
	const metrics = await askSocket(socketPath, 'GET', '/metrics');
	assert.equal(metrics.status, 200);
	assert.match(metrics.text, /^tidemark_engine_up 1$/m);
	for (const [method, path] of [
		['GET', '/'],
		['GET', '/operations/account.list'],
		['POST', '/operations/account.drop'],
		['POST', '/operations/constructor'],
	] as const)
		assert.match((await askSocket(socketPath, method, path, '{}')).text, /"code":"not_found"/, path);
	assert.match((await askSocket(socketPath, 'POST', '/operations/account.list', 'no json')).text, /"error":/);
	assert.match(
		(await askSocket(socketPath, 'POST', '/operations/account.list', '{}')).text,
		/^\{"result":\[\]\}\n$/,
	);
});

function askSocket(
	socketPath: string,
	method: string,
	path: string,
	body = '',
): Promise<{ status: number; text: string }> {
	return new Promise((resolve, reject) => {
		const asking = request({ socketPath, method, path, agent: false }, (response) => {
			let text = '';
			response.setEncoding('utf8').on('data', (part: string) => {
				text += part;
			});
			response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
		});
		asking.on('error', reject);
		asking.end(body);
	});
}
