/** The recipes of deploy/proxies in front of a real service: with nginx and Caddy as Debian has them. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from '../../server/store/sql.ts';
import { websiteOf } from '../support/contract.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder, until } from '../support/service.ts';
import { givePassword, signedIn } from '../support/visitor.ts';
import { type TestAccount, type World, world } from '../support/world.ts';

const cleaning: (() => Promise<void>)[] = [];
const scope = { after: (work: () => Promise<void>) => void cleaning.unshift(work) };
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const folder = temporaryFolder(scope);
let w: World;
let account: TestAccount;
let websiteId: number;

before(async () => {
	w = await world(scope, { settings: { TIDEMARK_TRUSTED_PROXIES: '127.0.0.1' } });
	account = await w.account({ timezone: 'UTC' });
	await givePassword(w, account);
	websiteId = websiteOf(
		await account.api('POST', '/websites', { form: { domain: 'behind.example' } }),
		201,
	).id;
});
after(async () => {
	for (const work of cleaning) await work();
});

type Asked = {
	base: string;
	path: string;
	method?: string;
	body?: string;
	headers?: Record<string, string>;
	from?: string;
};

/** As a browser would ask, from any address of this machine. */
async function open({
	base,
	path,
	method = 'GET',
	body,
	headers = {},
	from,
}: Asked): Promise<IncomingMessage> {
	const make = base.startsWith('https:') ? httpsRequest : httpRequest;
	const request = make(base + path, {
		...{ method, rejectUnauthorized: false, agent: false },
		headers: { 'user-agent': agent, ...headers },
		...(from !== undefined && { localAddress: from }),
	});
	request.end(body);
	const [response]: IncomingMessage[] = await once(request, 'response');
	if (!response) throw new Error('There was no answer.');
	return response;
}

async function ask(asked: Asked): Promise<{ status: number; text: string }> {
	const response = await open(asked);
	let text = '';
	for await (const chunk of response) text += chunk;
	return { status: response.statusCode ?? 0, text };
}

/** The first is there at once, the next when something happens: nothing is held back on the way. */
async function assertStreams(base: string, headers: Record<string, string>): Promise<void> {
	const path = `/api/v1/websites/${websiteId}/live/stream`;
	const stream = await open({ base, path, headers: { authorization: `Bearer ${account.key}` } });
	assert.equal(stream.statusCode, 200);
	let heard = '';
	stream.setEncoding('utf8').on('data', (text) => {
		heard += text;
	});
	await until(() => /^data: /m.test(heard), 5_000, 'the first picture is there');
	const before = heard.match(/^data: /gm)?.length ?? 0;
	await hit(base, '/streamed', headers);
	await until(() => (heard.match(/^data: /gm)?.length ?? 0) > before, 15_000, 'a second one came');
	stream.destroy();
}

const hit = (base: string, path: string, headers: Record<string, string> = {}) =>
	ask({
		...{ base, path: '/tm', method: 'POST', headers },
		body: JSON.stringify({ w: websiteId, u: `https://behind.example${path}` }),
	});

/** The recipe with what differs on this machine: ports, names of files, a certificate; and clients that say where they are from. */
async function startNginx() {
	const [tls, plain] = [await freePort(), await freePort()];
	execFileSync(
		'openssl',
		[
			...[
				'req',
				'-x509',
				'-newkey',
				'ec',
				'-pkeyopt',
				'ec_paramgen_curve:prime256v1',
				'-nodes',
				'-days',
				'2',
			],
			...[
				'-keyout',
				join(folder, 'privkey.pem'),
				'-out',
				join(folder, 'fullchain.pem'),
				'-subj',
				'/CN=stats.example.org',
			],
		],
		{ stdio: 'ignore' },
	);
	const recipe = readFileSync('deploy/proxies/nginx.conf', 'utf8')
		.replace(/listen \[::\].*;\n/g, '')
		.replace('listen 443 ssl', `listen 127.0.0.1:${tls} ssl`)
		.replace('listen 80;', `listen 127.0.0.1:${plain};`)
		.replace('server 127.0.0.1:8090;', `server ${new URL(w.base).host};`)
		.replaceAll('/etc/ssl/tidemark/', `${folder}/`)
		.replaceAll('/var/log/nginx/', `${folder}/`);
	const config = join(folder, 'nginx.conf');
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
		(name) => `${name}_temp_path ${folder}/${name};`,
	);
	writeFileSync(
		config,
		`daemon off; user root; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/main.log warn;
		events {}
		http {
			${temporary.join('\n')}
			access_log off;
			set_real_ip_from 127.0.0.0/8;
			real_ip_header X-Test-Client;
			${recipe}
		}`,
	);
	const tested = spawnSync('nginx', ['-t', '-c', config, '-p', folder], { encoding: 'utf8' });
	assert.equal(tested.status, 0, tested.error?.message ?? tested.stderr);
	assert.doesNotMatch(tested.stderr, /\[(warn|emerg)\]/);
	const nginx = spawn('nginx', ['-c', config, '-p', folder], { stdio: 'ignore' });
	const ended = once(nginx, 'exit');
	scope.after(async () => {
		nginx.kill('SIGTERM');
		await ended;
	});
	const base = `https://127.0.0.1:${tls}`;
	await until(() => isUp(base), 10_000, 'nginx answers');
	return { base, plain: `http://127.0.0.1:${plain}` };
}

