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
		TIDEMARK_RATE_LIMIT: '100000000',
	};
	return {
		settings,
		postgresUrl: postgres.url,
		start(roles, more = {}) {
			const args = ['--port', '0', '--role', roles];
			return startServiceProcess(t, { settings: { ...settings, ...more }, args });
		},
	};
}

/** An account of the installation, made through one of its processes. */
export async function accountOn(service: ServiceProcess): Promise<{ key: string; api: Client }> {
	const key = await keyOn(service);
	return { key, api: client(service.base, key) };
}
