import { createServer } from 'node:http';

export type Received = { path: string; headers: Record<string, string | string[] | undefined>; body: string };

/** Takes what alerts post, and answers as it is told. */
export async function startHookServer(t: { after(work: () => Promise<void>): void }) {
	const received: Received[] = [];
	let status: (path: string) => number = () => 200;
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const path = request.url ?? '';
			received.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString() });
			response.writeHead(status(path)).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('A port has no number.');
	t.after(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	return {
		host: `127.0.0.1:${address.port}`,
		url: (path: string) => `http://127.0.0.1:${address.port}${path}`,
		/** What came to this path. */
		at: (path: string) => received.filter((one) => one.path === path),
		answer(next: (path: string) => number) {
			status = next;
		},
	};
}
