import { AppError } from '../lib/app-error.ts';
import type { Queries } from '../store/postgres.ts';
import { sql } from '../store/sql.ts';

/** Without NATS_URL nothing would read the events that are still in NATS. */
export async function refuseForgottenNats(postgres: Queries): Promise<void> {
	const positions = await postgres.rows(sql`SELECT 1 FROM log_positions LIMIT 1`);
	if (positions.length > 0)
		throw new AppError(
			'precondition_failed',
			'The event log of this installation is in NATS, and acknowledged events may wait there. Set NATS_URL again; docs/operations.md says how to go back to the log in PostgreSQL.',
		);
}
