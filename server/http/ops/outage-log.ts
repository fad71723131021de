import type { Log } from '../../lib/log.ts';

const everyMs = 10_000;

/** During a database outage thousands of requests fail per second, so only one line per interval is logged, with their number. */
export function createOutageLog(log: Log, monotonicMs: () => number = () => performance.now()) {
	let suppressed = 0;
	let loggedAt = Number.NEGATIVE_INFINITY;
	return (fields: { error: unknown; requestId: string; route: string | undefined }): void => {
		suppressed++;
		if (monotonicMs() - loggedAt < everyMs) return;
		log.error({ ...fields, requests: suppressed }, 'requests fail: database unreachable');
		suppressed = 0;
		loggedAt = monotonicMs();
	};
}
