import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import {
	chmodSync,
	closeSync,
	fsyncSync,
	mkdirSync,
	openSync,
	readFileSync,
	statSync,
	writeSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * Secrets are made at first start and live below `DATA/secrets`, one file each, readable by the owner alone.
 * There is no default for any of them.
 */
export function readOrMakeSecret(dataFolder: string, name: string): string {
	const folder = join(dataFolder, 'secrets');
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const file = join(folder, name);
	try {
		// `wx` fails when the file is there, so two processes that start at once agree on one secret.
		const fd = openSync(file, 'wx', 0o600);
		writeSync(fd, `${randomBytes(32).toString('base64url')}\n`);
		fsyncSync(fd);
		closeSync(fd);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
	}
	if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
	const secret = readFileSync(file, 'utf8').trim();
	if (secret.length < 32)
		throw new Error(`${file} is damaged: it holds no secret. Restore it from a backup.`);
	return secret;
}

/** One key per purpose, so that what was signed for one can never pass for another. */
export function deriveKey(secret: string, purpose: string): Buffer {
	return Buffer.from(hkdfSync('sha256', secret, 'tidemark', purpose, 32));
}

export function keyedHash(key: Buffer, data: string | Buffer): Buffer {
	return createHmac('sha256', key).update(data).digest();
}
