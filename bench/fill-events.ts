import type { ClickHouse } from '../server/store/clickhouse.ts';
import { param, sql } from '../server/store/sql.ts';

export type Filling = {
	websiteId: number;
	/** The first date, and over how many the events are spread. */
	from: string;
	days: number;
	events: number;
	/** How many different paths a day has. */
	paths: number;
};

/** Fills `events` with visitors of a website, the same ones every time, in statements that an engine of any size can run. */
export async function fillEvents(clickhouse: ClickHouse, filling: Filling): Promise<void> {
	const step = 245_000;
	for (let from = 0; from < filling.events; from += step)
		await fillSome(clickhouse, filling, from, Math.min(step, filling.events - from));
}

/** Seven events a visitor: three page views with their engagement, one custom event; a third comes back after an hour. */
async function fillSome(
	clickhouse: ClickHouse,
	{ websiteId, from: first, days, paths }: Filling,
	from: number,
	count: number,
): Promise<void> {
	await clickhouse.command(sql`
		INSERT INTO events (
			website_id, date, visitor_id, time, event_id, kind, name, hostname, path, title, referrer, source, channel,
			utm_source, utm_campaign, country, region, city, language, browser, browser_version, os, os_version, device, screen,
			revenue, currency, page_event_id, engaged_ms, scroll
		)
		SELECT
			${param('UInt32', websiteId)},
			${param('Date', first)} + visitor % ${param('UInt32', days)} AS day,
			cityHash64(visitor, 'visitor', ${param('UInt32', websiteId)}),
			toDateTime64(day, 3, 'UTC') + toIntervalSecond(cityHash64(visitor) % 80000)
				+ toIntervalSecond([0, 5, 40, 70, 90, if(visitor % 3 = 0, 3600, 120), 4000][nth + 1])
				+ toIntervalMillisecond(cityHash64(n) % 1000),
			cityHash64(n, 'event'),
			if(is_quiet, 'engagement', if(nth = 4, 'custom', 'pageview')),
			if(nth = 4, ['signup', 'outbound', 'download'][1 + intDiv(who, 3) % 3], 'pageview'),
			'example.com',
			concat('/page/', toString(page)),
			concat('Title ', toString(page)),
			concat('https://from', toString(intDiv(who, 7) % 300), '.example/'),
			concat('source', toString(intDiv(who, 11) % 300)),
			['Organic Search', 'Direct', 'Referral'][1 + intDiv(who, 13) % 3],
			if(intDiv(who, 17) % 10 = 0, 'letter', ''),
			if(intDiv(who, 17) % 10 = 0, concat('campaign', toString(intDiv(who, 23) % 50)), ''),
			['DE', 'FR', 'US', 'NP'][1 + intDiv(who, 29) % 4],
			concat('R', toString(intDiv(who, 31) % 100)),
			concat('City', toString(intDiv(who, 37) % 3000)),
			['de', 'fr', 'en'][1 + intDiv(who, 41) % 3],
			['Chrome', 'Firefox', 'Safari'][1 + intDiv(who, 43) % 3],
			toString(100 + intDiv(who, 47) % 30),
			['Windows', 'iOS', 'Android'][1 + intDiv(who, 53) % 3],
			toString(intDiv(who, 59) % 12),
			['desktop', 'phone'][1 + intDiv(who, 61) % 2],
			['lg', 'sm'][1 + intDiv(who, 67) % 2],
			if(nth = 4 AND intDiv(who, 71) % 10 = 1, toDecimal64(intDiv(who, 73) % 100, 4), toDecimal64(0, 4)),
			if(nth = 4 AND intDiv(who, 71) % 10 = 1, 'EUR', ''),
			if(is_quiet, cityHash64(n - 1, 'event'), 0),
			if(is_quiet, cityHash64(n) % 60000, 0),
			if(is_quiet, cityHash64(n) % 101, 0)
		FROM (
			SELECT number + ${param('UInt64', from)} AS n, intDiv(n, 7) AS visitor, n % 7 AS nth, nth IN (1, 3, 6) AS is_quiet,
				cityHash64(visitor, 'who') AS who,
				-- A few pages are read most.
				toUInt64(pow((cityHash64(n, 'page') % 1000000) / 1000000, 4) * ${param('UInt32', paths)}) AS page
			FROM numbers(${param('UInt64', count)})
		)`);
}
