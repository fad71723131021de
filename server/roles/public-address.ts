import { findPublicAddress } from '../accounts/setup.ts';
import type { Config } from '../config.ts';
import type { Cleanup } from '../lib/cleanup.ts';
import type { Postgres } from '../store/postgres.ts';

export type PublicAddress = {
	current(): string;
	isSet(): boolean;
	/** Called when the first account sets it. */
	learn(url: string): void;
};

const readEveryMs = 10_000;

/** The public address: from the settings, else as the first account set it, else where this process listens. */
export async function openPublicAddress(
	config: Config,
	{ postgres, listensAt, opened }: { postgres: Postgres; listensAt(): string; opened: Cleanup[] },
): Promise<PublicAddress> {
	let stored = await findPublicAddress(postgres);
	// Another process may receive the change.
	if (config.baseUrl === undefined && (config.databaseUrl !== undefined || config.workers > 0)) {
		const timer = setInterval(async () => {
			// Keep the last value while the database is unreachable.
			stored = await findPublicAddress(postgres).catch(() => stored);
		}, readEveryMs);
		opened.push(async () => clearInterval(timer));
	}
	return {
		current: () => config.baseUrl ?? stored ?? listensAt(),
		isSet: () => (config.baseUrl ?? stored) !== undefined,
		learn(url) {
			stored = url;
		},
	};
}
