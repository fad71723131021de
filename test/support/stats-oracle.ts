/**
 * The answer to a question as a person would count it, one event after another: the measure for every way in which the
 * product answers. It was written from the sentences that define the statistics and shares no statement and no plan
 * with the product, only the names of metrics and dimensions.
 *
 * The order: events become runs, the filter selects runs and events of them, and one function counts what is left, for
 * the totals, a point of a series and a row of a breakdown alike.
 */
import { RE2JS } from 're2js';
import type { Event } from '../../server/ingest/event.ts';
import { type Dimension, dimensions, type FilterDimension } from '../../server/stats/question/dimensions.ts';
import { type Counts, type MetricName, metricOf, noCounts } from '../../server/stats/question/metrics.ts';
import type {
	Breakdown,
	Filter,
	Goal,
	Question,
	StatsWebsite,
} from '../../server/stats/question/question.ts';
import type { Zones } from '../../server/websites/zones.ts';

/** `compared`: null in a breakdown that is not compared. */
export type OracleRow = { value: string; counts: Counts; compared: Counts | null };
export type OracleAnswer = {
	totals: Counts;
	compared: Counts | null;
	series: Counts[] | null;
	comparedSeries: Counts[] | null;
	/** `total` is the number of rows before paging. */
	breakdowns: { total: number; rows: OracleRow[] }[];
};

/** A page view or custom event, with what was reported about it. */
type Moment = { event: Event; ms: number; engagedMs: number; scroll: number };

/** A visit; or one event of nobody, which is counted and is no visit. */
type Run = { isVisit: boolean; moments: readonly Moment[]; first: Moment; last: Moment };

/** A run that the filter selects, those of its events that are counted, and those whose money is. */
type Selected = { run: Run; counted: readonly Moment[]; paid: readonly Moment[] };

/** Span and Bucket both say from when to when. */
type Within = { from: string; to: string; startMs: number | null; endMs: number | null };

export function countOf(events: readonly Event[], question: Question): OracleAnswer {
	const { website, span, compared, buckets, comparedBuckets, filter, goal } = question;
	const selected = select(findRuns(events, website), filter, website);
	const converts = convertsTo(goal);
	return {
		totals: count(selected, [span], converts),
		compared: compared && count(selected, [compared], converts),
		series: buckets?.map((bucket) => count(selected, [span, bucket], converts)) ?? null,
		comparedSeries:
			comparedBuckets?.map((bucket) => count(selected, compared ? [compared, bucket] : [bucket], converts)) ??
			null,
		breakdowns: question.breakdowns.map((breakdown) => breakDown(selected, breakdown, question)),
	};
}

/** The visits that the filter selects and that begin within the span: each as its events, in the order of time. */
export function selectVisits(events: readonly Event[], { website, span, filter }: Question): Event[][] {
	return select(findRuns(events, website), filter, website)
		.map(({ run }) => run)
		.filter(({ isVisit, first }) => isVisit && isWithin([span], first))
		.map(({ moments }) => moments.map(({ event }) => event));
}

const gapMs = 30 * 60_000;

function findRuns(events: readonly Event[], { id, resetAt }: StatsWebsite): Run[] {
	const ours = events.filter(
		(event) => event.website_id === id && (resetAt === null || at(event) >= resetAt),
	);
	const active = ours.filter(({ kind }) => kind === 'pageview' || kind === 'custom');
	const quiet = ours.filter(({ kind }) => kind === 'engagement' || kind === 'vital');

	const runs: Moment[][] = [];
	for (const day of Map.groupBy(active, ({ date, visitor_id }) => `${date} ${visitor_id}`).values()) {
		let run: Moment[] = [];
		for (const event of day.toSorted(byTime)) {
			const moment = describe(event, quiet);
			const before = run.at(-1);
			if (before && !isNobody(event) && moment.ms - before.ms < gapMs) run.push(moment);
			else {
				run = [moment];
				runs.push(run);
			}
		}
	}
	return runs.map((moments) => {
		const [first] = moments;
		const last = moments.at(-1);
		if (!first || !last) throw new Error('A run without events.');
		return { isVisit: !isNobody(first.event), moments, first, last };
	});
}

const at = (event: Event): number => Date.parse(`${event.time.replace(' ', 'T')}Z`);
const isNobody = (event: Event): boolean => event.visitor_id === '0';
const byTime = (a: Event, b: Event): number =>
	at(a) - at(b) || (BigInt(a.event_id) < BigInt(b.event_id) ? -1 : 1);

