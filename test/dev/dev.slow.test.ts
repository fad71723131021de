import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openBrowser } from '../support/browser.ts';
import { cleanEnvironment, cloneSources } from '../support/clone.ts';
import { freePort } from '../support/free-port.ts';
import { descendantsOf, isAlive, until } from '../support/service.ts';
import { patience } from '../support/timeout-factor.ts';

const clone = cloneSources({ after });

const startDev = (t: TestContext, args: readonly string[]) =>
	startCommand(t, 'npm', ['run', 'dev', '--', ...args]);

/** A command in the clone. After the test none of its processes is left. */
function startCommand(t: TestContext, command: string, args: readonly string[]) {
	const child = spawn(command, args, {
		cwd: clone,
		env: cleanEnvironment(),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const pid = child.pid ?? 0;
	let output = '';
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (text: string) => {
			output += text;
		});
	const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
	let processes: number[] = [];
	t.after(() => {
		for (const each of [pid, ...processes, ...descendantsOf(pid)].filter(isAlive))
			process.kill(each, 'SIGKILL');
	});
	return {
		output: () => output,
		/** Waits for a line and returns its first group. */
		async line(pattern: RegExp, withinMs: number): Promise<string> {
			await until(() => pattern.test(output) || !isAlive(pid), withinMs, `${pattern} is printed`);
			const found = pattern.exec(output);
			assert.ok(found, output);
			return found[1] ?? '';
		},
		/** Sends SIGTERM, and returns the processes that are left after a while. */
		async stop(): Promise<number[]> {
			processes = [pid, ...descendantsOf(pid)];
			child.kill('SIGTERM');
			await exited;
			await until(() => !processes.some(isAlive), 20_000, 'every process has ended').catch(() => undefined);
			return processes.filter(isAlive);
		},
	};
}

/** Empties the file first, as many editors do, and takes as long as they do on a busy machine. */
async function edit(file: string, from: string, to: string): Promise<void> {
	const text = readFileSync(file, 'utf8');
	assert.ok(text.includes(from), `${file} has no ${from}`);
	writeFileSync(file, '');
	await setTimeout(30);
	writeFileSync(file, text.replaceAll(from, to));
}

const sourceFile = (pattern: string, part: string): string => {
	const found = globSync(pattern, { cwd: clone })
		.map((file) => join(clone, file))
		.find((file) => readFileSync(file, 'utf8').includes(part));
	assert.ok(found, `no ${pattern} has ${part}`);
	return found;
};

test('npm run dev -- --demo: sign in with the printed password, see data, and see changes without a reload', async (t) => {
	const port = await freePort();
	const started = performance.now();
	const dev = startDev(t, ['--demo', '--port', String(port)]);
	const address = await dev.line(/^Tidemark is ready at (http\S+)$/m, 120_000);
	assert.equal(address, `http://127.0.0.1:${port}`);
	const password = await dev.line(/^Sign in as demo@example\.com with the password (\S+)$/m, 1_000);
	assert.deepEqual(new Set(dev.output().match(/http:\/\/[^\s]+/g)), new Set([address]), 'one address');

	const browser = await openBrowser();
	t.after(() => browser.close());
	const page = await browser.newPage({ locale: 'en-US' });
	page.setDefaultTimeout(60_000 * patience);
	const faults: string[] = [];
	page.on('pageerror', (error) => faults.push(String(error)));
	page.on('console', (message) => {
		// The browser itself notes refusals, which pages expect.
		if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
			faults.push(message.text());
	});
	await page.goto(address);
	await page.locator('input[type=email]').fill('demo@example.com');
	await page.locator('input[type=password]').fill(password);
	await page.locator('button[type=submit]').click();
	await page.waitForURL(`${address}/websites`);
	await page.goto(`${address}/websites/1`);
	const visitors = page.locator('button[aria-pressed]', { hasText: 'Visitors' }).locator('strong');
	await until(async () => /^[1-9]/.test((await visitors.textContent()) ?? ''), 60_000, 'there are visitors');
	t.diagnostic(`first page with data after ${Math.round((performance.now() - started) / 100) / 10} s`);

	await page.evaluate('window.isSamePage = true');
	const isSamePage = () => page.evaluate('window.isSamePage === true');
	const tab = page.locator('section nav a').first();
	const name = (await tab.textContent()) ?? '';
	await edit(sourceFile('dashboard/texts/en/*.ts', `'${name}'`), `'${name}'`, `'${name}, edited'`);
	await page
		.getByRole('link', { name: `${name}, edited` })
		.first()
		.waitFor();
	assert.ok(await isSamePage(), 'a changed text needs no reload');

	const head = '<header className={styles.head}>';
	await edit(sourceFile('dashboard/**/BreakdownPanel.tsx', head), head, `${head}<b>edited component</b>`);
	await page.getByText('edited component').first().waitFor();
	assert.ok(await isSamePage(), 'a changed component needs no reload');

	appendFileSync(join(clone, 'server/main.ts'), '\n// edited\n');
	await dev.line(/^Restarted the service in (\d+) ms\.$/m, 30_000);
	const session = "fetch('/app/api/session').then(async ({ status }) => status)";
	assert.equal(await page.evaluate(session), 200, 'still signed in: the data folder is the same');

	const script = await fetch(`${address}/tm.js`);
	assert.equal(script.status, 200, 'the tracker is built');
	assert.equal(script.headers.get('access-control-allow-origin'), '*');
	assert.equal((await fetch(`${address}/api/v1/websites`)).status, 401);
	assert.deepEqual(faults, []);
	assert.deepEqual(await dev.stop(), []);
});

test('npm run dev: a port that is taken, and an unknown option, are said in one sentence', async (t) => {
	const port = await freePort();
	const other = createServer().listen(port, '127.0.0.1');
	t.after(() => other.close());
	const taken = startDev(t, ['--port', String(port)]);
	await taken.line(
		new RegExp(`^Port ${port} is already in use\\. Choose another one with .*--port`, 'm'),
		30_000,
	);
	const unknown = startDev(t, ['--nonsense']);
	await unknown.line(/^Unknown option '--nonsense'/m, 30_000);
});

test('a service without a build says what to run, on its pages and in one line of its log', async (t) => {
	rmSync(join(clone, 'dist'), { recursive: true, force: true });
	const service = startCommand(t, process.execPath, ['cli/main.ts', 'serve', '--port', '0']);
	const address = await service.line(/^Tidemark is ready at (http\S+)$/m, 60_000);
	for (const path of ['/', '/websites/1', '/websites/1?embed=1']) {
		const page = await fetch(address + path);
		assert.equal(page.status, 503, path);
		assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
		assert.match(
			page.headers.get('content-security-policy') ?? '',
			/default-src 'none'.*frame-ancestors 'none'/,
		);
		assert.match(await page.text(), /not built[\s\S]*npm run build/);
	}
	for (const path of ['/tm.js', '/tm-vitals.js', '/tm.js']) {
		const script = await fetch(address + path);
		assert.equal(script.status, 503, path);
		assert.match(await script.text(), /not built.*npm run build/);
	}
	const errors = service
		.output()
		.split('\n')
		.filter((line) => line.includes('"level":"error"'));
	assert.deepEqual(
		errors.map((line) => JSON.parse(line).msg),
		[
			'dashboard is not built; run `npm run build` and restart',
			'tracker is not built; run `npm run build` and restart',
		],
	);
	assert.deepEqual(await service.stop(), []);
});
