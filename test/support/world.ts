import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Scope } from '../../server/accounts/key-limits.ts';
import { type Config, readConfig } from '../../server/config.ts';
import { callControl, controlPath } from '../../server/control/call.ts';
import type { OperationInput, OperationName } from '../../server/control/operations.ts';
import type { Clock } from '../../server/lib/clock.ts';
import { createLog } from '../../server/lib/log.ts';
import { type Service, startService } from '../../server/main.ts';
import { strictServerFor } from './clickhouse-server.ts';
import { type Client, client } from './client.ts';
import { copyTemplate, templateDatabase } from './template.ts';

export type TestAccount = { id: number; email: string; key: string; api: Client };

export type World = Awaited<ReturnType<typeof world>>;

/**
 * One running service on clean stores and a port of its own; gone after the file. On the embedded PostgreSQL, or,
 * when TEST_POSTGRES names a server, on a new database there.
 */
export async function world(
	t: { after(work: () => Promise<void>): void },
	options: {
		settings?: Record<string, string>;
		now?: Clock;
		/** With an id and secrets that no other world of this run has. */
		isOwn?: boolean;
	} = {},
) {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
	const template = options.isOwn ? undefined : templateDatabase;
	if (template) copyTemplate(folder);
	const database = await makeDatabase(template);
	const cleaning: (() => Promise<void>)[] = [];
	const strict = options.settings?.CLICKHOUSE_URL
		? undefined
		: await strictServerFor({ after: (work) => void cleaning.push(work) }, folder);
	const lines: string[] = [];
	const publicUrl = 'https://stats.example.test';
	const config = readConfig({
		TIDEMARK_DATA: folder,
		TIDEMARK_PORT: '0',
		TIDEMARK_BASE_URL: publicUrl,
		TIDEMARK_LOG_LEVEL: 'debug',
		TIDEMARK_RATE_LIMIT: '10000000',
		TIDEMARK_AUTH_FAILURE_LIMIT: '10000000',
		...(database && { DATABASE_URL: database.url }),
		...strict?.settings,
		...options.settings,
	});
	const log = createLog('debug', (line) => lines.push(line));
	const start = () => startService(config, { log, ...(options.now && { now: options.now }) });
	let service: Service = await start();
	t.after(async () => {
		await service.stop();
		await database?.drop();
		for (const clean of cleaning) await clean();
		rmSync(folder, { recursive: true, force: true });
	});

	const postgresTarget = () => {
		const target = database ? { connectionString: database.url } : service.postgresConnection;
		if (!target) throw new Error('The service has no PostgreSQL of its own.');
		return target;
	};
	const operate = async <N extends OperationName>(name: N, input: OperationInput<N>) => {
		const answer = await callControl(controlPath(config), name, input, () => undefined);
		if (!answer) throw new Error('The service is not running.');
		return answer.result;
	};
	let accounts = 0;
	return {
		get base() {
			return service.address;
		},
		publicUrl,
		config: config as Config,
		setupUrl: service.setupUrl,
		pids: () => ({ ...service.pids(), ...(strict && { engine: strict.enginePid() }) }),
		get clickhouse() {
			if (!service.clickhouse) throw new Error('The service has no ClickHouse.');
			return service.clickhouse;
		},
		/** How to reach the PostgreSQL that it runs on, embedded or a server. */
		get postgresTarget() {
			return postgresTarget();
		},
		/** Set on the embedded PostgreSQL. */
		get postgresConnection() {
			return service.postgresConnection;
		},
		/** Waits until everything that was acknowledged is in ClickHouse. */
		drain: () => service.drain(),
		log: () => lines.join(''),
		/** Stops the service and starts it again on the same stores; `meanwhile` has them for itself. */
		async restart(meanwhile: () => Promise<void> = async () => undefined) {
			await service.stop();
			await meanwhile();
			service = await start();
		},
		async account(
			about: {
				name?: string;
				email?: string;
				locale?: string;
				timezone?: string;
				limits?: { websites?: number | null };
			} = {},
		): Promise<TestAccount> {
			const { limits, ...given } = about;
			const email = given.email ?? `account-${++accounts}-${randomBytes(3).toString('hex')}@example.test`;
			const { account, secret } = await operate('account.create', {
				name: 'A test account',
				...given,
				email,
			});
			if (limits) await operate('account.limit', { email, ...limits });
			const api: Client = (method, path, call) => client(service.address, secret)(method, path, call);
			return { id: account.id, email, key: secret, api };
		},
		async key(
			account: TestAccount,
			rights: {
				access?: 'full' | 'read';
				scopes?: readonly Scope[];
				websites?: number[];
				expiresAt?: Date;
				networks?: string[];
			} = {},
		) {
			const { websites, expiresAt, scopes, ...others } = rights;
			const { apiKey, secret } = await operate('key.create', {
				email: account.email,
				name: 'A test key',
				...others,
				scopes: scopes && [...scopes],
				websiteIds: websites,
				expiresAt: expiresAt?.toISOString(),
			});
			return { id: apiKey.id, key: secret };
		},
		revokeKey: (id: number) => operate('key.revoke', { id }),
		async rotateKey(id: number) {
			const { apiKey, secret } = await operate('key.rotate', { id });
			return { id: apiKey.id, key: secret };
		},
		setLimits: (account: TestAccount, limits: { websites?: number | null }) =>
			operate('account.limit', { email: account.email, ...limits }),
		operate,
		/** A connection to the service's own PostgreSQL, for tests that look at what is stored. */
		async sql<R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<R[]> {
			const connection = new pg.Client(postgresTarget());
			await connection.connect();
			try {
				return (await connection.query<R>(text, values)).rows;
			} finally {
				await connection.end();
			}
		},
	};
}

async function makeDatabase(
	template: string | undefined,
): Promise<{ url: string; drop(): Promise<void> } | undefined> {
	const server = process.env.TEST_POSTGRES;
	if (!server) return undefined;
	const name = `tidemark_${randomBytes(6).toString('hex')}`;
	const run = async (statement: string) => {
		const connection = new pg.Client({ connectionString: server });
		await connection.connect();
		await connection.query(statement).finally(() => connection.end());
	};
	await run(`CREATE DATABASE ${name}${process.env.TEST_TEMPLATE && template ? ` TEMPLATE ${template}` : ''}`);
	const url = new URL(server);
	url.pathname = name;
	return { url: url.href, drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}
