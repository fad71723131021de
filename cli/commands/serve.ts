import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Config } from '../../server/config.ts';
import { controlPath, isServed } from '../../server/control/call.ts';
import { createLog, type Log } from '../../server/lib/log.ts';
import { type Service, startService } from '../../server/main.ts';
import { FolderInUse } from '../../server/store/folder-lock.ts';
import { configOf, folderCommand, print, type ServeOptions } from '../settings.ts';

export function serveCommand(): Command {
	return folderCommand('serve', 'Start the service.')
		.option('--port <number>', 'port to listen on (default: 8090)')
		.option('--host <address>', 'address to listen on (default: 127.0.0.1)')
		.option('--role <roles>', 'what this process does: some of collect,write,api,jobs (default: all)')
		.option('--workers <number>', 'processes that take requests on the port (default: 0, the service itself)')
		.action(serve);
}

async function serve(options: ServeOptions) {
	const config = configOf(options);
	const log = createLog(config.logLevel);
	const stopped = Promise.withResolvers<string>();
	// A signal that comes while we start is kept until there is something to stop.
	for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => stopped.resolve(signal));
	watchStarter(stopped.resolve);
	// Only one that waits for a server: the others are soon done.
	const leaving = new AbortController();
	void stopped.promise.then(() => leaving.abort());

	const service = await startWhenFree(config, log, leaving.signal).catch((error: unknown) => {
		if (leaving.signal.aborted) return undefined;
		throw explainStart(error, config.dataFolder, config.port);
	});
	if (!service) return log.info({ reason: await stopped.promise }, 'stopped before it was ready');
	print(greetingOf(service));
	log.info({ address: service.address, roles: config.roles, ...service.pids() }, 'ready');

	try {
		log.info({ reason: await Promise.race([stopped.promise, service.failed]) }, 'stopping');
	} finally {
		await service.stop();
		log.info('stopped');
	}
}

/** In one piece, so that whoever reads along has all of it. */
function greetingOf({ baseUrl, setupUrl }: Pick<Service, 'baseUrl' | 'setupUrl'>): string {
	const ready = `Tidemark is ready at ${baseUrl}`;
	if (!setupUrl) return ready;
	const program = process.env.npm_command ? 'npx tidemark' : 'tidemark';
	return [
		ready,
		`There is no account yet. Create the first one at ${setupUrl}`,
		`or with: ${program} account create --email you@example.com --name "Your name"`,
	].join('\n');
}

/**
 * Under `npx`, `npm start` or an older Node that only hands over, the process that a signal is sent to is not this
 * one, and npm does not pass signals on. When it is gone we stop, instead of staying behind with the port.
 */
function watchStarter(stop: (reason: string) => void) {
	if (!process.env.npm_command && !process.env.TIDEMARK_LAUNCHER_PID) return;
	const starter = process.ppid;
	setInterval(() => {
		if (process.ppid !== starter) stop('the process that started us is gone');
	}, 250).unref();
}

/**
 * A socket that is bound already, as systemd and those who do as it does hand it over: the first descriptor after the three
 * that everybody has. The socket outlives us, so whoever connects while no process is there waits instead of being refused.
 */
function inheritedSocket({ LISTEN_FDS, LISTEN_PID }: NodeJS.ProcessEnv): number | undefined {
	if (LISTEN_FDS === undefined || LISTEN_PID !== String(process.pid)) return undefined;
	if (LISTEN_FDS !== '1') throw new Error(`One socket is wanted, and LISTEN_FDS says ${LISTEN_FDS}.`);
	return 3;
}

const waitForFolderMs = 10_000;

/** A command that works on the folder for a moment is waited for; a service is not. */
async function startWhenFree(config: Config, log: Log, signal: AbortSignal): Promise<Service> {
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

function explainStart(error: unknown, folder: string, port: number): unknown {
	if (error instanceof FolderInUse)
		return new Error(
			`Tidemark is already running on ${folder}. Stop it first, or choose another folder with --data.`,
		);
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	if (code === 'EADDRINUSE')
		return new Error(`Port ${port} is taken by another program. Choose another one with --port.`);
	if (code === 'EACCES' && port < 1024)
		return new Error(`Port ${port} needs rights of the administrator. Choose one above 1023 with --port.`);
	return error;
}
