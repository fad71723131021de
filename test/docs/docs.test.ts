/**
 * The documentation is true as far as a machine can tell: links lead somewhere, every page can be found, and every example that can run
 * is run against a service of its own. What cannot run stands in a list below, with the reason.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Marked, type Tokens } from 'marked';
import { codesOf, guideNames } from '../../dashboard/pages/InstallPage/guides.ts';
import {
	anchorsOf,
	buildDocs,
	isOutside,
	linksOf,
	reachablePages,
	readPage,
	targetOf,
} from '../../scripts/build-docs.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service.ts';
import { patience } from '../support/timeout-factor.ts';

const root = join(import.meta.dirname, '..', '..');
const files = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).sort();

/** Whole pages whose commands are not run here, and why. Their settings, links and JSON are still looked at. */
const pagesNotRun: Record<string, string> = {
	'docs/mail.md': 'needs a mail server: test/notify/mail has one',
	'docs/operations.md': 'takes a service down and up again, and is tried by the tests that the page names',
	'docs/deploy.md': 'needs a container engine, systemd, Kubernetes or a proxy',
	'docs/doctor.md': 'its findings depend on the machine',
	'docs/sealing.md': 'its commands are patterns with optional parts; test/cli runs them',
};

/** Examples that are not run, by their page and a part of their text, and why. */
const notRun: [file: string, part: string, why: string][] = [
	['docs/contract/alerts.md', 'channel=webhook', 'its address is looked up in the open net'],
	['docs/contract/overview.md', '/live/stream', 'never ends'],
	['docs/contract/overview.md', '/funnels/3/stats', 'needs a funnel with the id 3'],
	['docs/contract/protocol.md', '5f2b…', 'needs the ETag of a record'],
	[
		'docs/collection.md',
		'geo update',
		'needs the npm registry; test/cli/geo.test.ts runs it with one of its own',
	],
	['docs/import.md', 'tidemark import', 'needs a file; test/import runs it'],
	['docs/import.md', 'psql', 'needs a database of Umami'],
	['docs/import.md', 'matomo.example', 'needs a Matomo'],
	['docs/import.md', 'tidemark follow', 'never ends; test/cli/follow.test.ts runs it'],
	['docs/export.md', 'archive merge', 'needs the archive of another installation; test/export has one'],
	[
		'docs/openid-connect.md',
		'tidemark oidc',
		'needs a provider; test/cli/oidc.test.ts runs it with one of its own',
	],
	['docs/operators.md', '$OPERATOR_KEY', 'needs an operator key; test/sign-in/operator.test.ts has one'],
	['docs/start.md', 'tidemark demo', 'takes long; test/cli/demo.slow.test.ts runs it'],
	['README.md', 'tidemark demo', 'takes long; test/cli/demo.slow.test.ts runs it'],
	['docs/tracker.md', "tidemark('Sign up'", 'runs in a page: test/tracker does that'],
];

/** What the dashboard shows must be what install.md shows. */
const place = { websiteId: 42, address: 'https://stats.example.com', script: '/tm.js', collect: '/tm' };
const guides = new Set(guideNames.flatMap((name) => codesOf[name](place)));

type Block = {
	file: string;
	language: string;
	words: string[];
	text: string;
	answer: string | undefined;
	/** The numbers of the answer are promised, not only its shape. */
	isExact: boolean;
};

const marked = new Marked();

function blocksOf(file: string): Block[] {
	const tokens = marked
		.lexer(readFileSync(join(root, file), 'utf8'))
		.filter((token) => token.type !== 'space');
	const found: Block[] = [];
	tokens.forEach((token, index) => {
		if (token.type !== 'code') return;
		const [language = '', ...words] = (token.lang ?? '').split(' ');
		const next = tokens[index + 1];
		const isAnswer = next?.type === 'code' && /^json answer( exact)?$/.test(next.lang ?? '');
		const answer = isAnswer ? (next as Tokens.Code).text : undefined;
		const isExact = isAnswer && next.lang === 'json answer exact';
		found.push({ file, language, words, text: token.text, answer, isExact });
	});
	return found;
}

