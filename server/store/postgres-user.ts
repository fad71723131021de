/**
 * PostgreSQL refuses to run as root, so under root it runs as `postgres` or `nobody`. Such a user often cannot enter the data
 * folder or the folder of the program (`/root`, `mktemp -d`: 0700). Instead of changing the permissions of these folders, it
 * gets the capability CAP_DAC_OVERRIDE, which root's own processes have anyway.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The user that PostgreSQL runs as; undefined for the current one. `prefix` is a command that adds the capability. */
export type RunAs = { uid: number; gid: number; prefix: readonly string[] } | undefined;

export function chooseUser(paths: readonly string[]): RunAs {
	if (process.getuid?.() !== 0) return undefined;
	const users = readFileSync('/etc/passwd', 'utf8')
		.split('\n')
		.map((line) => line.split(':'));
	const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
	if (!user)
		throw new Error(
			'PostgreSQL cannot run as root, and there is no user postgres or nobody. Run Tidemark as another user.',
		);
	const [uid, gid] = [Number(user[2]), Number(user[3])];
	const closed = paths.map((path) => findClosedAncestor(path, uid)).find((path) => path !== undefined);
	if (closed === undefined) return { uid, gid, prefix: [] };
	// PostgreSQL calls access(2) on itself, which respects the capabilities of an ordinary user only with this securebit.
	const prefix = [
		'setpriv',
		`--reuid=${uid}`,
		`--regid=${gid}`,
		'--clear-groups',
		'--inh-caps=+dac_override',
		'--ambient-caps=+dac_override',
		'--securebits=+no_setuid_fixup',
		'--bounding-set=-all,+dac_override',
	];
	if (spawnSync(prefix[0] ?? '', [...prefix.slice(1), 'true']).status !== 0) {
		throw new Error(
			`PostgreSQL cannot run as root, and the user ${user[0]} cannot enter ${closed}. ` +
				'Choose another folder with --data, or run Tidemark as another user.',
		);
	}
	return { uid, gid, prefix };
}

function findClosedAncestor(path: string, uid: number): string | undefined {
	for (let folder = dirname(path); ; folder = dirname(folder)) {
		const stat = statSync(folder, { throwIfNoEntry: false });
		if (stat && stat.uid !== uid && (stat.mode & 0o001) === 0) return folder;
		if (folder === dirname(folder)) return undefined;
	}
}

export function commandFor(runAs: RunAs, program: string, args: readonly string[]) {
	const [command = program, ...rest] = [...(runAs?.prefix ?? []), program, ...args];
	const identity = runAs && runAs.prefix.length === 0 ? { uid: runAs.uid, gid: runAs.gid } : {};
	return { command, args: rest, identity };
}
