import { isIgnored } from './opt-out.ts';
import { endpoint, hasSignal, website } from './settings.ts';

/** A hit as it is sent; docs/hits.md describes each field. */
export type Hit = {
	w: number;
	i: string;
	n?: string;
	u?: string;
	r?: string;
	t?: string;
	x?: number;
	p?: Properties | undefined;
	m?: string | number | undefined;
	c?: string | undefined;
	g?: 1 | undefined;
	k?: 'e' | 'v';
	o?: string;
	d?: number;
	e?: number;
	s?: number;
	v?: Vitals;
	a?: number;
};

/** 64 random bits as 16 hexadecimal digits. */
export const newId = () =>
	// An array of length one has a first element.
	(crypto.getRandomValues(new BigUint64Array(1))[0] as bigint).toString(16).padStart(16, '0');

/**
 * Sends a hit, with up to three retries (after 1, 4 and 16 seconds) when the collector is unreachable or busy. The id stays the same, so
 * the hit counts once. A timer can fire hours late (background tab, back-forward cache); after a minute the hit is dropped, because the
 * collector only recognizes recent ids.
 */
export const send = (members: Partial<Hit>, id = newId()) => {
	if (isIgnored()) return;
	const hit: Hit = { w: website, i: id, g: hasSignal, ...members };
	const happened = Date.now();
	const attempt = async (delayMs = 1e3) => {
		try {
			// A string is sent as text/plain, which needs no CORS preflight.
			const status = await fetch(endpoint, {
				method: 'POST',
				body: JSON.stringify(hit),
				keepalive: true,
				credentials: 'omit',
				referrerPolicy: 'no-referrer',
			}).then(
				(answer) => answer.status,
				() => 500,
			);
			if ((status === 429 || status > 499) && delayMs < 2e4)
				setTimeout(() => {
					hit.a = Date.now() - happened;
					if (hit.a < 6e4) void attempt(delayMs * 4);
				}, delayMs);
		} catch {
			// The page has no fetch or a broken one.
		}
	};
	void attempt();
};
