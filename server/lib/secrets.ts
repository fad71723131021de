import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import {
	chmodSync,
	closeSync,
	existsSync,
	fsyncSync,
	linkSync,
	mkdirSync,
	openSync,
	readFileSync,
	rmSync,
	statSync,
	writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** Secrets are generated at the first start and stored in `DATA/secrets`, one file each, readable only by the owner. */
export function readOrMakeSecret(dataFolder: string, name: string): string {
	const folder = join(dataFolder, 'secrets');
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const file = join(folder, name);
	if (!existsSync(file)) writeSecret(file, randomBytes(32).toString('base64url'));
	if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
	const secret = readFileSync(file, 'utf8').trim();
	if (secret.length < 32)
		throw new Error(`${file} is damaged: it contains no secret. Restore it from a backup.`);
	return secret;
}

export const hasOwnSecret = (dataFolder: string, name: string): boolean =>
	existsSync(join(dataFolder, 'secrets', name));

/** Stores the secret of an earlier installation, unless there is one already. */
export function keepSecret(dataFolder: string, name: string, secret: string): void {
	const folder = join(dataFolder, 'secrets');
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	writeSecret(join(folder, name), secret);
}

/** Written to a temporary file and linked, so that concurrent starts use the same secret. */
function writeSecret(file: string, secret: string) {
	const draft = `${file}.${process.pid}`;
	const fd = openSync(draft, 'w', 0o600);
	writeSync(fd, `${secret}\n`);
	fsyncSync(fd);
	closeSync(fd);
	try {
		linkSync(draft, file);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
	} finally {
		rmSync(draft);
	}
}

/** One key per purpose, so that a signature for one purpose is invalid for another. */
export function deriveKey(secret: string, purpose: string): Buffer {
	return Buffer.from(hkdfSync('sha256', secret, 'tidemark', purpose, 32));
}

export function keyedHash(key: Buffer, data: string | Buffer): Buffer {
	return createHmac('sha256', key).update(data).digest();
}
