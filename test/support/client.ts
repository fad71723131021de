/** A caller of the service over real HTTP: no redirects followed, nothing retried, nothing added but the key. */
export type Call = {
	/** Fields of a form body; a string is sent as it stands. */
	form?: undefined | string | Record<string, string> | [string, string][];
	json?: unknown;
	body?: undefined | string | Uint8Array;
	headers?: undefined | Record<string, string>;
	signal?: AbortSignal;
};

export type Answer = { status: number; headers: Record<string, string>; text: string; json: unknown };

export type Client = (method: string, path: string, call?: Call) => Promise<Answer>;

/** `path` is below /api/v1. */
export function client(base: string, key?: string): Client {
	return (method, path, call = {}) => send(base, method, `/api/v1${path}`, { ...call, key });
}

/** Any path of the service, with a key or without. */
export async function send(
	base: string,
	method: string,
	path: string,
	call: Call & { key?: string | undefined } = {},
): Promise<Answer> {
	const { type, body } = encode(call);
	const headers: Record<string, string> = {};
	if (call.key !== undefined) headers.authorization = `Bearer ${call.key}`;
	if (type !== undefined) headers['content-type'] = type;
	const response = await fetch(base + path, {
		method,
		headers: { ...headers, ...call.headers },
		redirect: 'manual',
		...(body === undefined ? {} : { body }),
		...(call.signal && { signal: call.signal }),
	});
	const text = await textOf(response);
	const answered = Object.fromEntries(response.headers);
	// The only field that may come more than once and cannot be joined with commas.
	const lines = response.headers.getSetCookie();
	if (lines.length > 1) answered['set-cookie'] = lines.join('\n');
	return { status: response.status, headers: answered, text, json: parse(text) };
}

/** A stream has no end: what its first message says is its text. */
async function textOf(response: Response): Promise<string> {
	if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
	const reader = response.body?.getReader();
	const first = await reader?.read();
	await reader?.cancel();
	return Buffer.from(first?.value ?? [])
		.toString()
		.replace(/^data: /, '');
}

function encode(call: Call): { type?: string; body?: string | Uint8Array<ArrayBuffer> } {
	if (call.form !== undefined) {
		const body = typeof call.form === 'string' ? call.form : new URLSearchParams(call.form).toString();
		return { type: 'application/x-www-form-urlencoded', body };
	}
	if (call.json !== undefined) return { type: 'application/json', body: JSON.stringify(call.json) };
	// As bytes, fetch adds no content type of its own.
	if (call.body !== undefined) return { body: Uint8Array.from(Buffer.from(call.body)) };
	return {};
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
