import { hash } from 'node:crypto';

/** Strong: two answers have the same tag only if they are the same bytes. */
export const etagOf = (body: string): string => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;

const tagsOf = (header: string): string[] => header.match(/(W\/)?"[^"]*"/g) ?? [];

/** If-None-Match compares weakly. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
	if (ifNoneMatch === undefined) return false;
	return ifNoneMatch.trim() === '*' || tagsOf(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etag);
}

/** If-Match compares strongly: a weak tag never matches. */
export function isExpectedBy(ifMatch: string | undefined, etag: () => string): boolean {
	if (ifMatch === undefined || ifMatch.trim() === '*') return true;
	return tagsOf(ifMatch).includes(etag());
}
