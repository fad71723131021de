/**
 * Whoever tries passwords of an account makes everybody wait who signs in to it. A browser in which its owner was signed in
 * before is counted for itself, so nobody can shut them out. What the browser keeps is signed and opens nothing.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { keyedHash } from '../lib/secrets.ts';

export type KnownDevices = {
	make(email: string): string;
	/** The name of the device, if somebody was signed in to this account on it. */
	find(email: string, kept: string | undefined): string | undefined;
};

export function createKnownDevices(key: Buffer): KnownDevices {
	const sign = (email: string, name: string) =>
		keyedHash(key, JSON.stringify(['device', email.toLowerCase(), name]));
	return {
		make(email) {
			const name = randomBytes(16).toString('base64url');
			return `${name}.${sign(email, name).toString('base64url')}`;
		},
		find(email, kept) {
			const [, name = '', mac = ''] = /^([\w-]{22})\.([\w-]{43})$/.exec(kept ?? '') ?? [];
			if (name === '') return undefined;
			return timingSafeEqual(Buffer.from(mac, 'base64url'), sign(email, name)) ? name : undefined;
		},
	};
}
