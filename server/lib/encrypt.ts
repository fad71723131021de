import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** AES-256-GCM. `context` names the owner of the text: decryption fails with another context. */
export function encrypt(key: Buffer, context: string, text: string): Buffer {
	const nonce = randomBytes(12);
	const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
	const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
	return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

/** Throws if the key or the context differs. */
export function decrypt(key: Buffer, context: string, encrypted: Buffer): string {
	const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, 12), { authTagLength: 16 })
		.setAAD(Buffer.from(context))
		.setAuthTag(encrypted.subarray(12, 28));
	return Buffer.concat([decipher.update(encrypted.subarray(28)), decipher.final()]).toString('utf8');
}