function describe(event: Event, quiet: readonly Event[]): Moment {
	const about = quiet.filter(
		(one) =>
			event.kind === 'pageview' &&
			!isNobody(event) &&
			one.page_event_id !== '0' &&
			one.page_event_id === event.event_id &&
			one.date === event.date &&
			one.visitor_id === event.visitor_id,
	);
	return {
		event,
		ms: at(event),
		engagedMs: about.reduce((sum, { engaged_ms }) => sum + engaged_ms, 0),
		scroll: about.reduce((deepest, { scroll }) => Math.max(deepest, scroll), 0),
	};
}

const isView = ({ event }: Moment): boolean => event.kind === 'pageview';

function isBounce({ moments }: Run): boolean {
	const [only, ...others] = moments;
	return only !== undefined && others.length === 0 && isView(only) && only.engagedMs < 10_000;
}

export const isOfVisit = ({ name }: FilterDimension): boolean =>
	name !== 'property' && name !== 'revenue' && dimensions[name].scope === 'visit';

/** The one value that a run has of a visit's dimension. */
function visitValue(run: Run, { name }: FilterDimension, { zones }: StatsWebsite): string {
	const views = run.moments.filter(isView);
	const entry = (views[0] ?? run.first).event;
	const exit = (views.at(-1) ?? run.last).event;
	switch (name) {
		case 'entry_page':
			return entry.path;
		case 'exit_page':
			return exit.path;
		case 'hour':
			return hourOf(zones, run.first.ms);
		case 'weekday':
			return String(new Date(`${run.first.event.date}T00:00:00Z`).getUTCDay() || 7);
		case 'page':
		case 'page_group':
		case 'hostname':
		case 'title':
		case 'event':
		case 'goal':
		case 'property':
		case 'revenue':
			throw new Error(`A visit has many values of ${name}.`);
		default:
			return entry[name];
	}
}

/** All values that an event has of an event's dimension: none, one, or as many as the goals it meets. */
function eventValues(
	{ event }: Moment,
	dimension: FilterDimension,
	{ goals, pathRules }: StatsWebsite,
): string[] {
	switch (dimension.name) {
		case 'page':
			return [event.path];
		case 'page_group':
			return [event.route || groupOf(event.path, pathRules)];
		case 'hostname':
			return [event.hostname];
		case 'title':
			return event.kind === 'pageview' ? [event.title] : [];
		case 'event':
			return event.kind === 'custom' ? [event.name] : [];
		case 'property':
			return propertyOf(event, dimension.property);
		case 'revenue': {
			const isAsked = event.currency !== '' && ['', event.currency].includes(dimension.currency);
			return isAsked ? [event.revenue] : [];
		}
		case 'goal':
			return goals.filter((goal) => meets(event, goal)).map(({ id }) => String(id));
		default:
			throw new Error(`An event has no ${dimension.name}, only its visit has.`);
	}
}

/** The target of the first rule that fits, and the path where none does. */
export function groupOf(path: string, rules: StatsWebsite['pathRules']): string {
	for (const { pattern, target } of rules) {
		const kept = matchSegments(pattern.split('/'), path.split('/'));
		if (kept) return target.replaceAll(/\$([1-9])/g, (_, nth) => kept[Number(nth) - 1] ?? '');
	}
	return path;
}

/** What the wildcards stand for, if the path fits. */
function matchSegments(pattern: readonly string[], path: readonly string[]): string[] | undefined {
	const isOpen = pattern.at(-1) === '**';
	if (isOpen ? path.length < pattern.length : path.length !== pattern.length) return undefined;
	const kept: string[] = [];
	for (const [index, wanted] of pattern.entries()) {
		const segment = path[index] ?? '';
		const [before = '', after] = wanted.split('*');
		if (isOpen && index === pattern.length - 1) kept.push(path.slice(index).join('/'));
		else if (after === undefined ? segment !== wanted : !fills(segment, before, after)) return undefined;
		else if (after !== undefined) kept.push(segment.slice(before.length, segment.length - after.length));
	}
	return kept;
}

const fills = (segment: string, before: string, after: string): boolean =>
	segment.length > before.length + after.length && segment.startsWith(before) && segment.endsWith(after);

function propertyOf({ properties }: Pick<Event, 'properties'>, name: string): string[] {
	const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
	return value === undefined ? [] : [value];
}

export function meets(
	event: Pick<Event, 'kind' | 'name' | 'path' | 'properties'>,
	{ kind, pattern, property }: Goal,
): boolean {
	const isMet =
		kind === 'page'
			? event.kind === 'pageview' && matchesPattern(pattern, event.path)
			: event.kind === 'custom' && matchesPattern(pattern, event.name);
	if (!isMet || property === null) return isMet;
	const { name, value, test = 'is' } = property;
	const compared: Test = {
		kind: 'test',
		dimension: { name: 'property', property: name },
		test,
		values: [value],
	};
	return passes(compared, propertyOf(event, name));
}

