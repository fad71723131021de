import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startMailServer } from '../support/mail-server.ts';
import {
	descendantsOf,
	keyOn,
	type ServiceProcess,
	startServiceProcess,
	temporaryFolder,
	tidemark,
	until,
} from '../support/service.ts';
import { headerOf, wireRequest } from '../support/wire.ts';

const canaries = {
	secret: randomBytes(33).toString('hex'),
	mail: randomBytes(16).toString('hex'),
	metrics: randomBytes(33).toString('hex'),
};
const cleaning: (() => Promise<void>)[] = [];
const scope = { after: (work: () => Promise<void>) => void cleaning.unshift(work) };
let service: ServiceProcess;

before(async () => {
	const server = await startMailServer(scope, { user: 'tide', password: canaries.mail });
	const folder = temporaryFolder(scope);
	const file = (name: keyof typeof canaries) => {
		writeFileSync(join(folder, name), canaries[name], { mode: 0o600 });
		return join(folder, name);
	};
	service = await startServiceProcess(scope, {
		settings: {
			TIDEMARK_SECRET_FILE: file('secret'),
			TIDEMARK_METRICS_TOKEN_FILE: file('metrics'),
			TIDEMARK_SMTP_PASSWORD_FILE: file('mail'),
			TIDEMARK_SMTP_USER: 'tide',
			TIDEMARK_SMTP_HOST: '127.0.0.1',
			TIDEMARK_SMTP_PORT: String(server.port),
			TIDEMARK_SMTP_TLS: 'none',
			TIDEMARK_MAIL_FROM: 'stats@example.test',
			TIDEMARK_LOG_LEVEL: 'debug',
		},
	});
});
after(async () => {
	for (const work of cleaning) await work();
});

test('[T59] [C-DOC-1] secrets from files are in no list of processes, no environment, no finding of the doctor and no log', async () => {
	const asked = await tidemark(['doctor', '--json', '--data', service.folder]);
	const { findings }: { findings: { check: string; state: string; what: string }[] } = JSON.parse(
		asked.stdout,
	);
	assert.deepEqual(
		findings.filter(({ check }) => check === 'mail').map(({ state }) => state),
		['ok'],
		'it has used the password',
	);
	assert.equal(asked.code, findings.some(({ state }) => state === 'problem') ? 1 : 0);
	const text = await tidemark(['doctor', '--data', service.folder]);
	assert.match(text.stdout, /^(ok|notice|problem)\s+settings\s+\S/m);
	assert.match(text.stdout, /\n\d+ problems?, \d+ notices?, \d+ ok\.\n$/);
	const processes = [service.pid, ...descendantsOf(service.pid)].flatMap((pid) =>
		['cmdline', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8')),
	);
	assert.ok(processes.length >= 6, 'the service and its engines');
	const seen = [asked.stdout, asked.stderr, text.stdout, text.stderr, service.output(), ...processes].join(
		'\n',
	);
	for (const [name, canary] of Object.entries(canaries)) assert.ok(!seen.includes(canary), name);
	assert.ok(seen.includes('TIDEMARK_SECRET_FILE'), 'the control: environments were read');
});

test('[C-DOC-1] without a running service the doctor opens the folder itself, and what cannot be opened is its finding', async (t) => {
	const folder = join(temporaryFolder(t), 'data');
	await keyOn({ folder });
	const alone = await tidemark(['doctor', '--json', '--data', folder]);
	const { findings }: { findings: { check: string; state: string; what: string }[] } = JSON.parse(
		alone.stdout,
	);
	assert.ok(
		findings.some(({ what }) => /only while the service is running/.test(what)),
		alone.stdout,
	);
	assert.equal(alone.stderr, '', 'a short piece of work needs no bar');
	const away = await tidemark(['doctor', '--json', '--data', folder], {
		settings: { DATABASE_URL: 'postgres://tidemark:canary-password@127.0.0.1:1/none' },
	});
	assert.equal(away.code, 1);
	const [only] = JSON.parse(away.stdout).findings;
	assert.deepEqual([only.check, only.state], ['engines', 'problem']);
	assert.ok(!`${away.stdout}${away.stderr}`.includes('canary-password'));
	const wrong = await tidemark(['doctor'], { settings: { TIDEMARK_PORT: 'many' } });
	assert.equal(wrong.code, 1);
	assert.match(wrong.stderr, /TIDEMARK_PORT must be a whole number/);
});

test('[T67] what is given to a command is a text and never a command', async (t) => {
	const folder = temporaryFolder(t);
	const trap = join(folder, 'sprung');
	const names = [
		`; touch ${trap}`,
		`$(touch ${trap})`,
		`\`touch ${trap}\``,
		`a\ntouch ${trap}`,
		`' || touch ${trap} #`,
		`--help; touch ${trap}`,
	];
	for (const [index, name] of names.entries()) {
		const made = await tidemark([
			...['account', 'create', '--json', '--data', service.folder],
			...['--email', `trap-${index}@example.test`, `--name=${name}`],
		]);
		assert.equal(made.code, 0, made.stderr);
	}
	const listed = await tidemark(['account', 'list', '--json', '--data', service.folder]);
	const found: string[] = JSON.parse(listed.stdout).map((account: { name: string }) => account.name);
	for (const name of names) assert.ok(found.includes(name), JSON.stringify([name, found]));
	const table = await tidemark(['account', 'list', '--data', service.folder]);
	assert.doesNotMatch(table.stdout, /^touch/m, 'a line end does not break a table');
	for (const [args, refusal] of [
		[['website', 'create', '--account', 'trap-0@example.test', `$(touch ${trap})`], /domain/i],
		[['rebuild', '--website', `1; touch ${trap}`], /is not a website id/],
		[['check', '--from', `2026-01-01; touch ${trap}`], /is not a date/],
	] as const) {
		const refused = await tidemark([...args, '--data', service.folder]);
		assert.equal(refused.code, 1);
		assert.match(refused.stderr, refusal);
	}
	assert.ok(!existsSync(trap));
	// No command line is ever made of texts: programs are started by their name and a list.
	const files = globSync('{server,cli,bin}/**/*.{ts,js}').filter((file) => !file.endsWith('.test.ts'));
	const shells = files.filter((file) =>
		/shell:\s*true|\bexecSync\(|\{[^}]*\bexec\b[^}]*\} from 'node:child_process'/.test(
			readFileSync(file, 'utf8'),
		),
	);
	assert.deepEqual(shells, []);
});

