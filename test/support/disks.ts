import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const run = (command: string, ...args: string[]) =>
	spawnSync(command, args, { encoding: 'utf8' }).status === 0;

/** Disks that are files, each mounted on a folder; all are gone after the test. */
export function makeDisks(t: { after(work: () => void): void }) {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-disk-'));
	const mounted: string[] = [];
	t.after(() => {
		for (const at of mounted) run('umount', '--lazy', at);
		rmSync(folder, { recursive: true, force: true });
	});
	return {
		make(name: string, megabytes: number): string | undefined {
			const image = join(folder, `${name}.img`);
			return run('truncate', '-s', `${megabytes}M`, image) && run('mkfs.ext4', '-q', '-F', image)
				? this.mount(name)
				: undefined;
		},
		mount(name: string): string | undefined {
			const at = join(folder, name);
			mkdirSync(at);
			if (!run('mount', '-o', 'loop', join(folder, `${name}.img`), at)) return undefined;
			mounted.push(at);
			return at;
		},
		/** What has reached the disk, and nothing of what is still in memory. */
		copy: (from: string, to: string) => copyFileSync(join(folder, `${from}.img`), join(folder, `${to}.img`)),
	};
}

export function canMount(): boolean {
	const undo: (() => void)[] = [];
	const at = makeDisks({ after: (work) => undo.push(work) }).make('probe', 8);
	for (const work of undo) work();
	return at !== undefined;
}
