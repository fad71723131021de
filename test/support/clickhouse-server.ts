import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine } from '../../server/engine/supervise.ts';
import { createLog } from '../../server/lib/log.ts';

type ClickHouseServer = {
	url: string;
	/** Breaks the connection of the next insert of events when so many bytes of it have gone in, or before its answer. */
	cutNextInsert(when: number | 'answer'): Promise<void>;
};

type Cut = { when: number | 'answer'; done(): void };

/** ClickHouse behind a port, as an operator's server would be: for services that share one, and for nets that break. */
export async function startClickHouseServer(t: {
	after(work: () => Promise<void>): void;
}): Promise<ClickHouseServer> {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-ch-'));
	const socketPath = join(folder, 'engine.sock');
	const engine = await startEngine({
		...{ folder: join(folder, 'clickhouse'), socketPath, memoryMb: 700 },
		log: createLog('silent', () => undefined),
	});
	let armed: Cut | undefined;
	const takeCut = (bytes: Buffer) => {
		const cut = isInsert(bytes) ? armed : undefined;
		if (cut) armed = undefined;
		return cut;
	};
	const server = createServer((outside) => forward(outside, connect(socketPath), takeCut));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	t.after(async () => {
		server.close();
		await engine.stop();
		rmSync(folder, { recursive: true, force: true });
	});
	const { database, passwords } = engine.connection;
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	return {
		url: `http://migrate:${passwords.migrate}@127.0.0.1:${port}/${database}`,
		cutNextInsert: (when) =>
			new Promise((done) => {
				armed = { when, done };
			}),
	};
}

const isInsert = (bytes: Buffer) => /^POST [^\r]*INSERT[^\r]*events/.test(bytes.toString('latin1', 0, 4_096));

function forward(outside: Socket, inside: Socket, takeCut: (bytes: Buffer) => Cut | undefined) {
	let cut: Cut | undefined;
	let passed = 0;
	const end = () => {
		outside.destroy();
		inside.destroy();
	};
	const cutNow = () => {
		end();
		cut?.done();
	};
	outside.on('data', (bytes: Buffer) => {
		cut ??= takeCut(bytes);
		if (cut === undefined || cut.when === 'answer') return inside.write(bytes);
		const some = bytes.subarray(0, cut.when - passed);
		passed += some.length;
		if (passed < cut.when) return inside.write(some);
		outside.pause();
		return inside.write(some, cutNow);
	});
	inside.on('data', (bytes: Buffer) => (cut ? cutNow() : outside.write(bytes)));
	for (const socket of [outside, inside]) socket.on('error', end).on('close', end);
}
