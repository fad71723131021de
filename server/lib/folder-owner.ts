import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The owner of the secrets folder, which the service creates itself, or of the data folder, which may be root's volume. */
export function findFolderOwner(dataFolder: string): number | undefined {
	for (const path of [join(dataFolder, 'secrets'), dataFolder]) {
		try {
			return statSync(path).uid;
		} catch {
			// Missing or not accessible: try the next one.
		}
	}
	return undefined;
}

/** Whether root would create files in a folder of another user, who could not open them. */
export function isForeignToRoot(dataFolder: string): boolean {
	return process.getuid?.() === 0 && (findFolderOwner(dataFolder) ?? 0) !== 0;
}

/** Throws if root would open the databases of another user. */
export function refuseForeignFolder(dataFolder: string): void {
	if (!isForeignToRoot(dataFolder)) return;
	const uid = findFolderOwner(dataFolder) ?? 0;
	const name = userName(uid);
	throw new Error(
		`${dataFolder} belongs to the user ${name ?? uid}, and root would leave files there that this user cannot open. ` +
			`Nothing was changed. Run the command as that user: sudo -u ${name ?? `'#${uid}'`} tidemark …`,
	);
}

function userName(uid: number): string | undefined {
	try {
		return readFileSync('/etc/passwd', 'utf8')
			.split('\n')
			.map((line) => line.split(':'))
			.find((fields) => fields[2] === String(uid))?.[0];
	} catch {
		return undefined;
	}
}
