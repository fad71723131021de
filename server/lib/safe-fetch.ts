/**
 * Requests to addresses that people typed in. This machine can reach what they cannot: itself, its network, the metadata of its
 * cloud. So an address is judged when it is used and not when it is stored: http(s) on its usual port, a name all of whose
 * addresses are hosts of the open net, and the connection goes to one of the very addresses that were judged, whatever the name
 * means a moment later. Nothing is followed, nothing of ours is sent along, and neither time nor size is the other end's to choose.
 */
import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from './networks.ts';

export type SafeFetch = {
	/** Posts a body and gives the status; a redirect is a status like another. */
	post(url: string, sent: { headers: Readonly<Record<string, string>>; body: string }): Promise<number>;
	request(url: string, sent: OutsideRequest): Promise<OutsideResponse>;
};

export type OutsideRequest = {
	method: string;
	headers: Readonly<Record<string, string>>;
	body?: string;
};

export type OutsideResponse = {
	status: number;
	headers: [name: string, value: string][];
	body: Buffer<ArrayBuffer>;
};

/** Why nothing was sent there. What it says is for the people who typed the address in. */
export class RefusedAddress extends Error {}

type Resolve = (hostname: string) => Promise<readonly string[]>;

const longestMs = 5_000;
const mostBytes = 1_000_000;

const resolveAll: Resolve = async (hostname) =>
	(await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);

/**
 * `allowedHosts`: `host` or `host:port`, in lower case, that may be anything. `resolve` is the system's unless a test gives
 * another.
 */
export function createSafeFetch({
	allowedHosts,
	resolve = resolveAll,
}: {
	allowedHosts: readonly string[];
	resolve?: Resolve;
}): SafeFetch {
	async function request(text: string, sent: OutsideRequest): Promise<OutsideResponse> {
		const signal = AbortSignal.timeout(longestMs);
		const url = readPublicUrl(text, allowedHosts);
		const address = await Promise.race([judgedAddress(url, allowedHosts, resolve), lateAfter(signal)]);
		return exchange(url, { ...sent, address, signal });
	}
	return {
		request,
		post: async (text, sent) => (await request(text, { ...sent, method: 'POST' })).status,
	};
}

const noAnswer = () => new Error(`There was no answer within ${longestMs / 1000} seconds.`);

/** Names are looked up by the system, which takes its time and cannot be stopped. */
const lateAfter = (signal: AbortSignal): Promise<never> =>
	new Promise((_, reject) => signal.addEventListener('abort', () => reject(noAnswer()), { once: true }));

/** Checks that need only the text of the URL: when it is stored, and again when it is used. */
export function readPublicUrl(text: string, allowedHosts: readonly string[]): URL {
	// The parser turns `0x7f.1`, `127.1` and full-width signs into `127.0.0.1`, so all that follows sees what will be connected to.
	if (!URL.canParse(text))
		throw new RefusedAddress('This is not an address such as https://example.com/hook.');
	const url = new URL(text);
	if (url.protocol !== 'https:' && url.protocol !== 'http:')
		throw new RefusedAddress('An address must begin with https:// or http://.');
	if (url.username !== '' || url.password !== '')
		throw new RefusedAddress('An address must not hold a user or a password.');
	if (isAllowed(url, allowedHosts)) return url;
	if (url.port !== '' && url.port !== '80' && url.port !== '443')
		throw new RefusedAddress(
			`Port ${url.port} is not allowed; the operator can allow it with TIDEMARK_WEBHOOK_ALLOWED_HOSTS.`,
		);
	const literal = bare(url);
	if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw refusedNetwork(url);
	return url;
}

/** `[::1]` is written with brackets in an address and without them everywhere else. */
const bare = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

const isAllowed = (url: URL, allowedHosts: readonly string[]): boolean =>
	allowedHosts.includes(url.host) || (url.port === '' && allowedHosts.includes(url.hostname));

const refusedNetwork = ({ hostname }: URL) =>
	new RefusedAddress(
		`${hostname} is not a host of the open net; the operator can allow it with TIDEMARK_WEBHOOK_ALLOWED_HOSTS.`,
	);

async function judgedAddress(url: URL, allowedHosts: readonly string[], resolve: Resolve): Promise<string> {
	const name = bare(url);
	const addresses = isIP(name) === 0 ? await resolve(name) : [name];
	const [first] = addresses;
	if (first === undefined) throw new RefusedAddress(`${url.hostname} has no address.`);
	// Any, not the one we would take: a name that leads here and there is a trap.
	if (!isAllowed(url, allowedHosts) && !addresses.every(isPublicAddress)) throw refusedNetwork(url);
	return first;
}

function exchange(
	url: URL,
	{ address, method, headers, body, signal }: OutsideRequest & { address: string; signal: AbortSignal },
): Promise<OutsideResponse> {
	return new Promise((resolve, reject) => {
		const family = isIP(address);
		const start = url.protocol === 'https:' ? requestHttps : requestHttp;
		const request = start(
			url,
			{
				method,
				agent: false,
				signal,
				headers: {
					'user-agent': 'Tidemark',
					...headers,
					...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
				},
				// Connects to the address that was checked, instead of resolving the name again.
				lookup: (_name, options, done) =>
					options.all ? done(null, [{ address, family }]) : done(null, address, family),
			},
			(response) => {
				const chunks: Buffer[] = [];
				let bytes = 0;
				response.on('data', (chunk: Buffer) => {
					bytes += chunk.length;
					chunks.push(chunk);
					if (bytes > mostBytes) request.destroy(new Error('The answer is too long.'));
				});
				response.on('error', reject);
				response.on('end', () =>
					resolve({
						status: response.statusCode ?? 0,
						headers: Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
							values.map((text): [string, string] => [name, text]),
						),
						body: Buffer.concat(chunks),
					}),
				);
			},
		);
		request.on('error', (error) => reject(signal.aborted ? noAnswer() : error));
		request.end(body);
	});
}
