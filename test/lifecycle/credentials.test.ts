import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { hasKeyForm, makeKey } from '../../server/accounts/keys.ts';
import { send } from '../support/client.ts';
import { descendantsOf, type ServiceProcess, startServiceProcess } from '../support/service.ts';

/** What people and installers set and never change; the first of every list of this kind. */
const words = [
	...[
		'admin',
		'administrator',
		'root',
		'user',
		'guest',
		'test',
		'demo',
		'default',
		'changeme',
		'change-me',
		'secret',
	],
	...[
		'password',
		'password1',
		'password123',
		'passw0rd',
		'p@ssw0rd',
		'pass',
		'admin123',
		'admin1234',
		'admin@123',
	],
	...[
		'123456',
		'12345678',
		'123456789',
		'1234',
		'12345',
		'111111',
		'000000',
		'qwerty',
		'qwerty123',
		'abc123',
		'letmein',
	],
	...[
		'welcome',
		'welcome1',
		'iloveyou',
		'monkey',
		'dragon',
		'master',
		'login',
		'umami',
		'plausible',
		'matomo',
		'frog',
	],
	...[
		'postgres',
		'postgresql',
		'clickhouse',
		'tidemark',
		'tidemark123',
		'tm',
		'tm_',
		'api',
		'apikey',
		'api_key',
		'token',
	],
	...[
		'key',
		'bearer',
		'null',
		'undefined',
		'none',
		'true',
		'false',
		'0',
		'1',
		'x',
		'system',
		'manager',
		'toor',
		'service',
	],
	...[
		'public',
		'private',
		'supersecret',
		'topsecret',
		'hunter2',
		'sunshine',
		'princess',
		'football',
		'baseball',
		'shadow',
	],
	...[
		'superman',
		'trustno1',
		'access',
		'server',
		'database',
		'mysql',
		'oracle',
		'cisco',
		'ubnt',
		'raspberry',
		'vagrant',
	],
	...[
		'stats',
		'nimda',
		'support',
		'operator',
		'ftp',
		'backup',
		'monitor',
		'ingest',
		'migrate',
		'analytics',
		'example',
		'placeholder',
		'your-api-key',
		'YOUR_API_KEY',
		'API_KEY',
	],
];

let service: ServiceProcess;
const cleaning: (() => Promise<void>)[] = [];
before(async () => {
	service = await startServiceProcess(
		{ after: (work) => void cleaning.unshift(work) },
		{ settings: { TIDEMARK_AUTH_FAILURE_LIMIT: '1000000' } },
	);
});
after(async () => {
	assert.equal(await service.stop(), 0);
	for (const work of cleaning) await work();
});

test('[T60] no common word opens the API or the metrics of a fresh instance', async () => {
	assert.ok(new Set(words).size >= 100, `${new Set(words).size} words`);
	const zeros = makeKey(Buffer.alloc(32));
	for (const word of [...words, zeros, '']) {
		const basic = Buffer.from(`${word}:${word}`).toString('base64');
		for (const authorization of [`Bearer ${word}`, `Basic ${basic}`]) {
			const api = await send(service.base, 'GET', '/api/v1/account', { headers: { authorization } });
			assert.equal(api.status, 401, authorization);
			const metrics = await send(service.base, 'GET', '/metrics', { headers: { authorization } });
			assert.equal(metrics.status, 404, authorization);
		}
	}
});

test('[T60] no common password opens PostgreSQL, not even on its own socket', async () => {
	const host = join(service.folder, 'sockets');
	const connect = async (user: string, password: string) => {
		const connection = new pg.Client({ host, user, password, database: 'postgres' });
		try {
			await connection.connect();
			return true;
		} catch (error) {
			assert.match(String(error), /password|authentication|SASL/i);
			return false;
		} finally {
			await connection.end().catch(() => undefined);
		}
	};
	for (const user of ['tidemark', 'postgres', 'root'])
		for (const password of ['', 'postgres', 'password', 'tidemark', 'admin', 'changeme', 'root'])
			assert.equal(await connect(user, password), false, `${user} with ${JSON.stringify(password)}`);
	const made = readFileSync(join(service.folder, 'secrets', 'postgres'), 'utf8').trim();
	assert.equal(await connect('tidemark', made), true, 'the control: the password that was made does open it');
});

