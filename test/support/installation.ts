/** One installation of several processes: a PostgreSQL server, a ClickHouse server, and the program in the roles that a test wants. */
import { startClickHouseServer } from './clickhouse-server.ts';
import { type Client, client } from './client.ts';
import { oneSecret } from './one-secret.ts';
import { startPostgresServer } from './postgres-server.ts';
import { keyOn, type ServiceProcess, startServiceProcess } from './service.ts';

type Scope = { after(work: () => Promise<void>): void };

export type Installation = {
	/** What every process is told. */
	settings: Record<string, string>;
	postgresUrl: string;
	start(roles: string, settings?: Record<string, string>): Promise<ServiceProcess>;
};

export async function startInstallation(t: Scope): Promise<Installation> {
	const postgres = await startPostgresServer();
	t.after(() => postgres.stop());
	const clickhouse = await startClickHouseServer(t);
	const settings = {
		...{ DATABASE_URL: postgres.url, CLICKHOUSE_URL: clickhouse.url, TIDEMARK_SECRET: oneSecret },
		...{ TIDEMARK_RATE_LIMIT: '100000000', TIDEMARK_BASE_URL: 'https://stats.example.test' },
	};
	return {
		settings,
		postgresUrl: postgres.url,
		start(roles, more = {}) {
			const args = ['--port', '0', '--role', roles];
			return startAt(t, { settings: { ...settings, ...more }, args });
		},
	};
}

/** `base` is where the process listens, not where people would reach it. */
async function startAt(t: Scope, options: { settings: Record<string, string>; args: string[] }) {
	const service = await startServiceProcess(t, options);
	const [, base] = /"address":"(http[^"]+)"/.exec(service.output()) ?? [];
	if (base === undefined) throw new Error(`The service did not say where it listens:\n${service.output()}`);
	return { ...service, base };
}

/** An account of the installation, made through one of its processes. */
export async function accountOn(service: ServiceProcess): Promise<{ key: string; api: Client }> {
	const key = await keyOn(service);
	return { key, api: client(service.base, key) };
}
