import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { createConnection } from 'node:net';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import type { EngineConnection } from '../engine/supervise.ts';

/** The users that statements run as; engine/rights.ts lists what each may do. */
export type Role = 'ingest' | 'stats' | 'export' | 'migrate';

/** Longer than any statement may run, so that the server's own timeout error arrives first. */
const requestTimeoutMs = 3_700_000;

const shared = {
	request_timeout: requestTimeoutMs,
	// The recovery check sends thousands of keys, more than fits into a URL.
	use_multipart_params_auto: true,
	max_open_connections: 64,
	// Node's agent already closes idle sockets in time. The client (1.23) sets its own timer twice and clears it once when a
	// request is aborted just as it gets its socket; 2.5 s later the timer would break the next statement on that socket.
	keep_alive: { enabled: true, idle_socket_ttl: 0 },
	// Errors are thrown, and the caller logs them.
	log: { level: 127 },
} as const;

export function engineClients({
	socketPath,
	passwords,
	database,
}: EngineConnection): Record<Role, ClickHouseClient> {
	const clientOf = (role: Role) =>
		createClient({
			...shared,
			url: 'http://engine',
			database,
			username: role,
			password: passwords[role],
			http_agent: new SocketAgent(socketPath),
		});
	return {
		ingest: clientOf('ingest'),
		stats: clientOf('stats'),
		export: clientOf('export'),
		migrate: clientOf('migrate'),
	};
}

export type Reader = { name: string; password: string };

/** The options of a server besides its URL, from the settings. */
export const serverOptions = (settings: {
	clickhouseCa: string | undefined;
	clickhouseCluster: string | undefined;
	clickhouseReadUser: string | undefined;
	clickhouseReadPassword: string | undefined;
}) => ({
	ca: settings.clickhouseCa,
	cluster: settings.clickhouseCluster,
	reader:
		settings.clickhouseReadUser === undefined
			? undefined
			: { name: settings.clickhouseReadUser, password: settings.clickhouseReadPassword ?? '' },
});

/** A server has the user of its URL and optionally a read-only user. */
export function serverClients(
	url: string,
	{ ca, reader }: { ca: string | undefined; reader: Reader | undefined },
): Record<Role, ClickHouseClient> {
	const clientOf = (clientUrl: string) =>
		createClient({
			...shared,
			url: clientUrl,
			...(ca !== undefined && { http_agent: new SecureAgent({ ca, keepAlive: true, maxSockets: 64 }) }),
		});
	const client = clientOf(url);
	if (!reader) return { ingest: client, stats: client, export: client, migrate: client };
	const address = new URL(url);
	address.username = encodeURIComponent(reader.name);
	address.password = encodeURIComponent(reader.password);
	const readClient = clientOf(address.href);
	return { ingest: client, stats: readClient, export: readClient, migrate: client };
}

class SocketAgent extends Agent {
	readonly #socketPath: string;

	constructor(socketPath: string) {
		super({ keepAlive: true, maxSockets: 64 });
		this.#socketPath = socketPath;
	}

	override createConnection() {
		return createConnection(this.#socketPath);
	}
}
