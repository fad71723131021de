import { readFileSync } from 'node:fs';
import { processesBelow } from '../test/support/package.ts';

/** CPU seconds so far of a process and those below it, by what they do. */
export function cpuSeconds(pid: number): Map<string, number> {
	const seconds = new Map<string, number>();
	for (const { pid: each, name } of processesBelow(pid)) {
		const part = partOf(name);
		seconds.set(part, (seconds.get(part) ?? 0) + cpuSecondsOf(each));
	}
	return seconds;
}

function partOf(command: string): string {
	if (/ worker$/.test(command)) return 'workers';
	if (/ engine$/.test(command)) return 'statistics engine';
	return /postgres/.test(command) ? 'PostgreSQL' : 'service';
}

/** /proc counts in hundredths of a second. A process that has ended since it was listed counts as 0. */
function cpuSecondsOf(pid: number): number {
	try {
		const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
			.replace(/^.*\) /s, '')
			.split(' ');
		return (Number(fields[11]) + Number(fields[12])) / 100;
	} catch {
		return 0;
	}
}
