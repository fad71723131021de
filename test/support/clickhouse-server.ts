import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine } from '../../server/engine/supervise.ts';
import { createLog } from '../../server/lib/log.ts';

/** ClickHouse behind a port, as an operator's server would be: for services that share one. */
export async function startClickHouseServer(t: {
	after(work: () => Promise<void>): void;
}): Promise<{ url: string }> {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-ch-'));
	const socketPath = join(folder, 'engine.sock');
	const engine = await startEngine({
		...{ folder: join(folder, 'clickhouse'), socketPath, memoryMb: 700 },
		log: createLog('silent', () => undefined),
	});
	const server = createServer((outside) => {
		const inside = connect(socketPath);
		outside.pipe(inside).pipe(outside);
		for (const [one, other] of [
			[outside, inside],
			[inside, outside],
		] as const) {
			one.on('error', () => other.destroy());
			one.on('close', () => other.destroy());
		}
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	t.after(async () => {
		server.close();
		await engine.stop();
		rmSync(folder, { recursive: true, force: true });
	});
	const { database, passwords } = engine.connection;
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	return { url: `http://migrate:${passwords.migrate}@127.0.0.1:${port}/${database}` };
}
