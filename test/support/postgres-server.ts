import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

/** A PostgreSQL server of the distribution on its own port and folder, as an operator's would be. */
export async function startPostgresServer(
	settings: Record<string, string> = {},
	{ place = tmpdir() } = {},
): Promise<{
	url: string;
	version: string;
	/** Starts it once more if it has ended, as whoever watches over an operator's server does. */
	startAgain(): void;
	stop(): Promise<void>;
}> {
	const programs = findPrograms();
	const folder = mkdtempSync(join(place, 'tidemark-pg-'));
	const identity = process.getuid?.() === 0 ? identityOf('postgres') : undefined;
	if (identity) chownSync(folder, identity.uid, identity.gid);
	const data = join(folder, 'data');
	const made = spawnSync(
		join(programs, 'initdb'),
		['-D', data, '-U', 'tester', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
		{
			...identity,
			encoding: 'utf8',
		},
	);
	if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
	const port = await freePort();
	const allSettings = {
		listen_addresses: '127.0.0.1',
		port: String(port),
		unix_socket_directories: folder,
		max_connections: '200',
		...settings,
	};
	const start = () =>
		spawn(
			join(programs, 'postgres'),
			['-D', data, ...Object.entries(allSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
			{ ...identity, stdio: 'ignore' },
		);
	let server = start();
	const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
	const url = `postgres://tester@127.0.0.1:${port}/postgres`;
	const version = await waitFor(url);
	return {
		url,
		version,
		startAgain() {
			if (hasEnded()) server = start();
		},
		async stop() {
			const ended = hasEnded() || new Promise((resolve) => server.once('exit', resolve));
			server.kill('SIGINT');
			await ended;
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function findPrograms(): string {
	const root = '/usr/lib/postgresql';
	const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
	const found = versions
		.map((version) => join(root, version, 'bin'))
		.find((bin) => existsSync(join(bin, 'initdb')));
	if (!found)
		throw new Error('The tests need the PostgreSQL server of the distribution: apt-get install postgresql.');
	return found;
}

export function identityOf(name: string): { uid: number; gid: number } {
	const line = readFileSync('/etc/passwd', 'utf8')
		.split('\n')
		.find((entry) => entry.startsWith(`${name}:`));
	const [, , uid, gid] = line?.split(':') ?? [];
	return { uid: Number(uid), gid: Number(gid) };
}

async function waitFor(url: string): Promise<string> {
	for (let attempt = 0; ; attempt++) {
		const client = new pg.Client({ connectionString: url });
		try {
			await client.connect();
			const { rows } = await client.query('SHOW server_version');
			return rows[0].server_version;
		} catch (error) {
			if (attempt > 200) throw error;
			await sleep(50);
		} finally {
			await client.end().catch(() => undefined);
		}
	}
}
