import { cleanText, decodePercent } from '../text.ts';
import { mask } from './mask.ts';

/** The longest path and the longest query that are stored. */
export const maxAddress = 1_024;

/** Characters that have a meaning in a path or a query and therefore stay encoded. */
const pathSigns = /[/\\?#%]/g;
export const querySigns = /[&=+#%]/g;

/** Decodes and masks each segment of a path. */
export function cleanPath(path: string): string {
	const segments = path.split('/').map((segment) => cleanPart(segment, pathSigns));
	return maskAfterVerbs(segments.join('/'));
}

/** Masks the fully decoded text; if nothing is masked, the text is decoded only once, as it was meant. */
export function cleanPart(text: string, signs: RegExp): string {
	const decoded = decodeAll(text);
	const masked = mask(decoded);
	const shown = masked === decoded ? decodePercent(text, signs) : encodeSigns(masked, signs);
	return cleanText(shown, maxAddress);
}

export const encodeSigns = (text: string, signs: RegExp): string =>
	text.replace(signs, (sign) => encodeURIComponent(sign));

const nothing = /(?!)/g;

export function decodeAll(text: string): string {
	let decoded = text;
	for (let times = 0; times < 4 && decoded.includes('%'); times++) {
		const next = decode(decoded);
		if (next === decoded) break;
		decoded = next;
	}
	return decoded;
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		// Some bytes are not UTF-8: decode the others, more slowly.
		return decodePercent(text, nothing);
	}
}

/** The path segment after one of these is usually a secret for one person, even when it is short. */
const verbs =
	/(\/[^/]{0,24}(?:reset|verif|confirm|activat|unsubscri|invit|magic|one-?time|optin|opt-in)[^/]{0,24}\/)([^/]{6,})/gi;

const maskAfterVerbs = (path: string): string =>
	path.replace(verbs, (all, before: string, segment: string) =>
		/\d/.test(segment) && !/^\d{1,8}$/.test(segment) ? `${before}[hidden]` : all,
	);
