/** A service somewhere, asked with a key, as any other program does it. */
export type Answered = { status: number; text: string; retryAfter: number | undefined };

const withinMs = 60_000;

/** A key on a command line would be seen by everybody on the machine. */
export function keyOfEnvironment(what: string): string {
	const key = process.env.TIDEMARK_API_KEY;
	if (!key) throw new Error(`Set TIDEMARK_API_KEY to a key ${what}.`);
	return key;
}

export function serviceAt(url: string, key: string) {
	const base = url.replace(/\/+$/, '');
	const send = async (path: string, more: RequestInit = {}): Promise<Answered> => {
		const answer = await fetch(base + path, {
			...more,
			headers: { authorization: `Bearer ${key}`, accept: 'application/json', ...more.headers },
			signal: AbortSignal.timeout(withinMs),
		}).catch((cause: unknown) => {
			throw new Error(`There is no service at ${url}. Name it with --url.`, { cause });
		});
		const { status, headers } = answer;
		const seconds = Number(headers.get('retry-after') ?? Number.NaN);
		return { status, text: await answer.text(), retryAfter: Number.isNaN(seconds) ? undefined : seconds };
	};
	const json = (body: unknown): RequestInit => ({
		method: 'POST',
		headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
		body: JSON.stringify(body),
	});
	return {
		ask: (path: string): Promise<Answered> => send(`/api/v1${path}`),
		post: (path: string, body: unknown): Promise<Answered> => send(`/api/v1${path}`, json(body)),
		mcp: (body: unknown): Promise<Answered> => send('/mcp', json(body)),
	};
}
