import { Command } from 'commander';
import { version } from '../../server/lib/package.ts';
import { keyOfEnvironment, serviceAt } from '../remote.ts';

export function mcpCommand(): Command {
	return new Command('mcp')
		.description('Run an MCP server on stdio that lets an AI assistant read statistics.')
		.option('--url <address>', 'URL of the service', 'http://127.0.0.1:8090')
		.addHelpText(
			'after',
			'\nThe API key is read from TIDEMARK_API_KEY and must be read-only:\n  tidemark key create --account you@example.com --name assistant --read',
		)
		.action(serve);
}

async function serve({ url }: { url: string }) {
	const service = serviceAt(url, keyOfEnvironment('with read-only access'));
	// Check the key now, not at the assistant's first request.
	const response = await service.mcp({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
	if (response.status !== 200)
		throw new Error(
			`${url} rejected the API key: ${/"message":"([^"]*)"/.exec(response.text)?.[1] ?? response.status}`,
		);
	const ended = Promise.withResolvers<void>();
	process.stdin.once('end', ended.resolve);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.resolve());
	// Loaded only here: --help must not wait for it.
	const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
	const { createMcpServer } = await import('../../server/mcp/serve-tools.ts');
	const server = serveStdio(() =>
		createMcpServer(version, ({ path, query }) => service.get(`${path}?${query}`)),
	);
	await ended.promise;
	await server.close();
}
