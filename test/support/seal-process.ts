/** Seals one day again and again, in a process of its own that can be killed. */
import { sealDays } from '../../server/derive/seal.ts';
import type { SealDay } from '../../server/derive/seal-types.ts';
import type { EngineConnection } from '../../server/engine/supervise.ts';
import { createLog } from '../../server/lib/log.ts';
import { createClickHouse } from '../../server/store/clickhouse.ts';
import type { PostgresConnection } from '../../server/store/embedded-postgres.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { sealServices } from './sealing.ts';

export type SealProcess = { postgres: PostgresConnection; engine: EngineConnection; day: SealDay };

const { postgres, engine, day }: SealProcess = JSON.parse(process.argv[2] ?? '');
const log = createLog('silent', () => undefined);
const services = sealServices({
	postgres: openPostgres(postgres, { log, connections: 3 }),
	clickhouse: createClickHouse(engine, { log }),
	now: () => new Date(),
	log,
});
process.stdout.write('ready\n');
for (let round = 0; ; round++) {
	const kind = round % 3 === 2 ? 'provisional' : 'whole';
	// Small pieces, so that there are many statements to be killed between.
	services.atOnce.events = 3_000;
	try {
		const { days, failures } = await sealDays(services, [day], kind);
		for (const { error } of failures) process.stdout.write(`failed ${error}\n`);
		if (days.length > 0) process.stdout.write(`sealed ${kind}\n`);
	} catch (error) {
		// The engine is away for a moment.
		process.stdout.write(`failed ${error}\n`);
	}
}
