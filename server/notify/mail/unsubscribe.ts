/** Unsubscribe links need no sign-in and never expire. They contain what they stop, signed, so nothing is stored per email. */
import { timingSafeEqual } from 'node:crypto';
import { keyedHash } from '../../lib/secrets.ts';

/** `baseUrl`: the public address of the service. `key` signs the links. */
export type MailLinks = { baseUrl(): string; key: Buffer };

/** The emails to a recipient, the reports to an account's own address, or the emails of an alert to that address. */
export type Stopped = { kind: 'recipient' | 'reports' | 'alert'; id: number };

const letters = { recipient: 'r', reports: 'o', alert: 'a' } as const;

const signatureOf = (key: Buffer, target: string): string =>
	keyedHash(key, `unsubscribe ${target}`).toString('base64url');

export function unsubscribeUrl({ baseUrl, key }: MailLinks, { kind, id }: Stopped): string {
	const target = `${letters[kind]}${id}`;
	return `${baseUrl()}/unsubscribe/${target}.${signatureOf(key, target)}`;
}

/** RFC 2369 and RFC 8058: mail programs show an unsubscribe button. */
export const unsubscribeHeaders = (url: string): Record<string, string> => ({
	'List-Unsubscribe': `<${url}>`,
	'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Undefined if the signature is not valid. */
export function readUnsubscribe(key: Buffer, token: string): Stopped | undefined {
	const [, letter = '', id = '', signature = ''] = /^([a-z])([1-9]\d{0,15})\.([\w-]{43})$/.exec(token) ?? [];
	const kinds = ['recipient', 'reports', 'alert'] as const;
	const kind = kinds.find((name) => letters[name] === letter);
	const expected = signatureOf(key, `${letter}${id}`);
	const isOurs =
		signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
	return kind !== undefined && isOurs ? { kind, id: Number(id) } : undefined;
}
