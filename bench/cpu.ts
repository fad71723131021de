import { readFileSync } from 'node:fs';
import { processesBelow } from '../test/support/package.ts';

/** CPU seconds so far of a process and those below it, by what they do. */
export function cpuSeconds(pid: number): Map<string, number> {
	const seconds = new Map<string, number>();
	for (const { pid: each, name } of processesBelow(pid)) {
		const part = partOf(name);
		seconds.set(part, (seconds.get(part) ?? 0) + secondsOf(each));
	}
	return seconds;
}

function partOf(command: string): string {
	if (/ worker$/.test(command)) return 'workers';
	if (/ engine$/.test(command)) return 'statistics engine';
	return /postgres/.test(command) ? 'PostgreSQL' : 'service';
}

/** A process that has ended since it was listed counts as 0. */
function secondsOf(pid: number): number {
	try {
		return cpuMs(pid) / 1000;
	} catch {
		return 0;
	}
}

/** CPU time so far of all threads of a process, in milliseconds; other processes do not count. Linux counts in steps of 10 ms. */
export function cpuMs(pid: number): number {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
		.replace(/^.*\) /s, '')
		.split(' ');
	return (Number(fields[11]) + Number(fields[12])) * 10;
}
