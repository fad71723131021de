import { randomUUID } from 'node:crypto';
import { blankEvent, type Event } from '../../server/ingest/event.ts';
import type { ClickHouse } from '../../server/store/clickhouse.ts';
import type { World } from './world.ts';

/**
 * Events as they lie in ClickHouse, written past the collector: for values that it would clean, and for many at once. The
 * day is open, so that a question looks at them.
 */
export async function storeEvents(
	w: Pick<World, 'sql'> & { clickhouse: ClickHouse },
	websiteId: number,
	events: readonly (Partial<Event> & { date: string; import_id?: number })[],
): Promise<void> {
	const rows = events.map((event, index) => ({
		...blankEvent,
		website_id: websiteId,
		visitor_id: String(index + 1),
		event_id: String(index + 1),
		time: `${event.date} 10:00:00.000`,
		hostname: 'stored.example',
		path: '/',
		...event,
	}));
	const lines = rows.map((row) => JSON.stringify(row)).join('\n');
	await w.clickhouse.insert({ table: 'events', lines, token: randomUUID() });
	for (const date of new Set(rows.map((row) => row.date)))
		await w.sql(
			`INSERT INTO days (website_id, date, last_batch, size) VALUES ($1, $2, 1, $3)
			ON CONFLICT (website_id, date) DO UPDATE SET last_batch = days.last_batch + 1, size = days.size + excluded.size`,
			[websiteId, date, rows.filter((row) => row.date === date).length],
		);
}
