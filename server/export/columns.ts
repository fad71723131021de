/**
 * The columns of an export, by what is exported. They are documented in docs/export.md; published names never change. No column
 * has the website's id: a file is about one website.
 */
import { identifier, type Sql, sql } from '../store/sql.ts';

export type ExportedWhat = 'events' | 'visits' | 'totals';

/** `text` may come from a visitor or a page; `pairs` are written as JSON in formats without maps. */
type Kind = 'text' | 'number' | 'time' | 'pairs';

export type Column = { name: string; kind: Kind; expression: Sql };

const columns = (kind: Kind, names: string): Column[] =>
	names.split(' ').map((name) => ({ name, kind, expression: identifier(name) }));

const attribution = 'referrer source channel utm_source utm_medium utm_campaign utm_term utm_content';
const place = 'country region city language';
const device = 'browser browser_version os os_version device screen';

export const exportedColumns: Readonly<Record<ExportedWhat, readonly Column[]>> = {
	events: [
		...columns('time', 'date time'),
		...columns('number', 'event_id visitor_id'),
		{ name: 'kind', kind: 'text', expression: sql`toString(kind)` },
		...columns('text', `name hostname path route query title ${attribution} click_id ${place} ${device}`),
		...columns('number', 'late'),
		...columns('pairs', 'properties'),
		...columns('number', 'revenue'),
		...columns('text', 'currency'),
		...columns('number', 'page_event_id engaged_ms scroll lcp_ms inp_ms cls'),
	],
	visits: [
		...columns('time', 'date start'),
		...columns('number', 'hour seconds views events is_bounce engaged_ms engaged_views scroll scroll_views'),
		...columns('text', `entry_path exit_path ${attribution} ${place} ${device}`),
	],
	totals: [
		...columns('time', 'date'),
		...columns('text', 'dimension value'),
		...columns(
			'number',
			'is_other visitors visits bounces seconds views visit_views events engaged_ms engaged_views scroll scroll_views',
		),
		...columns('pairs', 'revenue'),
	],
};
