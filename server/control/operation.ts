import type { z } from 'zod';
import type { SeenProxies } from '../doctor/address.ts';
import type { CheckContext } from '../doctor/doctor.ts';
import type { IngestServices } from '../ingest/ingest.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { SmtpSettings } from '../notify/mail/smtp.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres } from '../store/postgres.ts';

/** Operations run in the service if it is running, otherwise in the process of the command. */
export type OperatorServices = {
	postgres: Postgres;
	now: Clock;
	log: Log;
	/** Only opened for operations that need it. */
	clickhouse?: ClickHouse | undefined;
	version: string;
	/** The secret in the data folder, which a backup contains. */
	secret?: string | undefined;
	/** The secret of the service, wherever it is set. */
	readSecret(): Promise<string>;
	mail?: SmtpSettings | undefined;
	/** Context of the doctor's checks; only a running service knows proxies. */
	doctor: Pick<CheckContext, 'config' | 'lag' | 'pending'> & { proxies?(): SeenProxies };
	/** The URL of a running service, which knows its port. */
	baseUrl?: (() => string) | undefined;
	/** Only in a service that collects hits. */
	collect?: Pick<IngestServices, 'websites' | 'liveTail' | 'eventLog'> | undefined;
};

/** Reports the progress of a long operation. */
export type Report = (progress: { done: number; total: number }) => void;

/** The client that waits for the result. */
export type Caller = {
	report: Report;
	/** Sends a message before the result. Returns false if the client reads too slowly and the message was dropped. */
	trySend(message: unknown): boolean;
	/** Sends a message that must not be dropped; resolves when the client can take more. */
	send(message: unknown): Promise<void>;
	/** Aborted when the client disconnects. */
	signal: AbortSignal;
};

/** What an operation needs besides PostgreSQL. */
export type Needs = 'records' | 'statistics' | 'service' | 'whatever there is';

export type ServicesOf = {
	records: Pick<OperatorServices, 'postgres' | 'now' | 'mail' | 'baseUrl' | 'readSecret'>;
	statistics: OperatorServices & { clickhouse: ClickHouse };
	service: OperatorServices & { collect: NonNullable<OperatorServices['collect']> };
	'whatever there is': OperatorServices;
};

export type Operation<I extends z.ZodType, O, N extends Needs = Needs> = {
	/** Default: `records`. */
	needs?: N;
	/** Set for operations that change nothing: a stopped folder is not created or migrated for them. */
	reads?: 'this version' | 'any version';
	input: I;
	run(services: ServicesOf[N], input: z.output<I>, caller: Caller): Promise<O>;
};

export const operation = <I extends z.ZodType, O, N extends Needs = 'records'>(
	row: Operation<I, O, N>,
): Operation<I, O, N> => row;
