import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from './app-error.ts';

/** argon2id with the parameters that OWASP recommends: 19 MiB, two iterations, no parallelism. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashing is slow on purpose and shares the thread pool with file access, so its concurrency is limited to the number of cores.
 * One slot is reserved for sign-ins, so that passwords of shared statistics cannot block them.
 */
const slots = Math.max(2, availableParallelism());
const shareSlots = slots - 1;
/** A few seconds of work; further requests are rejected. */
const maxWaiting = 100;
/** Per account or website, running and waiting. */
const maxSharesOfHolder = 4;

export type PasswordHasher = {
	hash(password: string): Promise<string>;
	matches(password: string, hashed: string): Promise<boolean>;
};

const hasher: PasswordHasher = {
	hash: (password) => hash(password, options),
	matches: (password, hashed) => verify(hashed, password),
};

type Work<T> = (hasher: PasswordHasher) => Promise<T>;

const signIns = { running: 0, waiting: [] as (() => void)[] };
const shares = { running: 0, waiting: [] as (() => void)[] };
const sharesOfHolder = new Map<string, number>();

/** Starts queued work; sign-ins come first. */
function startNext(): void {
	while (signIns.running + shares.running < slots) {
		const isForShare = signIns.waiting.length === 0;
		if (isForShare && shares.running >= shareSlots) return;
		const queue = isForShare ? shares : signIns;
		const start = queue.waiting.shift();
		if (!start) return;
		queue.running++;
		start();
	}
}

async function runQueued<T>(queue: typeof signIns, work: Work<T>): Promise<T> {
	if (queue.waiting.length >= maxWaiting) throw tooMany();
	await new Promise<void>((resolve) => {
		queue.waiting.push(resolve);
		startNext();
	});
	try {
		return await work(hasher);
	} finally {
		queue.running--;
		startNext();
	}
}

const tooMany = () =>
	new AppError('too_many_requests', 'Too many passwords are being checked; try again shortly.', {
		retryAfterSeconds: 2,
	});

/** For the password of an account. Count attempts inside `work`, after the wait. */
export const withPasswordSlot = <T>(work: Work<T>): Promise<T> => runQueued(signIns, work);

/** For the password of shared statistics. `holder` is the account that sets it or the website that it opens. */
export async function withSharePasswordSlot<T>(holder: string, work: Work<T>): Promise<T> {
	const taken = sharesOfHolder.get(holder) ?? 0;
	if (taken >= maxSharesOfHolder) throw tooMany();
	sharesOfHolder.set(holder, taken + 1);
	try {
		return await runQueued(shares, work);
	} finally {
		const left = (sharesOfHolder.get(holder) ?? 1) - 1;
		if (left > 0) sharesOfHolder.set(holder, left);
		else sharesOfHolder.delete(holder);
	}
}

export const hashPassword = (password: string): Promise<string> =>
	withPasswordSlot((slot) => slot.hash(password));

export const isPassword = (password: string, hashed: string): Promise<boolean> =>
	withPasswordSlot((slot) => slot.matches(password, hashed));
