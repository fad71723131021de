/** NATS servers of their own on their own ports and folders, as an operator's would be; killed, frozen and started again by hand. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** From a newer Debian than the one that the tests run on, or where NATS_SERVER says. */
function findProgram(): string {
	const named = process.env.NATS_SERVER;
	if (named) return named;
	const program = join(root, 'build/nats/usr/sbin/nats-server');
	if (!existsSync(program))
		execFileSync(join(root, 'scripts/deb-from'), ['trixie', 'nats-server', join(root, 'build/nats')]);
	return program;
}

/**
 * One of a cluster is healthy once it has caught up with the others. Of the 2.10 ones some say for ever that they are catching
 * up, until they are started again: as whatever looks after servers would do, it is done here.
 */
const healthyWithinMs = 45_000;
const maxStarts = 3;

export type NatsServer = {
	port: number;
	monitorUrl: string;
	/** Where its streams are. */
	store: string;
	pid(): number;
	kill(): Promise<void>;
	freeze(): void;
	thaw(): void;
	/** After a kill. */
	start(): Promise<void>;
};

type Options = {
	/** Lines of the configuration that are not as usual. */
	jetstream?: string;
	more?: string;
	servers?: 1 | 3;
};

const user = 'tidemark';
/** May do anything, as whoever runs the servers. */
const operator = 'operator';
/** Those that operators are told to give. */
const permissions = /permissions: \{.*?\n\t\t\t\t\}/s.exec(
	readFileSync(join(root, 'deploy/nats-server.conf'), 'utf8'),
)?.[0];
const password = 'a password of the tests';

/** One server, or a cluster of three. `settings` are those of a service that uses them. */
export async function startNats(
	t: { after(work: () => Promise<void>): void },
	options: Options = {},
): Promise<{
	servers: NatsServer[];
	url: string;
	/** Of the first, for whoever runs it. */
	operatorUrl: string;
	settings: Record<string, string>;
}> {
	const program = findProgram();
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-nats-'));
	const count = options.servers ?? 1;
	const ports: { client: number; monitor: number; cluster: number }[] = [];
	for (let number = 0; number < count; number++)
		ports.push({ client: await freePort(), monitor: await freePort(), cluster: await freePort() });
	// Clients go by the addresses they are given, not by those that servers tell of each other: a test may stand in between.
	const routes = ports.map(({ cluster }) => `nats://127.0.0.1:${cluster}`).join(', ');
	const servers = ports.map((of, number) => {
		const store = join(folder, `${number}`);
		const config = join(folder, `${number}.conf`);
		writeFileSync(
			config,
			`
server_name: "test-${number}"
listen: "127.0.0.1:${of.client}"
http: "127.0.0.1:${of.monitor}"
accounts { TIDEMARK { jetstream: enabled, users: [
	{ user: "${user}", password: "${password}", ${permissions} }
	{ user: "${operator}", password: "${password}" }
] } }
jetstream { store_dir: "${store}", max_file_store: 16GB, ${options.jetstream ?? (count === 1 ? 'sync_interval: always' : '')} }
${count === 1 ? '' : `cluster { name: "tests", listen: "127.0.0.1:${of.cluster}", routes: [${routes}], no_advertise: true }`}
${options.more ?? ''}
`,
		);
		return serverOf(program, config, { ...of, store: join(store, 'jetstream') });
	});
	t.after(async () => {
		await Promise.all(servers.map((server) => server.kill()));
		rmSync(folder, { recursive: true, force: true });
	});
	await Promise.all(servers.map((server) => server.start()));
	const url = ports
		.map(({ client }) => `nats://${user}:${encodeURIComponent(password)}@127.0.0.1:${client}`)
		.join(',');
	const monitor = servers[0]?.monitorUrl ?? '';
	return {
		servers,
		url,
		operatorUrl: (url.split(',')[0] ?? '').replace(user, operator),
		settings: { NATS_URL: url, ...(count === 1 && { NATS_MONITOR_URL: monitor }) },
	};
}

function serverOf(
	program: string,
	config: string,
	of: { client: number; monitor: number; store: string },
): NatsServer {
	let running: ChildProcess | undefined;
	const monitorUrl = `http://127.0.0.1:${of.monitor}`;
	/** What it says of itself, in the end. */
	async function startOnce(): Promise<string> {
		const server = spawn(program, ['-c', config], { stdio: 'ignore' });
		running = server;
		const until = performance.now() + healthyWithinMs;
		for (;;) {
			const health = await fetch(`${monitorUrl}/healthz`).then(
				async (answer) => (answer.ok ? 'ok' : answer.text()),
				(error: unknown) => String(error),
			);
			if (server.exitCode !== null) throw new Error(`The NATS server ended with ${server.exitCode}.`);
			if (health === 'ok' || performance.now() > until) return health;
			await sleep(25);
		}
	}
	const kill = async () => {
		const ending = running;
		running = undefined;
		if (!ending || ending.exitCode !== null) return;
		const ended = new Promise((resolve) => ending.once('exit', resolve));
		ending.kill('SIGKILL');
		await ended;
	};
	const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
		running?.kill(name);
	};
	return {
		port: of.client,
		monitorUrl,
		store: of.store,
		pid: () => running?.pid ?? 0,
		kill,
		freeze: () => signal('SIGSTOP'),
		thaw: () => signal('SIGCONT'),
		async start() {
			for (let starts = 1; ; starts++) {
				const health = await startOnce();
				if (health === 'ok') return;
				await kill();
				if (starts === maxStarts)
					throw new Error(`The NATS server is not healthy, ${starts} times: ${health}`);
			}
		},
	};
}
