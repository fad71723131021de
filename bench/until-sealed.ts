import { until } from '../test/support/service.ts';
import type { World } from '../test/support/world.ts';

/** Waits until all past days of a website are sealed: a service that seals is not idle. */
export const untilSealed = (w: Pick<World, 'sql'>, websiteId: number): Promise<number> =>
	until(
		async () => {
			const open = await w.sql(
				`SELECT 1 FROM days
				WHERE website_id = $1 AND date < current_date - 1 AND NOT (generation > 0 AND last_batch <= sealed_batch) LIMIT 1`,
				[websiteId],
			);
			return open.length === 0;
		},
		120_000,
		'all days are sealed',
	);
