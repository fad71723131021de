import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function run(command: string, ...args: string[]): void {
	const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
	if (status !== 0)
		throw new Error(
			`\`${command} ${args.join(' ')}\` failed. This test mounts disk images: run it as root, with mount and mkfs.ext4 installed. ` +
				(stderr ?? error),
		);
}

/** Disks that are files, each mounted on a folder; all are gone after the test. */
export function makeDisks(t: { after(work: () => void): void }) {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-disk-'));
	const mounted: string[] = [];
	t.after(() => {
		for (const place of mounted) run('umount', '--lazy', place);
		rmSync(folder, { recursive: true, force: true });
	});
	return {
		make(name: string, megabytes: number): string {
			const image = join(folder, `${name}.img`);
			run('truncate', '-s', `${megabytes}M`, image);
			run('mkfs.ext4', '-q', '-F', image);
			return this.mount(name);
		},
		mount(name: string): string {
			const place = join(folder, name);
			mkdirSync(place);
			run('mount', '-o', 'loop', join(folder, `${name}.img`), place);
			mounted.push(place);
			return place;
		},
		/** What has reached the disk, and nothing of what is still in memory. */
		copy: (from: string, to: string) => copyFileSync(join(folder, `${from}.img`), join(folder, `${to}.img`)),
	};
}
