import { param, sql } from '../../server/store/sql.ts';
import type { World } from './world.ts';

/** Five years of sealed days with many visits of three pages each, and a million different pages: what is dear to ask about. */
export async function storeManyVisits(
	w: Pick<World, 'sql' | 'clickhouse'>,
	websiteId: number,
	{ visits, to }: { visits: number; to: string },
): Promise<void> {
	await w.clickhouse.command(
		sql`
		INSERT INTO visits (website_id, date, generation, visitor_id, start, hour, seconds, views, events, is_bounce, offsets, kinds,
			names, paths, hostnames, titles, properties, engaged, scrolls, revenues, currencies, entry_path, exit_path, source, country, city)
		SELECT
			${param('UInt32', websiteId)}, toDate(${param('Date', to)}) - (number % 1800) AS day, 1, number + 1, toDateTime64(day, 3, 'UTC'), 0,
			100, 3, 0, 0, [0, 1000, 2000], ['pageview', 'pageview', 'pageview'], ['pageview', 'pageview', 'pageview'],
			arrayMap(n -> concat('/section-', toString((number + n * 333333) % 1000), '/page-', toString((number * 3 + n) % 1000000)), [0, 1, 2]) AS pages,
			['h', 'h', 'h'], arrayMap(page -> concat('Title of ', page), pages), [map(), map('plan', toString(number % 1000)), map()],
			[0, 0, 0], [0, 0, 0], [0, 0, 0], ['', '', ''], pages[1], pages[3], concat('source ', toString(number % 50)), 'DE', ''
		FROM numbers(${param('UInt64', visits)})`,
		{ as: 'ingest' },
	);
	await w.sql(
		`INSERT INTO days (website_id, date, last_batch, sealed_batch, generation, size)
		SELECT $1, $2::date - n, 1, 1, 1, $3 FROM generate_series(0, 1799) AS n`,
		[websiteId, to, Math.round(visits / 600)],
	);
}
