import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Engine, type EngineOptions, startEngine } from '../../server/engine/supervise.ts';
import { createLog } from '../../server/lib/log.ts';
import { type ClickHouse, createClickHouse } from '../../server/store/clickhouse.ts';
import type { Sql } from '../../server/store/sql.ts';
import { patience } from '../support/timeout-factor.ts';

export const entry = { file: fileURLToPath(new URL('./entry.ts', import.meta.url)), args: [] };

export type EngineUnderTest = { engine: Engine; clickhouse: ClickHouse; dataFolder: string; lines: string[] };

/** An engine of its own on an empty folder, gone with the test. */
export async function engineFor(
	t: TestContext,
	options: Partial<EngineOptions> = {},
): Promise<EngineUnderTest> {
	const dataFolder = mkdtempSync(join(tmpdir(), 'tidemark-engine-'));
	const lines: string[] = [];
	const log = createLog('debug', (line) => lines.push(line));
	const engine = await startEngine({
		folder: join(dataFolder, 'clickhouse'),
		socketPath: join(dataFolder, 'engine.sock'),
		memoryMb: 700,
		log,
		entry,
		...options,
	});
	const clickhouse = createClickHouse(engine.connection, { log });
	t.after(async () => {
		await clickhouse.close();
		await engine.stop();
		rmSync(dataFolder, { recursive: true, force: true });
	});
	return { engine, clickhouse, dataFolder, lines };
}

/** Resident memory of a process, in MB. */
export function residentMb(pid: number): number {
	const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
	return Number(line?.[1] ?? 0) / 1024;
}

/** A statement that no module of ours would write. */
export const raw = (text: string): Sql => ({ strings: [text], values: [] });

/** A request as anybody who found the socket could make it. */
export async function ask(
	socketPath: string,
	options: { path?: string; body?: string; authorization?: string },
) {
	const { path = '/', body = '', authorization } = options;
	const asking = request({
		socketPath,
		path,
		method: 'POST',
		...(authorization !== undefined && { headers: { authorization } }),
	});
	asking.end(body);
	const [response]: IncomingMessage[] = await once(asking, 'response');
	if (response === undefined) throw new Error('There was no answer.');
	return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

export const basic = (user: string, password: string) =>
	`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Waits until something holds, and says how long it took. */
export async function until(holds: () => boolean | Promise<boolean>, withinMs: number): Promise<number> {
	const from = performance.now();
	while (!(await holds())) {
		if (performance.now() - from > withinMs * patience)
			throw new Error(`It did not happen within ${withinMs * patience} ms.`);
		await pause(10);
	}
	return performance.now() - from;
}
