/**
 * Domains as people write them. The service knows them as DNS does, `xn--mller-kva.example`; browsers turn letters into that
 * and offer no way back, so here is the decoder of RFC 3492.
 */

/** `xn--mller-kva.example` is `müller.example`. What cannot be read stays as it is. */
export function toUnicode(domain: string): string {
	return domain
		.split('.')
		.map((label) => (label.startsWith('xn--') ? (decode(label.slice(4)) ?? label) : label))
		.join('.');
}

/** The hostname of a pasted URL: `https://www.example.com/path?x` is `www.example.com`. A text without URL parts stays as it is. */
export function hostnameIn(text: string): string {
	const bare = text.trim();
	if (!/[/:?#@]/.test(bare)) return bare;
	const url = /^[a-z][a-z\d+.-]*:\/\//i.test(bare) ? bare : `https://${bare.replace(/^\/\//, '')}`;
	const hostname = URL.canParse(url) ? new URL(url).hostname : '';
	return hostname === '' ? bare : toUnicode(hostname);
}

/** Of this machine alone: the service takes no website with such a name. */
export const isLocalHostname = (hostname: string): boolean =>
	/^(localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/i.test(hostname);

const [base, least, most, skew, damp, firstCode, firstBias] = [36, 1, 26, 38, 700, 128, 72];

/** Letters of ASCII stand before the last hyphen; behind it, digits that say which others come where. */
function decode(text: string): string | undefined {
	const hyphen = text.lastIndexOf('-');
	const letters = hyphen > 0 ? [...text.slice(0, hyphen)].map((letter) => letter.charCodeAt(0)) : [];
	let [code, place, bias] = [firstCode, 0, firstBias];
	for (let index = hyphen > 0 ? hyphen + 1 : 0; index < text.length; ) {
		const before = place;
		let weight = 1;
		for (let step = base; ; step += base) {
			const digit = digitOf(text.charCodeAt(index++));
			if (digit === undefined) return undefined;
			place += digit * weight;
			const threshold = Math.min(Math.max(step - bias, least), most);
			if (digit < threshold) break;
			weight *= base - threshold;
		}
		const count = letters.length + 1;
		bias = adapt(place - before, count, before === 0);
		code += Math.floor(place / count);
		place %= count;
		if (code > 0x10ffff) return undefined;
		letters.splice(place++, 0, code);
	}
	return String.fromCodePoint(...letters);
}

/** a to z are 0 to 25, 0 to 9 are 26 to 35. */
function digitOf(code: number): number | undefined {
	if (code >= 97 && code <= 122) return code - 97;
	return code >= 48 && code <= 57 ? code - 22 : undefined;
}

function adapt(change: number, count: number, isFirst: boolean): number {
	let rest = Math.floor(isFirst ? change / damp : change / 2);
	rest += Math.floor(rest / count);
	let steps = 0;
	for (; rest > ((base - least) * most) / 2; steps += base) rest = Math.floor(rest / (base - least));
	return steps + Math.floor(((base - least + 1) * rest) / (rest + skew));
}
