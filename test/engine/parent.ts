import { startEngine } from '../../server/engine/supervise.ts';
import { createLog } from '../../server/lib/log.ts';
import { createClickHouse } from '../../server/store/clickhouse.ts';
import { sql } from '../../server/store/sql.ts';
import { entry } from './engine.ts';

// A service to be killed: starts an engine, gives it something to do for a long time and tells its pid.
const [, , folder = '', socketPath = ''] = process.argv;
const log = createLog('silent');
const engine = await startEngine({ folder, socketPath, memoryMb: 700, log, entry });
const clickhouse = createClickHouse(engine.connection, { log });
await clickhouse.script(
	'CREATE TABLE IF NOT EXISTS t (a UInt8) ENGINE = MergeTree ORDER BY a SETTINGS fsync_after_insert = 1',
);
await clickhouse.insert({ table: 't', lines: '{"a":7}\n', token: '1' });
for (let n = 0; n < 3; n += 1)
	void clickhouse.rows(sql`SELECT sum(sipHash64(number)) FROM numbers(1000000000000)`).catch(() => {});
setTimeout(() => process.send?.(engine.pid()), 300);
