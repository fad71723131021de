import { minuteMs } from '../server/lib/durations.ts';

/** Client of the HTTP API of a service, with an API key. */
export type RemoteResponse = { status: number; text: string; retryAfter: number | undefined };

const timeoutMs = minuteMs;

/** Not an option: every user of the machine can see command lines. */
export function keyOfEnvironment(requirement: string): string {
	const key = process.env.TIDEMARK_API_KEY;
	if (!key) throw new Error(`Set TIDEMARK_API_KEY to an API key ${requirement}.`);
	return key;
}

export function serviceAt(url: string, key: string) {
	const base = url.replace(/\/+$/, '');
	const send = async (path: string, init: RequestInit = {}): Promise<RemoteResponse> => {
		const response = await fetch(base + path, {
			...init,
			headers: { authorization: `Bearer ${key}`, accept: 'application/json', ...init.headers },
			signal: AbortSignal.timeout(timeoutMs),
		}).catch((cause: unknown) => {
			throw new Error(`No service answers at ${url}. Pass its URL with --url.`, { cause });
		});
		const { status, headers } = response;
		const seconds = Number(headers.get('retry-after') ?? Number.NaN);
		return { status, text: await response.text(), retryAfter: Number.isNaN(seconds) ? undefined : seconds };
	};
	const json = (body: unknown): RequestInit => ({
		method: 'POST',
		headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
		body: JSON.stringify(body),
	});
	return {
		get: (path: string): Promise<RemoteResponse> => send(`/api/v1${path}`),
		post: (path: string, body: unknown): Promise<RemoteResponse> => send(`/api/v1${path}`, json(body)),
		mcp: (body: unknown): Promise<RemoteResponse> => send('/mcp', json(body)),
	};
}
