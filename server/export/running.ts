import { AppError } from '../lib/app-error.ts';

/** Limits running exports: each takes long and holds a connection to the engine. One per account, and a few in total. */
export type RunningExports = {
	/** Returns the function that ends the export; throws when too many are running. */
	begin(accountId: number): () => void;
};

/** The engine's connections for exports. */
const maxRunning = 2;

export function createRunningExports(): RunningExports {
	const running = new Set<number>();
	return {
		begin(accountId) {
			if (running.has(accountId))
				throw new AppError(
					'too_many_requests',
					'An export of this account is already running. Wait until it is done, or cancel it.',
				);
			if (running.size >= maxRunning)
				throw new AppError('too_many_requests', 'Other exports are running. Try again in a minute.');
			running.add(accountId);
			return () => running.delete(accountId);
		},
	};
}
