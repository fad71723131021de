import { useSyncExternalStore } from 'react';
import { unreachableEvent } from './api-client.ts';
import { queries } from './queries.ts';

const retryEveryMs = 5_000;

let lostAt: Date | undefined;
let check: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Since when the service cannot be reached; undefined while it can. */
export const useConnectionLostAt = (): Date | undefined =>
	useSyncExternalStore(
		(listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		() => lostAt,
	);

/** A request that failed says little: another may get through. So the service is asked, and while it does not answer, again and again. */
export function watchConnection(): void {
	for (const event of [unreachableEvent, 'offline', 'online'])
		addEventListener(event, () => void checkConnection());
}

/** Concurrent calls share one check. */
export function checkConnection(): Promise<void> {
	check ??= runCheck(new Date()).finally(() => {
		check = undefined;
	});
	return check;
}

async function runCheck(startedAt: Date): Promise<void> {
	const isReachable = await canReach();
	if (isReachable && lostAt) {
		setLostAt(undefined);
		// What is shown is from before, and what failed has not been shown at all.
		void queries.invalidateQueries();
	}
	if (isReachable) return;
	if (!lostAt) setLostAt(startedAt);
	setTimeout(() => void checkConnection(), retryEveryMs);
}

async function canReach(): Promise<boolean> {
	try {
		const { status } = await fetch('/health/live', { cache: 'no-store', credentials: 'omit' });
		// Of a proxy whose service is away.
		return ![502, 503, 504].includes(status);
	} catch {
		return false;
	}
}

function setLostAt(time: Date | undefined): void {
	lostAt = time;
	for (const listener of listeners) listener();
}
