import { execFile } from 'node:child_process';
import type { Log } from '../server/lib/log.ts';

/** Notifies systemd for units with `Type=notify`; does nothing without systemd. */
export type ServiceManager = { ready(): void; stopping(): void };

/**
 * Runs `systemd-notify`, because Node has no Unix datagram sockets; hence `NotifyAccess=all` in the unit. A timer of the main
 * thread notifies the watchdog, so systemd restarts a process whose event loop is blocked.
 */
export function findServiceManager(environment: NodeJS.ProcessEnv, log: Log): ServiceManager {
	const { PATH, NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID } = environment;
	// Child processes must not inherit them: PostgreSQL might notify systemd itself.
	for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete environment[name];
	if (!NOTIFY_SOCKET) return { ready: () => undefined, stopping: () => undefined };
	const env = { NOTIFY_SOCKET, ...(PATH !== undefined && { PATH }) };
	const notify = (state: 'READY=1' | 'STOPPING=1' | 'WATCHDOG=1') => {
		execFile('systemd-notify', [state], { env }, (error) => {
			if (error) log.warn({ error, state }, 'systemd-notify failed');
		});
	};
	const isForUs = WATCHDOG_PID === undefined || WATCHDOG_PID === String(process.pid);
	const watchdogMs = isForUs ? Number(WATCHDOG_USEC ?? 0) / 1000 : 0;
	return {
		ready() {
			notify('READY=1');
			if (watchdogMs > 0) setInterval(notify, watchdogMs / 3, 'WATCHDOG=1').unref();
		},
		stopping: () => notify('STOPPING=1'),
	};
}
