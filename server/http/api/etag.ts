import { hash } from 'node:crypto';

/** A strong tag: only identical bytes have the same one. */
export const etagOf = (body: string): string => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;

const tagsOf = (header: string): string[] => header.match(/(W\/)?"[^"]*"/g) ?? [];

/** If-None-Match uses weak comparison. */
export function matchesIfNoneMatch(ifNoneMatch: string | undefined, etag: string): boolean {
	if (ifNoneMatch === undefined) return false;
	return ifNoneMatch.trim() === '*' || tagsOf(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etag);
}

/** If-Match uses strong comparison: a weak tag never matches. */
export function matchesIfMatch(ifMatch: string | undefined, etag: () => string): boolean {
	if (ifMatch === undefined || ifMatch.trim() === '*') return true;
	return tagsOf(ifMatch).includes(etag());
}