const isUp = (base: string) =>
	ask({ base, path: '/health/live' }).then(
		() => true,
		() => false,
	);

type Row = { path: string; country: string; visitor_id: string };

test('[T31] [T53] nginx: the address arrives, what a client claims does not, and nobody is in its logs', async () => {
	const { base, plain } = await startNginx();
	const visitors = { american: '8.8.8.8', dutch: '193.0.6.139' };
	assert.equal((await hit(base, '/american', { 'x-test-client': visitors.american })).status, 202);
	assert.equal((await hit(base, '/dutch', { 'x-test-client': visitors.dutch })).status, 202);
	const claim = { 'x-test-client': visitors.dutch, 'x-forwarded-for': '8.8.4.4', forwarded: 'for=8.8.4.4' };
	assert.equal((await hit(base, '/claimed', claim)).status, 202);
	await w.drain();
	const rows = await w.clickhouse.rows<Row>(
		sql`SELECT path, country, toString(visitor_id) AS visitor_id FROM events ORDER BY path`,
		{ as: 'migrate' },
	);
	assert.deepEqual(
		rows.map(({ path, country }) => [path, country]),
		[
			['/american', 'US'],
			['/claimed', 'NL'],
			['/dutch', 'NL'],
		],
	);
	const [american, claimed, dutch] = rows.map(({ visitor_id }) => visitor_id);
	assert.equal(claimed, dutch, 'one visitor, whatever else was claimed');
	assert.notEqual(american, dutch);
	assert.equal(w.log().match(/TIDEMARK_TRUSTED_PROXIES/), null, 'nothing is left to set');

	await assertStreams(base, { 'x-test-client': visitors.dutch });
	const redirected = await open({
		base: plain,
		path: '/websites?x=1',
		headers: { 'x-test-client': visitors.dutch },
	});
	assert.equal(redirected.statusCode, 308);
	redirected.resume();

	const [found] = (await w.operate('doctor', {})).findings.filter(({ what }) => /prox(y|ies)/.test(what));
	assert.equal(found?.state, 'ok', found?.what);

	// What fails is where logs are most talkative.
	await w.restart(async () => {
		assert.equal((await hit(base, '/away', { 'x-test-client': visitors.dutch })).status, 502);
	});
	const logs = ['tidemark.log', 'tidemark-error.log', 'main.log'].map((name) =>
		readFileSync(join(folder, name), 'utf8'),
	);
	assert.match(logs[0] ?? '', /^\S+ POST 202 \d+ \S+$/m, 'there is a log');
	assert.match(logs[0] ?? '', / POST 502 /);
	for (const canary of [
		...Object.values(visitors),
		'8.8.4.4',
		'127.0.0.1',
		'behind.example',
		'/tm',
		'Firefox',
	])
		assert.ok(!logs.join('').includes(canary), `${canary} is in a log: ${logs.join('')}`);
});

test('[T31] [T53] Caddy: the address arrives, what a client claims does not, and nobody is in its log', async () => {
	const port = await freePort();
	const recipe = readFileSync('deploy/proxies/Caddyfile', 'utf8');
	const valid = spawnSync(
		'caddy',
		['validate', '--adapter', 'caddyfile', '--config', 'deploy/proxies/Caddyfile'],
		{
			encoding: 'utf8',
			env: { ...process.env, HOME: folder },
		},
	);
	assert.equal(valid.status, 0, valid.error?.message ?? valid.stderr);
	const config = join(folder, 'Caddyfile');
	writeFileSync(
		config,
		recipe
			.replace('{\n', '{\n\tadmin off\n\tauto_https off\n\tdebug\n')
			.replace('stats.example.org {', `http://127.0.0.1:${port} {\n\tbind 127.0.0.1`)
			.replace('127.0.0.1:8090', new URL(w.base).host),
	);
	const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', config], {
		stdio: ['ignore', 'ignore', 'pipe'],
		env: { PATH: process.env.PATH, HOME: folder },
	});
	let log = '';
	caddy.stderr.setEncoding('utf8').on('data', (text: string) => {
		log += text;
	});
	const ended = once(caddy, 'exit');
	scope.after(async () => {
		caddy.kill('SIGTERM');
		await ended;
	});
	const base = `http://127.0.0.1:${port}`;
	await until(() => isUp(base), 15_000, 'Caddy answers');
	const browser = await signedIn(w, account);
	const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
	const address = async (headers: Record<string, string>) => {
		const { text } = await ask({
			base,
			path: '/app/api/session/address',
			from: '127.0.0.77',
			headers: { cookie, ...headers },
		});
		return JSON.parse(text).data.address;
	};
	assert.equal(await address({}), '127.0.0.77');
	assert.equal(await address({ 'x-forwarded-for': '8.8.4.4' }), '127.0.0.77');
	await assertStreams(base, {});
	await w.restart(async () => {
		assert.equal((await ask({ base, path: '/canary-path', from: '127.0.0.77' })).status, 502);
	});
	await until(() => /"level":"error"/.test(log), 5_000, 'the failure is in its log');
	for (const canary of ['127.0.0.77', '8.8.4.4', 'canary-path', 'Firefox'])
		assert.ok(!log.includes(canary), `${canary} is in the log: ${log}`);
});
