import type { Config } from '../config.ts';
import type { Cleanup } from '../lib/cleanup.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Postgres } from '../store/postgres.ts';

/** What every role needs. */
export type RoleContext = {
	config: Config;
	postgres: Postgres;
	secret: string;
	now: Clock;
	log: Log;
	/** The public address, for links. */
	baseUrl(): string;
	/** Cleanups for a stop; they run in reverse order. */
	opened: Cleanup[];
};
