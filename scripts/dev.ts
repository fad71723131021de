/**
 * Runs Tidemark for contributors, on one address: the service, the dashboard with hot reload, and the tracker.
 *
 * npm run dev                     on http://127.0.0.1:8090, with its data in build/dev
 * npm run dev -- --demo           the same with an account and 90 days of demo data; prints the password
 * npm run dev -- --port 8091 --data build/other
 *
 * Vite listens on the address. It serves the dashboard from its sources and proxies everything else to the service, which
 * listens on a free port. The service restarts when its sources or the tracker change; requests wait until it is ready.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createServer, type ViteDevServer } from 'vite';
import { pagePaths, pagePolicy } from '../server/http/public/dashboard-files.ts';
import { freePort } from '../test/support/free-port.ts';
import { buildTracker } from './build-tracker.ts';

const root = join(import.meta.dirname, '..');
/** Folders whose changes restart the service. */
const serviceFolders = ['api', 'cli', 'migrations', 'presentation', 'server'];
/** Modules have a prefix of their own: /account/… is a page, and dashboard/account could be a folder. */
const modulePrefix = '/@dashboard/';

const { demo, port, data } = readOptions();
const address = `http://127.0.0.1:${port}`;
const servicePort = await freePort();

const children = new Set<ChildProcess>();
let isStopping = false;
let service: ChildProcess | undefined;
/** Whether the service answers; pending while it starts. */
let isServing: Promise<boolean> = Promise.resolve(false);
/** Where the first account is created, while there is none. */
let setupUrl: string | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
stopWithParent();
let vite: ViteDevServer | undefined;
try {
	vite = await startVite();
	await buildTracker(join(root, 'dist/tracker'));
	isServing = startService();
	watchSources(vite);
	if (!(await isServing)) throw new Error('The service did not start; the reason is printed above.');
	const signIn = demo ? await fillDemo() : undefined;
	const setUp = setupUrl && `Create the first account at ${setupUrl}`;
	console.log([`Tidemark is ready at ${address}`, signIn ?? setUp ?? ''].join('\n').trimEnd());
} catch (error) {
	if (!isStopping) {
		console.error(messageOf(error));
		await stop(1);
	}
}

function readOptions(): { demo: boolean; port: number; data: string } {
	try {
		const { values } = parseArgs({
			options: {
				demo: { type: 'boolean', default: false },
				port: { type: 'string', default: '8090' },
				data: { type: 'string', default: join(root, 'build/dev') },
			},
		});
		const port = Number(values.port);
		if (!Number.isInteger(port) || port < 1 || port > 65_535)
			throw new Error(`"${values.port}" is not a port. Choose a number between 1 and 65535.`);
		return { demo: values.demo, port, data: resolve(values.data) };
	} catch (error) {
		console.error(messageOf(error));
		process.exit(1);
	}
}

async function startVite(): Promise<ViteDevServer> {
	const server = await createServer({
		configFile: join(root, 'dashboard/vite.config.ts'),
		base: modulePrefix,
		server: {
			host: '127.0.0.1',
			port,
			strictPort: true,
			// While the service starts there is time to compile what the first page needs.
			warmup: { clientFiles: ['./main.tsx', './pages/*/*Page.tsx'] },
			// Many editors empty a file before they write it, and an update to an empty component is never made good.
			watch: { awaitWriteFinish: { stabilityThreshold: 60, pollInterval: 20 } },
			// The service decides which origins may read its responses.
			cors: false,
			// node_modules may be a link to those of another worktree.
			fs: { allow: [root, realpathSync(join(root, 'node_modules'))] },
			proxy: { [`^(?!${modulePrefix})`]: { target: `http://127.0.0.1:${servicePort}`, bypass: servePage } },
		},
	});
	try {
		return await server.listen();
	} catch (error) {
		await server.close();
		if (!/already in use/.test(messageOf(error))) throw error;
		throw new Error(`Port ${port} is already in use. Choose another one with \`npm run dev -- --port N\`.`);
	}
}

/** Gives pages to Vite, and everything else to the service once it is ready. */
async function servePage(
	request: IncomingMessage,
	response: ServerResponse | undefined,
): Promise<string | undefined> {
	if (!response) return undefined;
	const isRead = request.method === 'GET' || request.method === 'HEAD';
	if (isRead && isPage(request.url ?? '/')) {
		response.setHeader('content-security-policy', developmentPolicy);
		response.setHeader('referrer-policy', 'same-origin');
		return `${modulePrefix}index.html`;
	}
	if (await isServing) return undefined;
	response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' });
	response.end('The service is not running. See the terminal of `npm run dev`.\n');
	return request.url;
}

/** Hot reload needs inline scripts and styles and a WebSocket; the rest is as strict as in production. */
const developmentPolicy = pagePolicy({
	scripts: ["'unsafe-inline'"],
	development: { socket: `ws://127.0.0.1:${port} ws://localhost:${port}` },
});

function isPage(url: string): boolean {
	const path = new URL(url, address).pathname.replace(/(?<=.)\/$/, '');
	return pagePaths.some((pattern) => new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path));
}