test('[T60] no common password opens the statistics engine', async () => {
	const socketPath = join(service.folder, 'engine.sock');
	const ask = (headers: Record<string, string>) =>
		new Promise<number>((resolve, reject) => {
			const asking = request(
				{ socketPath, path: '/?query=SELECT%201', headers, agent: false },
				(response) => {
					response.resume();
					resolve(response.statusCode ?? 0);
				},
			);
			asking.on('error', reject);
			asking.end();
		});
	assert.ok([401, 403].includes(await ask({})));
	for (const user of ['default', 'stats', 'ingest', 'migrate', 'admin'])
		for (const password of ['', 'default', 'password', 'clickhouse', 'admin', user]) {
			const basic = Buffer.from(`${user}:${password}`).toString('base64');
			assert.ok([401, 403].includes(await ask({ authorization: `Basic ${basic}` })), `${user}:${password}`);
			const named = { 'x-clickhouse-user': user, 'x-clickhouse-key': password };
			assert.ok([401, 403].includes(await ask(named)), `${user}:${password}`);
		}
});

test('no secret is on a command line or in the environment of a process', async () => {
	const secrets = ['secret', 'postgres'].map((name) =>
		readFileSync(join(service.folder, 'secrets', name), 'utf8').trim(),
	);
	const tree = [service.pid, ...descendantsOf(service.pid)];
	assert.ok(tree.length > 3);
	for (const pid of tree) {
		const seen = ['cmdline', 'environ']
			.map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8'))
			.join('\0');
		for (const secret of secrets) assert.ok(!seen.includes(secret), `process ${pid}: ${seen}`);
	}
});

/** A value in the place of a secret, and an address with a password in it. Made at the start, or a variable, is neither. */
const literals = [
	/^\s*(?:-|ENV|ARG|export)?\s*["']?[A-Z][A-Z0-9_]*(?:PASSWORD|SECRET|TOKEN)["']?\s*[:=]\s*["']?(?![\s"'$<{]|$)\S+/gm,
	/\b(?:postgres(?:ql)?|https?|clickhouse):\/\/[^\s:/@`'"]+:(?!password@|\$)[^\s:/@`'"]+@/g,
];
const findLiterals = (text: string) => literals.flatMap((pattern) => text.match(pattern) ?? []);
const findKeys = (text: string) => (text.match(/tm_[0-9A-Za-z]{49}/g) ?? []).filter(hasKeyForm);

test('[T60] no file for operators holds a password, and no file at all a key', () => {
	const root = join(import.meta.dirname, '..', '..');
	const listed = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' });
	assert.equal(listed.status, 0, listed.stderr);
	const files = listed.stdout.trim().split('\n');
	const forOperators = files.filter((file) =>
		/(^|\/)(Dockerfile|compose|\.env)|\.(md|ya?ml|env|service|toml|conf|sh)$/i.test(file),
	);
	assert.ok(forOperators.includes('docs/settings.md'), 'the documentation is among them');
	const read = (file: string) => readFileSync(join(root, file), 'utf8');
	assert.deepEqual(
		forOperators.flatMap((file) => findLiterals(read(file)).map((found) => `${file}: ${found}`)),
		[],
	);
	assert.deepEqual(
		files
			.filter((file) => /\.(md|ts|js|json|ya?ml|sh|sql|html)$/.test(file))
			.flatMap((file) => findKeys(read(file)).map((found) => `${file}: ${found}`)),
		[],
	);

	// The control: both searches find what they are for.
	for (const text of [
		'POSTGRES_PASSWORD: hunter2',
		'  - DB_PASSWORD=hunter2',
		'ENV APP_SECRET=abc',
		'postgres://u:hunter2@db/x',
	])
		assert.equal(findLiterals(text).length, 1, text);
	for (const text of [
		'POSTGRES_PASSWORD: $POSTGRES_PASSWORD',
		'TIDEMARK_SECRET=',
		'X_TOKEN="$(openssl rand -hex 32)"',
		'http://user:password@host:8123',
	])
		assert.deepEqual(findLiterals(text), [], text);
	assert.equal(findKeys(`key ${makeKey()} in a text`).length, 1);
});
