import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Command } from 'commander';
import { version } from '../../server/main.ts';
import { createMcpServer, type Get } from '../../server/mcp/serve-tools.ts';

export function mcpCommand(): Command {
	return new Command('mcp')
		.description('Let an assistant on this machine read statistics (Model Context Protocol).')
		.option('--url <address>', 'the service to ask', 'http://127.0.0.1:8090')
		.addHelpText(
			'after',
			'\nThe key is read from TIDEMARK_API_KEY and must be one that can only read:\n  tidemark key create --account you@example.com --name assistant --read',
		)
		.action(serve);
}

async function serve({ url }: { url: string }) {
	const key = process.env.TIDEMARK_API_KEY;
	if (!key) throw new Error('Set TIDEMARK_API_KEY to a key that can only read.');
	const get = askWith(url.replace(/\/+$/, ''), key);
	await tryKey(url, key);
	const ended = Promise.withResolvers<void>();
	process.stdin.once('end', ended.resolve);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.resolve());
	const served = serveStdio(() => createMcpServer(version, get));
	await ended.promise;
	await served.close();
}

const askWithinMs = 60_000;

const askWith =
	(base: string, key: string): Get =>
	async ({ path, query }) => {
		const answer = await fetch(`${base}/api/v1${path}?${query}`, {
			headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
			signal: AbortSignal.timeout(askWithinMs),
		});
		return { status: answer.status, text: await answer.text() };
	};

/** The service itself says whether the key will do; better now than at the assistant's first question. */
async function tryKey(url: string, key: string): Promise<void> {
	const answer = await fetch(new URL('mcp', `${url.replace(/\/+$/, '')}/`), {
		method: 'POST',
		headers: {
			authorization: `Bearer ${key}`,
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
		},
		body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
		signal: AbortSignal.timeout(askWithinMs),
	}).catch((cause: unknown) => {
		throw new Error(`There is no service at ${url}. Name it with --url.`, { cause });
	});
	if (answer.ok) return;
	const text = await answer.text();
	throw new Error(`${url} refuses the key: ${/"message":"([^"]*)"/.exec(text)?.[1] ?? answer.status}`);
}
