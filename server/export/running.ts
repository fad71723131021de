import { AppError } from '../lib/app-error.ts';

/** Exports under way. They take long and keep a connection of the engine, so that an account has one, and all have a few. */
export type RunningExports = {
	/** Gives what ends it; throws when there are too many. */
	begin(accountId: number): () => void;
};

/** As many as the engine has connections for. */
const inAll = 2;

export function createRunningExports(): RunningExports {
	const running = new Set<number>();
	return {
		begin(accountId) {
			if (running.has(accountId))
				throw new AppError(
					'too_many_requests',
					'An export of this account is under way. Wait until it is done, or end it.',
				);
			if (running.size >= inAll)
				throw new AppError('too_many_requests', 'Others are exporting just now. Try again in a minute.');
			running.add(accountId);
			return () => running.delete(accountId);
		},
	};
}
