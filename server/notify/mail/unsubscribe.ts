/** Unsubscribe links need no sign-in and never expire. They contain what they stop, signed, so nothing is stored per email. */
import { timingSafeEqual } from 'node:crypto';
import { keyedHash } from '../../lib/secrets.ts';

/** `baseUrl`: the public address of the service. `key` signs the links. */
export type MailLinks = { baseUrl(): string; key: Buffer };

/** The emails to a recipient, the reports of an account to its primary owner, or the emails of an alert to that person. */
export type Stopped =
	| { kind: 'recipient'; id: number }
	| {
			kind: 'reports' | 'alert';
			id: number;
			/** Who got the email. Undefined in emails of earlier versions, where a person had the same id as their account. */
			personId: number | undefined;
	  };

const letters = { recipient: 'r', reports: 'o', alert: 'a' } as const;

const signatureOf = (key: Buffer, target: string): string =>
	keyedHash(key, `unsubscribe ${target}`).toString('base64url');

export function unsubscribeUrl({ baseUrl, key }: MailLinks, stopped: Stopped): string {
	const person = 'personId' in stopped && stopped.personId !== undefined ? `p${stopped.personId}` : '';
	const target = `${letters[stopped.kind]}${stopped.id}${person}`;
	return `${baseUrl()}/unsubscribe/${target}.${signatureOf(key, target)}`;
}

/** RFC 2369 and RFC 8058: mail programs show an unsubscribe button. */
export const unsubscribeHeaders = (url: string): Record<string, string> => ({
	'List-Unsubscribe': `<${url}>`,
	'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Undefined if the signature is not valid. */
export function readUnsubscribe(key: Buffer, token: string): Stopped | undefined {
	const [, target = '', letter = '', id = '', person, signature = ''] =
		/^(([a-z])([1-9]\d{0,15})(?:p([1-9]\d{0,15}))?)\.([\w-]{43})$/.exec(token) ?? [];
	const expected = signatureOf(key, target);
	const isOurs =
		signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
	if (!isOurs) return undefined;
	const kind = (['recipient', 'reports', 'alert'] as const).find((name) => letters[name] === letter);
	if (kind === undefined || kind === 'recipient') return kind && { kind, id: Number(id) };
	return { kind, id: Number(id), personId: person === undefined ? undefined : Number(person) };
}