const isSettings = ({ text }: Block) =>
	text.split('\n').every((line) => /^(export )?[A-Z_]+=\S*|^#|^$/.test(line));
const isNpm = ({ text }: Block) =>
	text.split('\n').every((line) => /^([A-Z_]+=\S+ )*(npm|node) (ci|test|run|scripts|bench)/.test(line));
const isListed = ({ file, text }: Block) =>
	file in pagesNotRun || notRun.some(([page, part]) => page === file && text.includes(part));

/** What a test does with an example. */
function kindOf(
	block: Block,
): 'run' | 'serve' | 'settings' | 'npm' | 'json' | 'guide' | 'listed' | 'shown' | undefined {
	const { language, words, text } = block;
	if (guides.has(text)) return 'guide';
	if (language === 'json') return 'json';
	if (words.includes('serve')) return 'serve';
	if (isListed(block)) return 'listed';
	if (language === 'sh' && isNpm(block)) return 'npm';
	if (language === 'sh' && isSettings(block) && !text.includes('KEY=')) return 'settings';
	if (['sh', 'ts', 'python', 'php'].includes(language)) return 'run';
	// Markup, parts of other programs' settings, answers: nothing that runs by itself.
	if (['', 'html', 'mermaid', 'astro', 'sql', 'yaml', 'ini', 'nginx', 'caddy', 'xml'].includes(language))
		return 'shown';
	return undefined;
}

const blocks = files.flatMap(blocksOf);

let folder = '';
let service: ServiceProcess;
const work: (() => Promise<void>)[] = [];

before(async () => {
	folder = mkdtempSync(join(tmpdir(), 'tidemark-docs-'));
	mkdirSync(join(folder, 'bin'));
	const command = (name: string, script: string) =>
		writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
	command('tidemark', `exec ${process.execPath} ${join(root, 'cli', 'main.ts')} "$@"`);
	command('npx', 'exec "$@"');
	// The tarball is made and installed by test/package/package.slow.test.ts.
	command('npm', 'case "$1 $2" in "install tidemark-"*.tgz) ;; *) exit 1 ;; esac');
	command('curl', `exec /usr/bin/curl -S --max-time 20 -w '%{stderr}status %{http_code}\\n' "$@"`);
	service = await startServiceProcess(
		{ after: (task) => work.unshift(task) },
		{ folder: join(folder, 'data') },
	);
});
after(async () => {
	await service.stop();
	for (const task of work) await task();
	rmSync(folder, { recursive: true, force: true });
});

test('every link leads to a file, and to a heading of it', () => {
	const dead: string[] = [];
	for (const file of files) {
		const page = readPage(file);
		for (const href of linksOf(page.tokens)) {
			if (isOutside(href)) {
				if (!/^(https:\/\/[^\s]+|mailto:\S+@\S+)$/.test(href)) dead.push(`${file}: ${href}`);
				continue;
			}
			const target = targetOf(file, href);
			const exists = existsSync(join(root, target.file));
			const hasAnchor =
				target.anchor === '' || (exists && anchorsOf(readPage(target.file).tokens).includes(target.anchor));
			if (!exists || !hasAnchor) dead.push(`${file}: ${href}`);
		}
	}
	assert.deepEqual(dead, []);
});

test('every page can be reached from the entrance', () => {
	const reached = new Set(reachablePages().map((page) => page.file));
	assert.deepEqual(
		files.filter((file) => !reached.has(file)),
		[],
	);
});

test('every example is run, checked another way, or listed with a reason', () => {
	const unknown = blocks.filter((block) => kindOf(block) === undefined);
	assert.deepEqual(
		unknown.map(({ file, language, text }) => `${file}: ${language}: ${text.split('\n')[0]}`),
		[],
	);
	const stale = notRun.filter(
		([file, part]) => !blocks.some((block) => block.file === file && block.text.includes(part)),
	);
	assert.deepEqual(stale, []);
});

test('install.md shows what the dashboard shows', () => {
	const shown = new Set(blocksOf('docs/install.md').map(({ text }) => text));
	assert.deepEqual(
		[...guides].filter((code) => !shown.has(code)),
		[],
	);
});

test('every setting that is named exists', () => {
	const known = new Set(
		[...readFileSync(join(root, 'docs/settings.md'), 'utf8').matchAll(/^\| `([A-Z_]+)`/gm)].map(
			([, name]) => name,
		),
	);
	assert.ok(known.size > 20);
	// Of an assistant's program, not of the service.
	known.add('TIDEMARK_API_KEY');
	const named = files
		.filter((file) => file !== 'CHANGELOG.md')
		.flatMap((file) =>
			[...readFileSync(join(root, file), 'utf8').matchAll(/\bTIDEMARK_[A-Z_]+\b/g)].map(([name]) => ({
				file,
				name,
			})),
		);
	assert.deepEqual(
		named.filter(
			({ name }) => !known.has(name) && !known.has(name.replace(/_FILE$/, '')) && name !== 'TIDEMARK_',
		),
		[],
	);
});

test('every command is named in commands.md', async () => {
	const { stdout } = await runProgram('sh', 'tidemark --help');
	const names = [...stdout.matchAll(/^ {2}([a-z]+) .*\S/gm)]
		.map(([, name]) => name)
		.filter((name) => name !== 'help');
	assert.ok(names.length > 10, stdout);
	const page = readFileSync(join(root, 'docs/commands.md'), 'utf8');
	assert.deepEqual(
		names.filter((name) => !new RegExp(`\`(tidemark )?${name}\\b`).test(page)),
		[],
	);
});

test('every operation of the API is in the table of the contract', () => {
	const { paths }: { paths: Record<string, object> } = JSON.parse(
		readFileSync(join(root, 'api/openapi.json'), 'utf8'),
	);
	const names = Object.keys(paths).map((path) => path.replace(/(\/\{\w+\})+$/, '').replace(/^.*\//, '/'));
	assert.ok(names.length > 50);
	const table = readFileSync(join(root, 'docs/contract/README.md'), 'utf8');
	assert.deepEqual(
		names.filter((name) => !new RegExp(`${name}\\b`).test(table)),
		[],
	);
});

test('every npm command exists, and the folder that it names', () => {
	const { scripts }: { scripts: Record<string, string> } = JSON.parse(
		readFileSync(join(root, 'package.json'), 'utf8'),
	);
	for (const { text, file } of blocks.filter((block) => kindOf(block) === 'npm'))
		for (const line of text.split('\n')) {
			const [, script] = /npm run ([\w:]+)/.exec(line) ?? [];
			if (script) assert.ok(script in scripts, `${file}: ${line}`);
			const [, path] = /(?:-- |node )((?:test|bench|scripts)[\w./-]+)/.exec(line) ?? [];
			if (path) assert.ok(globSync(`${path}*`, { cwd: root }).length > 0, `${file}: ${line}`);
		}
});

test('JSON can be read', () => {
	for (const { text, file } of blocks.filter((block) => block.language === 'json')) {
		const isJson = (part: string) => {
			try {
				JSON.parse(part);
				return true;
			} catch {
				return false;
			}
		};
		assert.ok(isJson(text) || text.split('\n').every(isJson), `${file}:\n${text}`);
	}
});

test('the site has every page, no script, and asks nothing of another host', () => {
	const out = join(folder, 'site');
	const addresses = buildDocs(out);
	assert.equal(addresses.length, files.length);
	for (const address of addresses) {
		const html = readFileSync(join(out, address), 'utf8');
		assert.doesNotMatch(html, /<script|<iframe|<link[^>]+https?:|<img[^>]+src="https?:|@import/, address);
		for (const [, href = ''] of html.matchAll(/(?:href|src)="([^"#:]+)(?:#[^"]*)?"/g))
			assert.ok(existsSync(join(out, address, '..', decodeURI(href))), `${address}: ${href}`);
	}
	assert.doesNotMatch(readFileSync(join(out, 'site.css'), 'utf8'), /url\(|@import/);
});

const starts = blocks.filter((block) => kindOf(block) === 'serve');

// Pages that say the same share a start.
for (const [text, same] of Map.groupBy(starts, (block) => block.text))
	test(`${same.map((block) => block.file).join(', ')}: what starts the service starts it`, async (t) => {
		const empty = join(folder, 'empty');
		mkdirSync(empty, { recursive: true });
		const child = spawn('bash', ['-ec', text.replace(/^npx tidemark serve.*$/m, 'exec $& --port 0')], {
			cwd: empty,
			env: environment(),
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const ended = new Promise((resolve) => child.once('close', resolve));
		t.after(async () => {
			child.kill('SIGTERM');
			await ended;
			rmSync(empty, { recursive: true });
		});
		let printed = '';
		for await (const part of child.stdout.setEncoding('utf8')) {
			printed += part;
			if (/set-up#token=/.test(printed)) break;
		}
		assert.match(printed, /^Tidemark is ready at http:\/\/127\.0\.0\.1:\d+$/m);
	});

test('what pages promise is compared number by number', () => {
	const promised = blocks.filter(({ isExact }) => isExact).map(({ file }) => file);
	assert.deepEqual(promised, ['docs/api.md', 'docs/api.md', 'docs/api.md', 'docs/api.md', 'docs/start.md']);
	assert.equal(
		findDifference({ a: [{ b: 1, time: '2026-11-15' }] }, { a: [{ b: 1, time: 'x' }], c: 2 }),
		undefined,
	);
	assert.equal(findDifference({ a: { b: 1 } }, { a: { b: 0 } }), 'answer.a.b is 0');
	assert.equal(findDifference({ a: [1] }, { a: [] }), 'answer.a has 0 entries');
});

for (const file of files.filter((each) => blocksOf(each).some((block) => kindOf(block) === 'run')))
	test(`${file}: every example does what it says`, async () => {
		const key = await keyFor(file);
		for (const block of blocksOf(file).filter((each) => kindOf(each) === 'run')) await runBlock(block, key);
	});

function environment(more: Record<string, string> = {}): Record<string, string> {
	const { PATH = '', HOME = '/' } = process.env;
	return { HOME, PATH: `${join(folder, 'bin')}:${PATH}`, ...more };
}

/** Each page has an account for itself, so that pages may use the same domains. */
async function keyFor(file: string): Promise<string> {
	const printed = await runProgram(
		'sh',
		`tidemark account create --name Reader --email ${nameOf(file)}@reader.example --json`,
	);
	assert.equal(printed.code, 0, printed.stderr);
	const { key, link }: { key: string; link: string } = JSON.parse(printed.stdout);
	// The service listens on a port of its own choice; the command must not print the usual one.
	assert.ok(link.startsWith(`${service.base}/password#token=`), link);
	return key;
}

const nameOf = (file: string) => file.replace(/\W/g, '-').toLowerCase();

async function api(
	key: string,
	path: string,
	body: object,
): Promise<{ data: { id: number }; website_id?: number }> {
	const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
	const response = await fetch(`${service.base}/api/v1${path}`, {
		method: 'POST',
		headers,
		body: JSON.stringify(body),
	});
	return (await response.json()) as { data: { id: number }; website_id?: number };
}

/** Pages that are followed from top to bottom by somebody who has no website yet: their website 1 is the first that they create. */
const stories = new Set(['docs/start.md', 'docs/api.md']);
/** The ids that a story's websites have here, in the order of their creation. */
const created = new Map<string, number[]>();

/** What `/websites/1` and the like are called here. Elsewhere it is one website of the page's account, anew if an example deleted it. */
async function nameWebsites({ file, text }: Block, key: string): Promise<string> {
	if (!stories.has(file)) {
		const made = await api(key, '/websites', { domain: 'shore.example' });
		return text.replaceAll(/\/websites\/(1|42)\b/g, `/websites/${made.website_id ?? made.data.id}`);
	}
	const ids = created.get(file) ?? [];
	created.set(file, ids);
	// Ids go up one by one, and nobody else creates any meanwhile: so the next one is known before the example creates it.
	if (/\/websites"? .*-d domain=/.test(text) && ids.length < 2) {
		const { data: probe } = await api(key, '/websites', { domain: 'probe.example' });
		await fetch(`${service.base}/api/v1/websites/${probe.id}`, {
			method: 'DELETE',
			headers: { authorization: `Bearer ${key}` },
		});
		ids.push(probe.id + 1);
	}
	return text.replaceAll(/\/websites\/(\d+)\b/g, (_, number) => `/websites/${ids[Number(number) - 1]}`);
}

/** What was sent is counted within seconds; a page that promises a number says so. */
const countedWithinMs = 20_000 * patience;

async function runBlock(block: Block, key: string): Promise<void> {
	const named = await nameWebsites(block, key);
	const text = named
		.replaceAll('http://127.0.0.1:8090', service.base)
		.replaceAll('https://stats.example.com', service.base)
		.replaceAll('tm_…', key)
		.replaceAll(/"time": "[^"]+"/g, `"time": "${new Date().toISOString()}"`)
		.replaceAll(/@example\.com\b/g, `@${nameOf(block.file)}.example`);
	const run = () =>
		runProgram(block.language, text, {
			API: `${service.base}/api/v1`,
			KEY: key,
			BASE_URL: service.base,
			API_KEY: key,
		});
	let printed = await run();
	if (block.isExact && block.answer !== undefined) {
		const expected = JSON.parse(block.answer);
		for (const begun = Date.now(); Date.now() - begun < countedWithinMs; printed = await run()) {
			if (findDifference(expected, JSON.parse(printed.stdout)) === undefined) break;
			await sleep(500);
		}
		assert.equal(findDifference(expected, JSON.parse(printed.stdout)), undefined, printed.stdout);
	}
	const told = `${block.file}:\n${text}\n${printed.stdout}${printed.stderr}`;
	assert.equal(printed.code, 0, told);
	const [, expected = '2'] = /status=(\d+)/.exec(block.words.join(' ')) ?? [];
	const statuses = [...printed.stderr.matchAll(/^status (\d+)$/gm)].map(([, status = '']) => status);
	if (text.includes('curl')) assert.ok(statuses.length > 0, told);
	for (const status of statuses) assert.ok(status.startsWith(expected), told);
	// An event that is dropped is answered 202, too.
	assert.doesNotMatch(printed.stdout, /"dropped":\s*\[\s*\{/, told);
	// The programs print what they counted; the text above them says what that is.
	if (block.file === 'docs/api.md' && block.language !== 'sh')
		assert.match(printed.stdout, /\{"visitors": ?1, ?"events": ?1\}\n$/, told);
	if (block.answer !== undefined) assertShape(JSON.parse(block.answer), JSON.parse(printed.stdout), told);
}

/** Where a promised number or text is another one. Times, dates and what is abbreviated by `…` are not promised. */
function findDifference(shown: unknown, real: unknown, path = 'answer'): string | undefined {
	if (typeof shown === 'object' && shown !== null && typeof real === 'object' && real !== null) {
		if (Array.isArray(shown) && Array.isArray(real) && shown.length !== real.length)
			return `${path} has ${real.length} entries`;
		const given = real as Record<string, unknown>;
		return Object.entries(shown)
			.filter(([name]) => !['…', 'id', 'ms', 'rows_read'].includes(name))
			.map(([name, value]) => findDifference(value, given[name], `${path}.${name}`))
			.find((difference) => difference !== undefined);
	}
	const isPromised = typeof shown !== 'string' || !/…|^\d{4}-\d\d-\d\d/.test(shown);
	return isPromised && shown !== real ? `${path} is ${JSON.stringify(real)}` : undefined;
}

/** The same members with the same kinds of values; a member `…` stands for more of them, null for no value yet. */
function assertShape(shown: unknown, real: unknown, told: string, path = 'answer'): void {
	if (shown === null || real === null) return;
	assert.equal(kindOfValue(real), kindOfValue(shown), `${path} is of another kind\n${told}`);
	if (Array.isArray(shown) && Array.isArray(real)) {
		if (shown.length > 0 && real.length > 0) assertShape(shown[0], real[0], told, `${path}[0]`);
	} else if (typeof shown === 'object' && typeof real === 'object') {
		const { '…': more, ...members } = shown as Record<string, unknown>;
		const given = real as Record<string, unknown>;
		if (more === undefined)
			assert.deepEqual(Object.keys(given).sort(), Object.keys(members).sort(), `${path}\n${told}`);
		for (const [name, value] of Object.entries(members)) {
			assert.ok(name in given, `${path}.${name} is missing\n${told}`);
			assertShape(value, given[name], told, `${path}.${name}`);
		}
	}
}

const kindOfValue = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);

type Printed = { code: number | null; stdout: string; stderr: string };

function runProgram(
	language: string,
	text: string,
	variables: Record<string, string> = {},
): Promise<Printed> {
	const file = join(folder, `example.${language}`);
	writeFileSync(file, text);
	const [command = '', ...args] =
		{ sh: ['bash', '-e', '-o', 'pipefail'], ts: [process.execPath], python: ['python3'], php: ['php'] }[
			language
		] ?? [];
	const child = spawn(command, [...args, file], {
		cwd: folder,
		env: environment(variables),
		timeout: 30_000 * patience,
	});
	const printed = { stdout: '', stderr: '' };
	for (const name of ['stdout', 'stderr'] as const)
		child[name].setEncoding('utf8').on('data', (part: string) => {
			printed[name] += part;
		});
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) => resolve({ code, ...printed }));
	});
}
