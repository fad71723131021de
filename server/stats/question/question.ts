import type { GoalProperty } from '../../derive/goal-property.ts';
import type { HiddenEvents } from '../../derive/hidden-events.ts';
import type { Zones } from '../../websites/zones.ts';
import type { PathRule } from '../page-groups/rules.ts';
import type { Dimension, FilterDimension } from './dimensions.ts';
import type { MetricName } from './metrics.ts';

// A question after parsing and before planning. `docs/definitions.md` describes the same for users.

/** An event or page that counts as a conversion, also in the past. `revision` changes with its condition. */
export type Goal = {
	id: number;
	revision: number;
	name: string;
	/** A path or event name; `*` in the pattern stands for any characters. */
	kind: 'page' | 'event';
	pattern: string;
	/** The event must also have this property, and its value must pass. */
	property: GoalProperty | null;
};

/** What a question needs of the website. */
export type StatsWebsite = {
	id: number;
	zones: Zones;
	/** Events and visits of earlier dates were deleted; totals remain. */
	rawFrom: string | null;
	/** Older events were reset and may still be on disk. */
	resetAt: number | null;
	/** Imports of events that are unfinished or being undone: their events are hidden. */
	hiddenImports?: readonly number[];
	/** Events that deletions hide. */
	hidden?: HiddenEvents | null;
	goals: readonly Goal[];
	/** The rules of the dimension `page_group`. */
	pathRules: readonly PathRule[];
};

/** Tests of a text. Each passes when any of its values does. */
export const textTests = ['is', 'contains', 'starts_with', 'ends_with', 'wildcard', 'matches'] as const;
/** Tests of a number, which has one value, or two in `between`. Texts that are not numbers never pass. */
export const numberTests = ['greater_than', 'at_least', 'less_than', 'at_most', 'between'] as const;
export type TextTest = (typeof textTests)[number];
export type NumberTest = (typeof numberTests)[number];
export const isNumberTest = (test: string): test is NumberTest =>
	(numberTests as readonly string[]).includes(test);

/** A filter selects visits. In JSON: `["is","country",["DE"]]`; `is_not` and the like are a test within a `not`. */
export type Filter =
	| {
			kind: 'test';
			dimension: FilterDimension;
			test: TextTest | NumberTest | 'is_set';
			values: readonly string[];
			/** Only tests of a text. */
			ignoresCase?: true;
	  }
	| { kind: 'and' | 'or'; parts: readonly Filter[] }
	| { kind: 'not'; part: Filter };

export type FixedFilter = {
	/** Of the link. */
	filter: Filter | null;
	/** As it was sent. */
	own: Filter | null;
	/** Of the other links of the website. */
	others: readonly Filter[];
};

export type PeriodName =
	| 'today'
	| 'yesterday'
	| '24h'
	| '7d'
	| '28d'
	| '30d'
	| '90d'
	| 'last_week'
	| 'month'
	| 'last_month'
	| 'quarter'
	| 'year'
	| '6months'
	| '12months'
	| 'all'
	| 'custom';
export type Interval = 'minute' | 'hour' | 'day' | 'week' | 'month';
export type Comparison =
	| { kind: 'previous'; matchWeekdays: boolean }
	| { kind: 'year'; matchWeekdays: boolean }
	| { kind: 'custom'; from: string; to: string };

/** A range of local dates, both inclusive; the instants cut the first or last date. */
export type Span = {
	from: string;
	to: string;
	/** Inclusive. */
	startMs: number | null;
	/** Exclusive. */
	endMs: number | null;
};

/** One point of a series: a range of whole dates, or of time within one date. */
export type Bucket = {
	/** `2026-11-01` (the first date of a day, week or month) or `2026-11-01T13:00:00+01:00`. */
	time: string;
	from: string;
	to: string;
	/** Only for hours and minutes. */
	startMs: number | null;
	endMs: number | null;
	/** The current time is in this bucket. */
	isUnfinished: boolean;
};

/** A page of a breakdown. */
export type Breakdown = {
	/** One, or two at once: a row then has a value of each. */
	dimension: Dimension & { by?: Dimension };
	/** `isByChange`: by the value minus the compared value. */
	sort: { by: MetricName; isByChange?: boolean; descending: boolean };
	/** Each row also has the values of the compared span, and values that occur only there have rows. */
	isCompared?: boolean;
	/** Only values that contain this text, case-insensitively. */
	search: string | null;
	offset: number;
	limit: number;
};

/** One question with all parts of a statistics page, which are answered from the same state of the data. */
export type Question = {
	website: StatsWebsite;
	span: Span;
	compared: Span | null;
	/** Null without a series. */
	buckets: readonly Bucket[] | null;
	/** At most as many as `buckets`: the n-th is compared with the n-th. */
	comparedBuckets: readonly Bucket[] | null;
	metrics: readonly MetricName[];
	filter: Filter | null;
	/** With a share link: the parts of `filter`. */
	fixed?: FixedFilter;
	/** The goal of `conversions`, `unique_conversions` and `conversion_rate`. */
	goal: Goal | null;
	/** Counts only visits that reached the goal. Unlike a filter, it says nothing about which of their events count. */
	onlyConverted?: boolean;
	breakdowns: readonly Breakdown[];
};
