import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Engine, type EngineOptions, startEngine } from '../../server/engine/supervise.ts';
import { createLog } from '../../server/lib/log.ts';
import { type ClickHouse, createClickHouse } from '../../server/store/clickhouse.ts';

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
