import type { Log } from '../lib/log.ts';

const everyMs = 10_000;

/** While a database is away every request fails alike, thousands a second: one line says so, and now and then how many. */
export function createOutageLog(log: Log, ticks: () => number = () => performance.now()) {
	let untold = 0;
	let toldAt = Number.NEGATIVE_INFINITY;
	return (about: { error: unknown; requestId: string; route: string | undefined }): void => {
		untold++;
		if (ticks() - toldAt < everyMs) return;
		log.error({ ...about, requests: untold }, 'requests fail because a database cannot be reached');
		untold = 0;
		toldAt = ticks();
	};
}