/**
 * `*` stands for any characters, also none. Each part is searched for from the end of the one before it and never again, so the
 * cost is bounded by the length of the text times that of the pattern.
 */
export function matchesPattern(pattern: string, text: string): boolean {
	const [first = '', ...rest] = pattern.split('*');
	const last = rest.pop();
	if (last === undefined) return text === first;
	if (!text.startsWith(first)) return false;
	let end = first.length;
	for (const part of rest) {
		const found = text.indexOf(part, end);
		if (found < 0) return false;
		end = found + part.length;
	}
	return text.length - last.length >= end && text.endsWith(last);
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function hourOf(zones: Zones, ms: number): string {
	const zone = zones.findLast(({ since }) => since <= ms)?.zone;
	if (zone === undefined) throw new Error('A website without a zone.');
	const clock =
		clocks.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' });
	clocks.set(zone, clock);
	return String(Number(clock.format(ms)));
}

function select(runs: readonly Run[], filter: Filter | null, website: StatsWebsite): Selected[] {
	if (filter === null) return runs.map((run) => ({ run, counted: run.moments, paid: run.moments }));
	return runs
		.filter((run) => selects(filter, run, website))
		.map((run) => ({
			run,
			counted: run.moments.filter((moment) => matches(filter, run, moment, website)),
			paid: run.moments.filter((moment) => allowsMoney(filter, run, moment, website) !== false),
		}));
}

/** Whether the money of an event counts; undefined if the filter says nothing about it, as about pages. */
function allowsMoney(filter: Filter, run: Run, moment: Moment, website: StatsWebsite): boolean | undefined {
	const parts = () =>
		filter.kind === 'and' || filter.kind === 'or'
			? filter.parts.map((part) => allowsMoney(part, run, moment, website))
			: [];
	switch (filter.kind) {
		case 'test':
			return isAboutPages(filter) ? undefined : matches(filter, run, moment, website);
		case 'not':
			return isAboutPages(filter) ? undefined : !matches(filter.part, run, moment, website);
		case 'and':
			return parts().every((part) => part === undefined)
				? undefined
				: parts().every((part) => part !== false);
		case 'or':
			return parts().includes(undefined) ? undefined : parts().includes(true);
	}
}

function isAboutPages(filter: Filter): boolean {
	if (filter.kind === 'test')
		return ['page', 'page_group', 'hostname', 'title'].includes(filter.dimension.name);
	return filter.kind === 'not' ? isAboutPages(filter.part) : filter.parts.some(isAboutPages);
}

function selects(filter: Filter, run: Run, website: StatsWebsite): boolean {
	const someMeets = (those: readonly Filter[]) =>
		run.moments.some((moment) => those.every((one) => matches(one, run, moment, website)));
	if (isEventCondition(filter)) return someMeets([filter]);
	switch (filter.kind) {
		case 'test':
			return passes(filter, [visitValue(run, filter.dimension, website)]);
		case 'and': {
			const parts = flatten(filter);
			const others = parts.filter((part) => !isEventCondition(part));
			return someMeets(parts.filter(isEventCondition)) && others.every((part) => selects(part, run, website));
		}
		case 'or':
			return filter.parts.some((part) => selects(part, run, website));
		case 'not':
			return !selects(filter.part, run, website);
	}
}

function matches(filter: Filter, run: Run, moment: Moment, website: StatsWebsite): boolean {
	switch (filter.kind) {
		case 'test':
			return passes(
				filter,
				isOfVisit(filter.dimension)
					? [visitValue(run, filter.dimension, website)]
					: eventValues(moment, filter.dimension, website),
			);
		case 'and':
			return filter.parts.every((part) => matches(part, run, moment, website));
		case 'or':
			return filter.parts.some((part) => matches(part, run, moment, website));
		case 'not':
			return !matches(filter.part, run, moment, website);
	}
}

type Test = Extract<Filter, { kind: 'test' }>;

function passes(test: Test, found: readonly string[]): boolean {
	return found.some((text) => passesText(test, text));
}

export function passesText({ test, values, ignoresCase, dimension }: Test, text: string): boolean {
	const [first = '', second = ''] = values;
	/** JavaScript's own way to ignore case takes the place of the product's table of characters. */
	const find = (before: string, after: string) =>
		values.some((value) => {
			const key = `${test} ${value}`;
			const parts = (test === 'wildcard' ? value.split('*') : [value]).map((part) => RegExp.escape(part));
			const known = searches.get(key) ?? new RegExp(`${before}${parts.join('[^]*')}${after}`, 'iu');
			searches.set(key, known);
			return known.test(text);
		});
	switch (test) {
		case 'is':
			return ignoresCase ? find('^', '$') : values.includes(text);
		case 'contains':
			return ignoresCase ? find('', '') : values.some((value) => text.includes(value));
		case 'starts_with':
			return ignoresCase ? find('^', '') : values.some((value) => text.startsWith(value));
		case 'ends_with':
			return ignoresCase ? find('', '$') : values.some((value) => text.endsWith(value));
		case 'wildcard':
			return ignoresCase ? find('^', '$') : values.some((value) => matchesPattern(value, text));
		case 'matches':
			return values.some((value) => compile(value, ignoresCase === true).test(text));
		case 'is_set':
			return text !== '' || dimension.name === 'property';
		case 'greater_than':
			return isAmount(text, (amount) => amount > toAmount(first));
		case 'at_least':
			return isAmount(text, (amount) => amount >= toAmount(first));
		case 'less_than':
			return isAmount(text, (amount) => amount < toAmount(first));
		case 'at_most':
			return isAmount(text, (amount) => amount <= toAmount(first));
		case 'between':
			return isAmount(text, (amount) => toAmount(first) <= amount && amount <= toAmount(second));
	}
}

const searches = new Map<string, RegExp>();
const expressions = new Map<string, RE2JS>();

/** As ClickHouse reads an expression: a dot is any character, also a line's end. */
function compile(expression: string, ignoresCase: boolean): RE2JS {
	const key = `${ignoresCase} ${expression}`;
	const flags = RE2JS.DOTALL | (ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
	const compiled = expressions.get(key) ?? RE2JS.compile(expression, flags);
	expressions.set(key, compiled);
	return compiled;
}

const isAmount = (text: string, isGood: (amount: bigint) => boolean): boolean =>
	/^-?\d{1,21}(\.\d{1,25})?$/.test(text) && isGood(toAmount(text));

/** In whole parts of 10^-25. */
function toAmount(text: string): bigint {
	const [whole = '', places = ''] = text.split('.');
	return BigInt(whole + places.padEnd(25, '0'));
}

/** Nothing but tests of events, and no negation: one event can meet it. */
function isEventCondition(filter: Filter): boolean {
	switch (filter.kind) {
		case 'test':
			return !isOfVisit(filter.dimension);
		case 'and':
		case 'or':
			return filter.parts.every(isEventCondition);
		case 'not':
			return false;
	}
}

const flatten = (filter: Filter): Filter[] =>
	filter.kind === 'and' ? filter.parts.flatMap(flatten) : [filter];

const isWithin = (within: readonly Within[], { event, ms }: Moment): boolean =>
	within.every(
		({ from, to, startMs, endMs }) =>
			from <= event.date &&
			event.date <= to &&
			(startMs === null || startMs <= ms) &&
			(endMs === null || ms < endMs),
	);

const convertsTo =
	(goal: Goal | null) =>
	({ moments }: Run): boolean =>
		goal !== null && moments.some(({ event }) => meets(event, goal));

function count(
	selected: readonly Selected[],
	within: readonly Within[],
	converts: (run: Run) => boolean,
): Counts {
	const counts = { ...noCounts };
	const visitors = new Set<string>();
	const converted = new Set<string>();
	const money: Event[] = [];
	for (const { run, counted, paid } of selected) {
		money.push(...paid.filter((one) => isWithin(within, one)).map(({ event }) => event));
		if (run.isVisit && isWithin(within, run.first)) {
			counts.visits++;
			if (isBounce(run)) counts.bounces++;
			counts.seconds += Math.floor((run.last.ms - run.first.ms) / 1000);
			if (converts(run)) {
				counts.conversions++;
				converted.add(idOf(run.first));
			}
		}
		for (const moment of counted.filter((one) => isWithin(within, one))) {
			if (run.isVisit) visitors.add(idOf(moment));
			if (!isView(moment)) {
				counts.events++;
				continue;
			}
			counts.views++;
			if (run.isVisit) counts.visit_views++;
			counts.engaged_ms += moment.engagedMs;
			if (moment.engagedMs > 0) counts.engaged_views++;
			counts.scroll += moment.scroll;
			if (moment.scroll > 0) counts.scroll_views++;
		}
	}
	return {
		...counts,
		visitors: visitors.size,
		converted_visitors: converted.size,
		revenue: addUp(money),
	};
}

const idOf = ({ event }: Moment): string => `${event.date} ${event.visitor_id}`;

/** By currency, in whole 1/10,000: a sum of floats would drift. A currency that events carried is there even if they come to 0. */
function addUp(events: readonly Event[]): Record<string, number> {
	const sums = new Map<string, bigint>();
	for (const { revenue, currency } of events) {
		if (currency === '') continue;
		const [, sign, whole, places = ''] = /^(-?)(\d+)(?:\.(\d{1,4}))?$/.exec(revenue) ?? [];
		if (whole === undefined) throw new Error(`No amount of money: ${revenue}.`);
		sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(`${sign}${whole}${places.padEnd(4, '0')}`));
	}
	return Object.fromEntries([...sums].map(([currency, sum]) => [currency, Number(`${sum}e-4`)]));
}

function breakDown(
	selected: readonly Selected[],
	{ dimension, sort, isCompared = false, search, offset, limit }: Breakdown,
	{ span, compared, goal, website }: Question,
): { total: number; rows: OracleRow[] } {
	const rows = [...divideBy(selected, dimension, website)]
		.map(([value, those]): OracleRow => {
			// All visits of a goal's row reached it.
			const converts = dimension.name === 'goal' ? () => true : convertsTo(goal);
			return {
				value,
				counts: count(those, [span], converts),
				compared: isCompared && compared ? count(those, [compared], converts) : null,
			};
		})
		.filter((row) => isSomething(row.counts) || (row.compared && isSomething(row.compared)))
		.filter(({ value }) => isFound(search, dimension, value, website))
		.toSorted((a, b) => {
			// All goals have their rate of the same visits.
			const by = dimension.name === 'goal' && sort.by === 'conversion_rate' ? 'conversions' : sort.by;
			const difference = sort.isByChange
				? changeOf(a, by) - changeOf(b, by)
				: compare(rankOf(a.counts, by), rankOf(b.counts, by));
			const isGone = ({ counts }: OracleRow) => Number(!sort.isByChange && !isSomething(counts));
			return (
				isGone(a) - isGone(b) ||
				(sort.descending ? -difference : difference) ||
				Buffer.compare(Buffer.from(a.value), Buffer.from(b.value))
			);
		});
	return { total: rows.length, rows: rows.slice(offset, offset + limit) };
}

const isSomething = ({ views, events, visits, visitors }: Counts): boolean =>
	views + events + visits + visitors > 0;

/** How much more it is than in the compared span. */
const changeOf = ({ counts, compared }: OracleRow, by: MetricName): number =>
	(rankOf(counts, by) ?? 0) - (rankOf(compared ?? noCounts, by) ?? 0);

/** By two dimensions: what belongs to a value of the first is divided by the second. */
function divideBy(
	selected: readonly Selected[],
	{ by, ...first }: Breakdown['dimension'],
	website: StatsWebsite,
): Map<string, Selected[]> {
	const divided = divide(selected, first, website);
	if (!by) return divided;
	return new Map(
		[...divided].flatMap(([value, those]) =>
			[...divide(those, by, website)].map(([second, inner]) => [`${value}\0${second}`, inner] as const),
		),
	);
}

/** Which runs and which of their events belong to each value. */
function divide(
	selected: readonly Selected[],
	dimension: Dimension,
	website: StatsWebsite,
): Map<string, Selected[]> {
	if (isOfVisit(dimension)) return Map.groupBy(selected, ({ run }) => visitValue(run, dimension, website));
	const byValue = new Map<string, Selected[]>();
	for (const { run, counted } of selected) {
		const values = new Set(counted.flatMap((moment) => eventValues(moment, dimension, website)));
		for (const value of values) {
			const its = counted.filter((moment) => eventValues(moment, dimension, website).includes(value));
			byValue.set(value, [...(byValue.get(value) ?? []), { run, counted: its, paid: its }]);
		}
	}
	return byValue;
}

function isFound(
	search: string | null,
	dimension: Dimension,
	value: string,
	{ goals }: StatsWebsite,
): boolean {
	if (search === null) return true;
	const text = dimension.name === 'goal' ? goals.find(({ id }) => String(id) === value)?.name : value;
	return new RegExp(RegExp.escape(search), 'iu').test(text ?? '');
}

/** What a row is sorted by: null, below all numbers, when the metric has no value there; no money is as much as 0. */
function rankOf(counts: Counts, by: MetricName): number | null {
	const value = metricOf(by).value(counts);
	if (value === null || typeof value === 'number') return value;
	const amounts = Object.values(value);
	return amounts.length === 0 ? 0 : Math.max(...amounts);
}

function compare(a: number | null, b: number | null): number {
	if (a === b) return 0;
	if (a === null || b === null) return a === null ? -1 : 1;
	return a - b;
}
