/**
 * Guessing the password of an account delays everyone who signs in to it. A browser in which the owner has signed in before
 * has its own counter, so that an attacker cannot lock the owner out. Its cookie is signed and gives no access.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { keyedHash } from '../lib/secrets.ts';

export type KnownDevices = {
	make(email: string): string;
	/** The name of the device, if this account was signed in on it before. */
	find(email: string, cookie: string | undefined): string | undefined;
};

export function createKnownDevices(key: Buffer): KnownDevices {
	const sign = (email: string, name: string) =>
		keyedHash(key, JSON.stringify(['device', email.toLowerCase(), name]));
	return {
		make(email) {
			const name = randomBytes(16).toString('base64url');
			return `${name}.${sign(email, name).toString('base64url')}`;
		},
		find(email, cookie) {
			const [, name = '', mac = ''] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie ?? '') ?? [];
			if (name === '') return undefined;
			return timingSafeEqual(Buffer.from(mac, 'base64url'), sign(email, name)) ? name : undefined;
		},
	};
}
