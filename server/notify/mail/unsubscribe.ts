/**
 * Links that stop mail need no sign-in and never expire: a mail may be read years later. What they stop is in them, signed
 * with a key of the service, so nothing has to be stored for each mail and nobody can make one for somebody else.
 */
import { timingSafeEqual } from 'node:crypto';
import { keyedHash } from '../../lib/secrets.ts';

/** What links in mails are made of: the public address, never a word of a request, and the key they are signed with. */
export type MailLinks = { baseUrl(): string; key: Buffer };

/** Whose mail stops: a recipient's, the reports to an account's own address, or the mails of an alert to that address. */
export type Stopped = { kind: 'recipient' | 'reports' | 'alert'; id: number };

const letters = { recipient: 'r', reports: 'o', alert: 'a' } as const;

const signatureOf = (key: Buffer, what: string): string =>
	keyedHash(key, `unsubscribe ${what}`).toString('base64url');

export function unsubscribeUrl({ baseUrl, key }: MailLinks, { kind, id }: Stopped): string {
	const what = `${letters[kind]}${id}`;
	return `${baseUrl()}/unsubscribe/${what}.${signatureOf(key, what)}`;
}

/** RFC 2369 and RFC 8058: mail programs show a button for it, and press it without opening a page. */
export const unsubscribeHeaders = (url: string): Record<string, string> => ({
	'List-Unsubscribe': `<${url}>`,
	'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** What a token stops, if it is one of ours. */
export function readUnsubscribe(key: Buffer, token: string): Stopped | undefined {
	const [, letter = '', id = '', signature = ''] = /^([a-z])([1-9]\d{0,15})\.([\w-]{43})$/.exec(token) ?? [];
	const kinds = ['recipient', 'reports', 'alert'] as const;
	const kind = kinds.find((one) => letters[one] === letter);
	const expected = signatureOf(key, `${letter}${id}`);
	const isOurs =
		signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
	return kind !== undefined && isOurs ? { kind, id: Number(id) } : undefined;
}