/** Resolves to whether the service became ready. */
function startService(): Promise<boolean> {
	const child = startCommand(['serve', '--port', String(servicePort)], 'inherit');
	service = child;
	return new Promise((settle) => {
		let printed = '';
		child.stdout?.setEncoding('utf8').on('data', (text: string) => {
			printed += text;
			if (!/^Tidemark is ready at .*\n/m.test(printed)) return;
			setupUrl = /http\S+\/set-up#token=\S+/.exec(printed)?.[0];
			settle(true);
		});
		child.once('exit', (code, signal) => {
			settle(false);
			if (isStopping || child !== service) return;
			isServing = Promise.resolve(false);
			console.error(`The service exited (${code ?? signal}). It starts again when a source file changes.`);
		});
	});
}

async function restartService(): Promise<boolean> {
	const started = performance.now();
	const previous = service;
	service = undefined;
	if (previous) await end(previous);
	if (isStopping) return false;
	const isReady = await startService();
	if (isReady) console.log(`Restarted the service in ${Math.round(performance.now() - started)} ms.`);
	return isReady;
}

function startCommand(args: readonly string[], errors: 'inherit' | 'pipe'): ChildProcess {
	const child = spawn(process.execPath, [join(root, 'cli/main.ts'), ...args, '--data', data], {
		stdio: ['ignore', 'pipe', errors],
		env: {
			TIDEMARK_LOG_LEVEL: 'warn',
			NODE_COMPILE_CACHE: join(root, 'build/compiled'),
			...process.env,
			TIDEMARK_BASE_URL: address,
			// The service stops by itself when this process is gone.
			TIDEMARK_LAUNCHER_PID: String(process.pid),
		},
	});
	children.add(child);
	child.once('exit', () => children.delete(child));
	return child;
}

/** Runs a command of `tidemark` to its end and returns its JSON. */
async function runCommand(...args: string[]): Promise<Record<string, unknown>> {
	const child = startCommand([...args, '--json'], 'pipe');
	const printed = { stdout: '', stderr: '' };
	for (const stream of ['stdout', 'stderr'] as const)
		child[stream]?.setEncoding('utf8').on('data', (text: string) => {
			printed[stream] += text;
		});
	const code = await new Promise((settle) => child.once('close', settle));
	if (code !== 0) throw new Error(`tidemark ${args.join(' ')} failed:\n${printed.stderr}`);
	return JSON.parse(printed.stdout);
}

/** Fills the demo website up to now, and returns how to sign in. */
async function fillDemo(): Promise<string> {
	console.log('Filling the demo website with 90 days of visits.');
	const { account } = await runCommand('demo');
	if (account !== 'demo@example.com') return `The demo website belongs to ${account}.`;
	const file = join(data, 'demo-password');
	if (!existsSync(file)) {
		const password = randomBytes(9).toString('base64url');
		await setPassword(String(account), password);
		writeFileSync(file, `${password}\n`, { mode: 0o600 });
	}
	return `Sign in as ${account} with the password ${readFileSync(file, 'utf8').trim()}`;
}

async function setPassword(email: string, password: string): Promise<void> {
	const { link } = await runCommand('account', 'reset', email);
	const token = new URL(String(link)).hash.replace('#token=', '');
	const response = await fetch(`${address}/app/api/session/link`, {
		method: 'PUT',
		headers: { 'content-type': 'application/json', origin: address },
		body: JSON.stringify({ token, password }),
	});
	if (!response.ok) throw new Error(`The demo password was not set: ${await response.text()}`);
}

/** Uses Vite's file watcher. The dashboard's own files are Vite's business. */
function watchSources({ watcher }: ViteDevServer): void {
	const changed = new Set<string>();
	let timer: NodeJS.Timeout | undefined;
	watcher.add([...serviceFolders, 'tracker'].map((folder) => join(root, folder)));
	watcher.on('all', (_event, file) => {
		const [folder = ''] = relative(root, file).split('/');
		if (isStopping || file.endsWith('.test.ts') || ![...serviceFolders, 'tracker'].includes(folder)) return;
		changed.add(folder);
		clearTimeout(timer);
		// Editors and git write several files at once.
		timer = setTimeout(() => {
			const isTracker = changed.has('tracker');
			changed.clear();
			isServing = isServing.then(async () => {
				if (isTracker) await buildTracker(join(root, 'dist/tracker')).catch(printError);
				return restartService();
			});
		}, 100);
	});
}

async function stop(code: number): Promise<void> {
	if (isStopping) return;
	isStopping = true;
	process.exitCode = code;
	await Promise.all([...[...children].map(end), vite?.close()]);
	process.exit();
}

async function end(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = new Promise((settle) => child.once('exit', settle));
	child.kill('SIGTERM');
	await ended;
}

/** npm does not always pass a signal on; when it is gone we stop, instead of staying behind with the port. */
function stopWithParent(): void {
	const parent = process.ppid;
	setInterval(() => {
		if (process.ppid !== parent) void stop(0);
	}, 250).unref();
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

function printError(error: unknown): void {
	console.error(messageOf(error));
}
