import type { Config } from '../config.ts';
import type { RateCounts } from '../http/auth/shared-rate-limits.ts';
import type { TailEntry } from '../ingest/live-tail.ts';
import type { ClickHouseTarget } from '../store/clickhouse.ts';
import type { PostgresTarget } from '../store/postgres.ts';

/**
 * What a worker needs to start. It is sent through a pipe between two processes of one user, so that no password is in an argument, the
 * environment or a file.
 */
export type WorkerSetup = {
	config: Config;
	secret: string;
	postgres: PostgresTarget;
	clickhouse: ClickHouseTarget | undefined;
	/** The number of workers, which share the PostgreSQL connections. */
	workers: number;
	/** Where the service listens; the default start of links. */
	address: string;
	/** Whether the socket belongs to the process that started the service, and stays open after it. */
	isInherited: boolean;
};

export type ToWorker =
	/** With the shared socket: see shared-port.ts. */
	| { type: 'start'; setup: WorkerSetup }
	| { type: 'stop' }
	| { type: 'rate-counts'; counts: RateCounts }
	/** Whether anyone is subscribed to the live tail. */
	| { type: 'tail'; isOn: boolean }
	| { type: 'get-metrics'; id: number }
	| { type: 'service-metrics'; id: number; text: string };

export type FromWorker =
	/** Returns the shared socket: see shared-port.ts. */
	| { type: 'ready'; port: number }
	| { type: 'failed'; message: string; code: string | undefined }
	| { type: 'rate-counts'; counts: RateCounts }
	| { type: 'tail-entry'; entry: TailEntry }
	| { type: 'metrics'; id: number; metrics: object[] }
	| { type: 'get-service-metrics'; id: number };
