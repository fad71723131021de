import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine } from '../../server/engine/supervise.ts';
import { createLog } from '../../server/lib/log.ts';
import { type Strict, type StrictOptions, startStrict, users } from './strict-clickhouse.ts';

export type ClickHouseServer = {
	url: string;
	/** What a service is told to use it. */
	settings: Record<string, string>;
	enginePid(): number | undefined;
	/** What it was asked, and what it pretends to be. */
	strict: Pick<Strict, 'seen' | 'options'>;
	/** Breaks the connection of the next insert of events when so many bytes of it have gone in, or before its answer. */
	cutNextInsert(when: number | 'answer'): Promise<void>;
};

const isStrict = process.env.TEST_CLICKHOUSE === 'strict';

/** With TEST_CLICKHOUSE=strict: a server that stores below this folder use instead of their own engine. */
export const strictServerFor = (
	t: { after(work: () => Promise<void>): void },
	folder: string,
): Promise<ClickHouseServer> | undefined =>
	isStrict ? startClickHouseServer(t, { data: join(folder, 'clickhouse') }) : undefined;

type Cut = { when: number | 'answer'; done(): void };

/**
 * ClickHouse behind a port, with the limits and defaults of an operator's server (strict-clickhouse.ts): for services that share
 * one, and for nets that break.
 */
export async function startClickHouseServer(
	t: { after(work: () => Promise<void>): void },
	{
		data,
		...options
	}: StrictOptions & { /** Where its tables are, made when missing. */ data?: string } = {},
): Promise<ClickHouseServer> {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-ch-'));
	const socketPath = join(folder, 'engine.sock');
	const engine = await startEngine({
		...{ folder: data ?? join(folder, 'clickhouse'), socketPath, memoryMb: 700 },
		log: createLog('silent', () => undefined),
	});
	const strict = await startStrict(engine.connection, options);
	let armed: Cut | undefined;
	const takeCut = (bytes: Buffer) => {
		const cut = isInsert(bytes) ? armed : undefined;
		if (cut) armed = undefined;
		return cut;
	};
	const server = createServer((outside) => forward(outside, connect(strict.port, '127.0.0.1'), takeCut));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	t.after(async () => {
		server.close();
		strict.close();
		await engine.stop();
		rmSync(folder, { recursive: true, force: true });
	});
	const { database } = engine.connection;
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	const url = `http://${users.main.name}:${users.main.password}@127.0.0.1:${port}/${database}`;
	return {
		...{ url, strict },
		settings: {
			CLICKHOUSE_URL: url,
			...{ CLICKHOUSE_READ_USER: users.reader.name, CLICKHOUSE_READ_PASSWORD: users.reader.password },
		},
		enginePid: () => engine.pid(),
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
