/**
 * The columns of an export, by what is exported. They are documented in docs/export.md and named for whoever reads them
 * elsewhere; a name that was given out stays. A website's id is in none: a file is of one website.
 */
import { type Sql, sql, word } from '../store/sql.ts';

export type ExportedWhat = 'events' | 'visits' | 'totals';

/** `text` is what a visitor or a page may have chosen; `pairs` are written as JSON where a format has no such type. */
type Kind = 'text' | 'number' | 'time' | 'pairs';

export type Column = { name: string; kind: Kind; of: Sql };

const plain = (kind: Kind, names: string): Column[] =>
	names.split(' ').map((name) => ({ name, kind, of: word(name) }));

const attribution = 'referrer source channel utm_source utm_medium utm_campaign utm_term utm_content';
const place = 'country region city language';
const device = 'browser browser_version os os_version device screen';

export const exportedColumns: Readonly<Record<ExportedWhat, readonly Column[]>> = {
	events: [
		...plain('time', 'date time'),
		...plain('number', 'event_id visitor_id'),
		{ name: 'kind', kind: 'text', of: sql`toString(kind)` },
		...plain('text', `name hostname path query title ${attribution} click_id ${place} ${device}`),
		...plain('number', 'late'),
		...plain('pairs', 'properties'),
		...plain('number', 'revenue'),
		...plain('text', 'currency'),
		...plain('number', 'page_event_id engaged_ms scroll lcp_ms inp_ms cls'),
	],
	visits: [
		...plain('time', 'date start'),
		...plain('number', 'hour seconds views events is_bounce engaged_ms engaged_views scroll scroll_views'),
		...plain('text', `entry_path exit_path ${attribution} ${place} ${device}`),
	],
	totals: [
		...plain('time', 'date'),
		...plain('text', 'dimension value'),
		...plain(
			'number',
			'is_other visitors visits bounces seconds views visit_views events engaged_ms engaged_views scroll scroll_views',
		),
		...plain('pairs', 'revenue'),
	],
};
