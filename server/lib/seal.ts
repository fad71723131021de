import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * What must be read again and must not lie open in a database (AES-256-GCM). `about` says whose it is: what was sealed for one
 * cannot be opened for another.
 */
export function seal(key: Buffer, about: string, text: string): Buffer {
	const nonce = randomBytes(12);
	const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
	const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
	return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Throws for what was not sealed with this key for this one. */
export function unseal(key: Buffer, about: string, sealed: Buffer): string {
	const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
		.setAAD(Buffer.from(about))
		.setAuthTag(sealed.subarray(12, 28));
	return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
}
