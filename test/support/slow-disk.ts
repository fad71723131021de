import { spawn, spawnSync } from 'node:child_process';
import { descendantsOf, isAlive, postmasterOf } from './service.ts';

/** Every commit of the PostgreSQL in a data folder takes so much longer, until the answer is called. */
export function slowDisk(folder: string, delayMs: number): () => Promise<void> {
	const { status } = spawnSync('strace', ['-qq', '-o', '/dev/null', '-e', 'trace=none', 'true']);
	if (status !== 0) throw new Error('strace is missing or may not trace. Install it, or allow ptrace.');
	const postmaster = postmasterOf(folder) ?? 0;
	const pids = [postmaster, ...descendantsOf(postmaster)].filter(isAlive);
	const tracer = spawn('strace', [
		...['-f', '-qq', '-o', '/dev/null', '-e', 'trace=fdatasync'],
		...['-e', `inject=fdatasync:delay_enter=${delayMs * 1000}`],
		...pids.flatMap((pid) => ['-p', String(pid)]),
	]);
	const ended = new Promise<void>((resolve) => tracer.once('exit', () => resolve()));
	return async () => {
		tracer.kill('SIGINT');
		await ended;
	};
}
