import { namedLock } from '../../server/store/locks.ts';
import type { Postgres } from '../../server/store/postgres.ts';
import { sql } from '../../server/store/sql.ts';

/** The service of a world leaves these jobs to the test, for as long as the holder is open: it finds their locks taken. */
export async function holdJobs(postgres: Postgres, ...names: readonly string[]) {
	const holder = await postgres.dedicatedConnection(() => undefined);
	for (const name of names) await holder.run(sql`SELECT pg_advisory_lock(${namedLock('job', name)})`);
	return holder;
}
