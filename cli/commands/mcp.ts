import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Command } from 'commander';
import { version } from '../../server/lib/package.ts';
import { createMcpServer } from '../../server/mcp/serve-tools.ts';
import { keyOfEnvironment, serviceAt } from '../remote.ts';

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
	const service = serviceAt(url, keyOfEnvironment('that can only read'));
	// The service itself says whether the key will do; better now than at the assistant's first question.
	const tried = await service.mcp({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
	if (tried.status !== 200)
		throw new Error(`${url} refuses the key: ${/"message":"([^"]*)"/.exec(tried.text)?.[1] ?? tried.status}`);
	const ended = Promise.withResolvers<void>();
	process.stdin.once('end', ended.resolve);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.resolve());
	const served = serveStdio(() =>
		createMcpServer(version, ({ path, query }) => service.ask(`${path}?${query}`)),
	);
	await ended.promise;
	await served.close();
}
