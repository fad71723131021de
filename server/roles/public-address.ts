import { findPublicAddress } from '../accounts/setup.ts';
import type { Config } from '../config.ts';
import type { Undo } from '../lib/undo.ts';
import type { Postgres } from '../store/postgres.ts';

export type PublicAddress = {
	current(): string;
	isSet(): boolean;
	/** The first account has said it. */
	learn(url: string): void;
};

const readEveryMs = 10_000;

/** Where people reach the installation: as it was set, else as the first account said, else where this process listens. */
export async function openPublicAddress(
	config: Config,
	{ postgres, listensAt, opened }: { postgres: Postgres; listensAt(): string; opened: Undo[] },
): Promise<PublicAddress> {
	let stored = await findPublicAddress(postgres);
	// Another process may be the one that is told.
	if (config.baseUrl === undefined && (config.databaseUrl !== undefined || config.workers > 0)) {
		const timer = setInterval(async () => {
			// While the database is away, what was known holds.
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
