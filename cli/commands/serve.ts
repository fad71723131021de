import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Config } from '../../server/config.ts';
import { controlPath, isServed } from '../../server/control/call.ts';
import { createLog, type Log } from '../../server/lib/log.ts';
import type { Service } from '../../server/main.ts';
import { FolderInUse } from '../../server/store/folder-lock.ts';
import { configOf, folderCommand, print, type ServeOptions } from '../settings.ts';
import { findServiceManager } from '../systemd.ts';

export function serveCommand(): Command {
	return folderCommand('serve', 'Start the service.')
		.option('--port <number>', 'port to listen on (default: 8090)')
		.option('--host <address>', 'address to listen on (default: 127.0.0.1)')
		.option(
			'--role <roles>',
			'roles of this process, separated by commas: collect, write, api, jobs (default: all)',
		)
		.option(
			'--workers <number>',
			'worker processes that share the port (default: 0, the main process serves requests)',
		)
		.action(serve);
}

async function serve(options: ServeOptions) {
	const config = configOf(options);
	const log = createLog(config.logLevel, undefined, config.logFormat);
	log.debug('service is starting');
	const manager = findServiceManager(process.env, log);
	const stopped = Promise.withResolvers<string>();
	// A signal during startup takes effect once there is something to stop.
	for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => stopped.resolve(signal));
	watchParent(stopped.resolve);
	// Aborts a start that waits for a server; any other start finishes soon anyway.
	const stopping = new AbortController();
	void stopped.promise.then(() => stopping.abort());

	const service = await startWhenFree(config, log, stopping.signal).catch(async (error: unknown) => {
		if (stopping.signal.aborted) return undefined;
		throw await explainStart(error, config);
	});
	if (!service) return log.info({ reason: await stopped.promise }, 'stopped before it was ready');
	log.info({ address: service.address, roles: config.roles, ...service.pids() }, 'ready');
	print(readyMessage(service));
	manager.ready();

	try {
		log.info({ reason: await Promise.race([stopped.promise, service.failed]) }, 'stopping');
	} finally {
		manager.stopping();
		await service.stop();
		log.info('stopped');
	}
}

/** Written at once, so that a process that reads stdout gets all of it. */
function readyMessage({ baseUrl, setupUrl }: Pick<Service, 'baseUrl' | 'setupUrl'>): string {
	const ready = `Tidemark is ready at ${baseUrl}`;
	if (!setupUrl) return ready;
	const program = process.env.npm_command ? 'npx tidemark' : 'tidemark';
	return [
		ready,
		...box([
			'Create the first account. This link works once:',
			'',
			setupUrl,
			'',
			`Without a browser: ${program} account create --email you@example.com --name "Your name"`,
		]),
	].join('\n');
}

/** Without sides, so that a narrow terminal wraps the link without breaking it. */
function box(lines: readonly string[]): string[] {
	const rule = '─'.repeat(Math.min(78, Math.max(...lines.map(({ length }) => length))));
	return [rule, ...lines, rule];
}

/**
 * Under `npx`, `npm start` or the launcher for older Node versions, signals go to the parent process, and npm does not
 * forward them. So this process stops when its parent exits, instead of keeping the port.
 */
function watchParent(stop: (reason: string) => void) {
	if (!process.env.npm_command && !process.env.TIDEMARK_LAUNCHER_PID) return;
	const parent = process.ppid;
	setInterval(() => {
		if (process.ppid !== parent) stop('the parent process exited');
	}, 250).unref();
}

/**
 * A listening socket from systemd socket activation, which is always descriptor 3. The socket outlives this process, so
 * clients that connect during a restart wait instead of being refused.
 */
function inheritedSocket({ LISTEN_FDS, LISTEN_PID }: NodeJS.ProcessEnv): number | undefined {
	if (LISTEN_FDS === undefined || LISTEN_PID !== String(process.pid)) return undefined;
	if (LISTEN_FDS !== '1')
		throw new Error(`Expected one socket, but LISTEN_FDS is ${LISTEN_FDS}. Configure a single ListenStream.`);
	return 3;
}

const waitForFolderMs = 10_000;

/** Waits for a command that uses the folder for a moment, but not for another service. */
async function startWhenFree(config: Config, log: Log, signal: AbortSignal): Promise<Service> {
	// Loaded only here, because it imports the whole service: --help must not wait for it.
	const { startService } = await import('../../server/main.ts');
	const giveUpAt = Date.now() + waitForFolderMs;
	for (;;) {
		try {
			return await startService(config, { log, signal, socket: inheritedSocket(process.env) });
		} catch (error) {
			if (!(error instanceof FolderInUse) || Date.now() > giveUpAt || (await isServed(controlPath(config))))
				throw error;
			await sleep(200);
		}
	}
}

async function explainStart(error: unknown, config: Config): Promise<unknown> {
	const { dataFolder, host, port } = config;
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	// The service that uses the port may be the one on this folder.
	if (error instanceof FolderInUse || (code === 'EADDRINUSE' && (await isServed(controlPath(config)))))
		return new Error(
			`Tidemark is already running on ${dataFolder}. Stop it first, or choose another folder with --data.`,
		);
	if (code === 'EADDRINUSE')
		return new Error(`Port ${port} is already in use. Choose another one with --port.`);
	if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' || code === 'ENOTFOUND')
		return new Error(`${host} is not an address of this machine. Choose another one with --host.`);
	if (code === 'EACCES' && error instanceof Error && 'syscall' in error && error.syscall === 'listen')
		return new Error(`Port ${port} requires root privileges. Choose a port above 1023 with --port.`);
	return error;
}
