import type { Seen } from '../collect/watchers.ts';
import type { Config } from '../config.ts';
import type { Counts } from '../http/shared-counts.ts';
import type { ClickHouseTarget } from '../store/clickhouse.ts';
import type { PostgresTarget } from '../store/postgres.ts';

/**
 * What a worker is told before it opens anything. It goes through a pipe between two processes of one user, so that no
 * password stands in an argument, an environment or a file.
 */
export type WorkerSetup = {
	config: Config;
	secret: string;
	postgres: PostgresTarget;
	clickhouse: ClickHouseTarget | undefined;
	/** How many there are: they share what PostgreSQL gives. */
	workers: number;
	/** Where the service listens: links begin with it where nothing else was said. */
	address: string;
	/** Whether the socket is of whoever started the service, and outlives it. */
	isInherited: boolean;
};

export type ToWorker =
	| { say: 'start'; setup: WorkerSetup }
	| { say: 'stop' }
	| { say: 'counted'; counts: Counts }
	/** Somebody looks at what is collected, or nobody does any more. */
	| { say: 'watch'; isOn: boolean }
	| { say: 'tell metrics'; id: number }
	| { say: 'all metrics'; id: number; text: string };

export type FromWorker =
	/** With the socket that it listens on: see keep-port.ts. */
	| { say: 'ready'; port: number }
	| { say: 'failed'; message: string; code: string | undefined }
	| { say: 'counted'; counts: Counts }
	| { say: 'seen'; seen: Seen }
	| { say: 'my metrics'; id: number; metrics: object[] }
	| { say: 'ask for all metrics'; id: number };
