/**
 * Events that a deletion hides. The table `deletions` says which, and every statement that reads `events` for statistics, seals or
 * exports leaves them out. So a deletion takes effect with the commit that adds its row, and undoing it is a commit too. The
 * events stay on disk until a job deletes them.
 *
 * Days are derived again from the other events. A seal knows the revision of the deletions that it applied. Making or undoing a
 * deletion gives its days a higher revision, for which only a newer seal is published, and `sealed_batch` -1, as for days with
 * late events.
 *
 * Totals whose events are gone cannot be derived again: those of days before `raw_from`, and imported ones. A deletion for personal
 * data removes its values from their breakdowns. The numbers of a whole day stay.
 */
import { chunk } from '../lib/chunk.ts';
import { join, param, type Sql, sql } from '../store/sql.ts';
import { anyOf, passesAny, type SimpleTest } from './text-tests.ts';

export type HiddenField =
	| 'path'
	| 'query'
	| 'title'
	| 'hostname'
	| 'referrer'
	| 'campaign'
	| 'country'
	| 'event'
	| 'property';

export type HiddenCondition = {
	field: HiddenField;
	/** Of the field `property`. */
	property: string | null;
	/** `domain`: this domain and everything below it. */
	test: SimpleTest | 'domain';
	values: readonly string[];
	/** Hosts of the website itself, which a traffic rule on referrers does not match. */
	ownHosts?: readonly string[];
};

/** Selects the events that meet all conditions, happened before an instant and are of these dates. */
export type EventSelection = {
	conditions: readonly HiddenCondition[];
	from: string | null;
	to: string | null;
	untilMs: number;
	/** Values of totals without events are selected too: of imports, and of days before this date. */
	totals?: { before: string | null };
	/** The imports that counted at that instant. Later ones are not selected, although their events happened before. */
	imports?: readonly number[];
};

/** The hidden events of a website, as of a revision. */
export type HiddenEvents = { revision: number; selections: readonly EventSelection[] };

/** For a SELECT over `websites`. Null: nothing was ever hidden. */
export const hiddenColumn = sql`(
	SELECT json_build_object('revision', max(revision), 'selections',
		coalesce(json_agg(selection ORDER BY id) FILTER (WHERE state IN ('hidden', 'deleting')), '[]'))
	FROM deletions WHERE website_id = websites.id HAVING count(*) > 0)`;

export const revisionOf = (hidden: HiddenEvents | null | undefined): number => hidden?.revision ?? 0;

/** Further conditions on rows of `events`, for a statement about this website alone. */
export const isVisible = (hidden: HiddenEvents | null | undefined): Sql =>
	join(
		(hidden?.selections ?? []).map((selection) => sql`AND NOT ${isSelected(selection)}`),
		' ',
	);

/**
 * Divides websites into those that can share a statement and those with hidden events after `sinceMs`, whose conditions are too long for
 * that.
 */
export function forStatements<W extends { hidden?: HiddenEvents | null | undefined }>(
	websites: readonly W[],
	sinceMs: number,
): { shared: W[]; own: W[] } {
	const { own = [], shared = [] } = Object.groupBy(websites, ({ hidden }) =>
		hidden?.selections.some(({ untilMs }) => untilMs > sinceMs) ? 'own' : 'shared',
	);
	return { shared, own };
}

/** The same as `isVisible` for a statement about several websites. Only what was hidden after `sinceMs`, where all rows are later. */
export const isVisibleOf = (
	websites: readonly { id: number; hidden?: HiddenEvents | null | undefined }[],
	sinceMs = 0,
): Sql =>
	join(
		websites.flatMap(({ id, hidden }) =>
			(hidden?.selections ?? [])
				.filter(({ untilMs }) => untilMs > sinceMs)
				.map((selection) => sql`AND NOT (website_id = ${param('UInt32', id)} AND ${isSelected(selection)})`),
		),
		' ',
	);

const isImported = (imports: readonly number[]): Sql =>
	sql`import_id IN ${param('Array(UInt64)', [0, ...imports])}`;

/** Whether a row of `events` is selected. Never null. */
export function isSelected({ conditions, from, to, untilMs, imports }: EventSelection): Sql {
	return sql`(${join(
		[
			sql`time < fromUnixTimestamp64Milli(${param('Int64', untilMs)}, 'UTC')`,
			...(from === null ? [] : [sql`date >= ${param('Date', from)}`]),
			...(to === null ? [] : [sql`date <= ${param('Date', to)}`]),
			...(imports ? [isImported(imports)] : []),
			...conditions.map(meets),
		],
		' AND ',
	)})`;
}

const texts: Record<Exclude<HiddenField, 'property'>, Sql> = {
	path: sql`path`,
	query: sql`query`,
	title: sql`title`,
	hostname: sql`toString(hostname)`,
	referrer: sql`lowerUTF8(referrer)`,
	campaign: sql`utm_campaign`,
	country: sql`toString(country)`,
	event: sql`toString(name)`,
};

