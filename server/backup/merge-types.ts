import type { Clock } from '../lib/clock.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres } from '../store/postgres.ts';
import type { Examined } from './examine.ts';
import type { BackupSource, Report } from './read-blocks.ts';

export type MergeServices = {
	postgres: Postgres;
	clickhouse: ClickHouse;
	now: Clock;
	report: Report;
};

export type MergeOptions = BackupSource & {
	examined: Examined;
	/** All websites go to this account, and no accounts are created. */
	account?: string | undefined;
	/** Only report what would be merged. */
	isDryRun: boolean;
};

export type PlannedWebsite = {
	oldId: number;
	domain: string;
	origin: string;
	originId: number;
	account: string;
};

export type MergePlan = { websites: PlannedWebsite[]; known: number; newAccounts: string[]; origin: string };

/** Old ids to new ids, and the time before which events of a website were reset, by its old id. */
export type Mapping = {
	ids: ReadonlyMap<number, number>;
	imports: ReadonlyMap<number, number>;
	since: ReadonlyMap<number, string>;
};
