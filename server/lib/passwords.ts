import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from './app-error.ts';

/** argon2id with the parameters OWASP advises first: 19 MiB, two passes, one lane. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashing is slow on purpose and runs on the thread pool that file access uses too; more at once than there are
 * cores would only make everybody wait. So many may wait, a few seconds of work; the next one is refused.
 */
const atOnce = Math.max(1, availableParallelism() - 1);
const maxWaiting = 100;
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
	if (running >= atOnce) {
		if (waiting.length >= maxWaiting)
			throw new AppError('too_many_requests', 'Too many passwords are being checked; try again shortly.', {
				retryAfterSeconds: 2,
			});
		await new Promise<void>((resolve) => waiting.push(resolve));
	}
	running++;
	try {
		return await work();
	} finally {
		running--;
		waiting.shift()?.();
	}
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, options));

export const isPassword = (password: string, hashed: string): Promise<boolean> =>
	inTurn(() => verify(hashed, password));