/** Like traffic rules, never matches an empty text, except for properties. */
function meets(condition: HiddenCondition): Sql {
	const { field, property } = condition;
	if (field === 'property') {
		const name = param('String', property ?? '');
		return sql`(mapContains(properties, ${name}) AND ${passes(sql`properties[${name}]`, condition)})`;
	}
	const test = isMet(texts[field], condition);
	return field === 'event' ? sql`(kind = 'custom' AND ${test})` : test;
}

function isMet(text: Sql, condition: HiddenCondition): Sql {
	const { field, ownHosts = [] } = condition;
	const test = passes(text, condition);
	if (field !== 'referrer' || ownHosts.length === 0) return sql`(${text} != '' AND ${test})`;
	return sql`(${text} != '' AND ${test} AND NOT has(${param('Array(String)', ownHosts)}, ${hostOf(text)}))`;
}

/** Whether the path of a referrer meets all these conditions. A host without a path does not. */
export function namesPath(referrer: Sql, conditions: readonly HiddenCondition[]): Sql {
	const path = sql`substring(${referrer}, position(${referrer}, '/'))`;
	return sql`(${join(
		[sql`position(${referrer}, '/') > 0`, ...conditions.map((condition) => passes(path, condition))],
		' AND ',
	)})`;
}

/** The dimensions of totals with values of a field. */
const dimensionsOf: Record<HiddenField, readonly string[]> = {
	path: ['page', 'entry_page', 'exit_page'],
	query: [],
	title: ['title'],
	hostname: ['hostname'],
	// Sources without a name are the hosts of referrers without `www.`. Imports have no others.
	referrer: ['referrer', 'source'],
	campaign: ['utm_campaign'],
	country: ['country'],
	event: ['event'],
	property: [],
};

/** Whether breakdowns of totals can tell what is selected: each row has one value of one dimension. */
export const selectsTotals = ({ conditions }: Pick<EventSelection, 'conditions'>): boolean =>
	conditions.length === 1 && conditions.every(({ field }) => dimensionsOf[field].length > 0);

export type TotalsTable = 'totals' | 'totals_imported';

/** Whether a row of totals is a value that is selected. Never null. */
export function isSelectedTotal(
	{ conditions, from, to, totals, imports }: EventSelection,
	table: TotalsTable,
): Sql {
	const [condition] = conditions;
	const before = totals?.before ?? null;
	if (!condition || !totals || (table === 'totals' && before === null)) return sql`false`;
	return sql`(${join(
		[
			sql`is_other = 0 AND dimension IN ${param('Array(String)', dimensionsOf[condition.field])}`,
			...(table === 'totals' ? [sql`date < ${param('Date', before)}`] : []),
			...(table === 'totals_imported' && imports ? [isImported(imports)] : []),
			...(from === null ? [] : [sql`date >= ${param('Date', from)}`]),
			...(to === null ? [] : [sql`date <= ${param('Date', to)}`]),
			isMet(totalsText(condition), condition),
		],
		' AND ',
	)})`;
}

/** What a condition compares of a row of totals. The host of a source may have begun with `www.`, and its domains are the same then. */
function totalsText({ field, test }: HiddenCondition): Sql {
	if (field !== 'referrer') return sql`value`;
	const text = sql`lowerUTF8(value)`;
	if (test !== 'domain') return text;
	return sql`if(dimension = 'source' AND position(value, '.') > 0, concat('www.', ${text}), ${text})`;
}

/** Further conditions on rows of totals, for a statement about this website alone. */
export const isVisibleTotal = (hidden: HiddenEvents | null | undefined, table: TotalsTable): Sql =>
	join(
		(hidden?.selections ?? [])
			.filter(({ totals }) => totals !== undefined)
			.map((selection) => sql`AND NOT ${isSelectedTotal(selection, table)}`),
		' ',
	);

/** multiSearchAny of ClickHouse takes up to 255 values. */
const containsAtOnce = 100;

function passes(text: Sql, { test, values }: HiddenCondition): Sql {
	if (test === 'domain') {
		const labels = sql`splitByChar('.', ${hostOf(text)})`;
		// The host and the domains above it.
		const domains = sql`arrayMap(n -> arrayStringConcat(arraySlice(${labels}, n), '.'), arrayEnumerate(${labels}))`;
		return sql`hasAny(${param('Array(String)', values)}, ${domains})`;
	}
	if (test !== 'contains') return passesAny(text, test, values);
	return anyOf(chunk(values, containsAtOnce).map((some) => passesAny(text, test, some)));
}

/** What is before the first slash. */
export const hostOf = (text: Sql): Sql => sql`splitByChar('/', ${text})[1]`;
