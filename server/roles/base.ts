import type { Config } from '../config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Undo } from '../lib/undo.ts';
import type { Postgres } from '../store/postgres.ts';

/** What every role is made of. */
export type Base = {
	config: Config;
	postgres: Postgres;
	secret: string;
	now: Clock;
	log: Log;
	/** Where people reach the installation: links begin with it. */
	baseUrl(): string;
	/** What must be undone at a stop, in the order it was done. */
	opened: Undo[];
};
