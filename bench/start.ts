/** How long a start of the packed tarball takes, and what each process keeps in memory when idle. */
import { setTimeout as sleep } from 'node:timers/promises';
import { installPackage, processesBelow, serveThere } from '../test/support/package.ts';
import { printTable } from './table.ts';

const starts = Number(process.argv[2] ?? 5);
const { folder, remove } = installPackage();
try {
	const rows: (string | number)[][] = [];
	for (let round = 0; round <= starts; round++) {
		const service = await serveThere(folder);
		rows.push([round === 0 ? 'first start' : `later start ${round}`, service.ms]);
		if (round === starts) {
			await sleep(5_000);
			printTable(
				['process, idle for 5 s', 'resident MB'],
				processesBelow(service.pid).map(({ name, rssMb }) => [shorten(name), rssMb]),
			);
		}
		await service.stop();
	}
	printTable(['start of the packed tarball', 'ms to ready'], rows);
} finally {
	remove();
}

function shorten(name: string): string {
	return name
		.replaceAll(folder, '.')
		.replace(/ -c .*/, '')
		.slice(0, 70);
}
