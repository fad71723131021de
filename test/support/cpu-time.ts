/**
 * How long this thread has worked, in milliseconds: not what it waited for, nor what others did on the machine meanwhile. The
 * system counts in steps of some milliseconds.
 */
export function workedMs(): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1_000;
}