/** Ways to say "the folder above", each as it goes over the wire. */
const climbs = [
	...[
		'..',
		'%2e%2e',
		'%2E%2E',
		'.%2e',
		'%2e.',
		'..;',
		'%252e%252e',
		'..%00',
		'%c0%ae%c0%ae',
		'%uff0e%uff0e',
		'．．',
	].flatMap((up) => ['/', '%2f', '%5c', '\\', '%252f'].map((slash) => `${up}${slash}`.repeat(4))),
	...['//', '/./', '%00', '/proc/self/root/'],
];
const targets = ['package.json', 'etc/passwd', 'secrets/secret'];
const places = [
	'/',
	'/assets/',
	'/docs/api/',
	'/docs/api/static/',
	'/tm.js/',
	'/api/v1/',
	'/app/api/',
	'/websites/',
];

test('[T63] no path leads to a file that is not given out, however it is spelt', async (t) => {
	const trace = join(temporaryFolder(t), 'opened');
	const tracer = spawn(
		'strace',
		['-f', '-qq', '-e', 'trace=open,openat,openat2,readlink', '-o', trace, '-p', String(service.pid)],
		{
			stdio: ['ignore', 'ignore', 'pipe'],
		},
	);
	const gone = once(tracer, 'exit');
	await until(
		() => /^TracerPid:\s+[1-9]/m.test(readFileSync(`/proc/${service.pid}/status`, 'utf8')),
		10_000,
		'it is traced',
	);
	const passwords = readFileSync('/etc/passwd', 'utf8').split('\n')[0] ?? '';
	let asked = 0;
	for (const place of places)
		for (const climb of climbs) {
			const path = Buffer.from(`${place}${climb}${targets[asked++ % targets.length]}`).toString('latin1');
			const answer = await wireRequest(service.base, { path });
			// A page is the same file whatever stands in the place of an id, and draws what it is told by others.
			const isPage = place === '/websites/' && /^text\/html/.test(headerOf(answer, 'content-type') ?? '');
			assert.ok(isPage || [308, 400, 401, 404].includes(answer.status), `${path}: ${answer.status}`);
			for (const text of [passwords, '"devDependencies"', canaries.secret])
				assert.ok(!answer.text.includes(text), path);
		}
	tracer.kill('SIGINT');
	await gone;
	const opened = [...readFileSync(trace, 'utf8').matchAll(/open(?:at2?)?\((?:AT_FDCWD, )?"([^"]+)"/g)].map(
		([, file = '']) => file,
	);
	assert.deepEqual(
		opened.filter((file) => /passwd|secrets?\/|(^|\/)package\.json$/.test(file)),
		[],
	);
	t.diagnostic(`${asked} paths, ${opened.length} files opened meanwhile`);
});
