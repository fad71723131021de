import type { Zones } from '../websites/zones.ts';
import type { Dimension } from './dimensions.ts';
import type { MetricName } from './metrics.ts';

// What can be asked, after parsing and before anything is planned. `docs/definitions.md` says the same to people.

/** An event name or page that counts as success; it holds for the past too. `revision` is new whenever its condition changes. */
export type Goal = {
	id: number;
	revision: number;
	name: string;
	/** The page or event it looks at; `*` in the pattern stands for any characters. */
	kind: 'page' | 'event';
	pattern: string;
	/** Also: the event has this property with this value. */
	property: { name: string; value: string } | null;
};

/** The website as far as a question needs to know it. */
export type AskedWebsite = {
	id: number;
	zones: Zones;
	/** Events and visits of earlier dates are gone; totals are not. */
	rawFrom: string | null;
	/** What is older was emptied and may not yet be off the disk. */
	resetAt: number | null;
	/** Imports of events that are not there yet, or no longer: nothing of theirs is shown. Nearly never any. */
	hiddenImports?: readonly number[];
	goals: readonly Goal[];
};

/**
 * A filter selects visits. Written as JSON `["is","country",["DE"]]`; `is_not` is the negation of `is`, `not_contains` of
 * `contains`, and `any_of` another word for `is`. A test is met when one of its values is.
 */
export type Filter =
	| { kind: 'test'; dimension: Dimension; test: 'is' | 'contains' | 'starts_with'; values: readonly string[] }
	| { kind: 'and' | 'or'; parts: readonly Filter[] }
	| { kind: 'not'; part: Filter };

export type PeriodName =
	| 'today'
	| '24h'
	| '7d'
	| '30d'
	| 'month'
	| 'last_month'
	| 'year'
	| '12months'
	| 'all'
	| 'custom';
export type Interval = 'minute' | 'hour' | 'day' | 'week' | 'month';
export type Comparison =
	| { kind: 'previous'; matchWeekdays: boolean }
	| { kind: 'year'; matchWeekdays: boolean }
	| { kind: 'custom'; from: string; to: string };

/** A run of local dates, both included, and where only a part of the first or last one is meant, from which and up to which instant. */
export type Span = {
	from: string;
	to: string;
	/** Included. */
	startMs: number | null;
	/** Excluded. */
	endMs: number | null;
};

/** One point of a series: a run of whole dates, or between two instants of one date. */
export type Bucket = {
	/** `2026-11-01` (the first date of a day, week or month) or `2026-11-01T13:00:00+01:00`. */
	time: string;
	from: string;
	to: string;
	/** Only for hours and minutes. */
	startMs: number | null;
	endMs: number | null;
	/** The bucket that now lies in: more is to come. */
	isUnfinished: boolean;
};

/** A page of a breakdown. */
export type Breakdown = {
	dimension: Dimension;
	sort: { by: MetricName; descending: boolean };
	/** Only values that contain this text, in either case. */
	search: string | null;
	offset: number;
	limit: number;
};

/** One question, with as many parts as a statistics page has: all of them are answered from one state of the data. */
export type Question = {
	website: AskedWebsite;
	span: Span;
	compared: Span | null;
	/** Null when no series is wanted. */
	buckets: readonly Bucket[] | null;
	/** At most as many as `buckets`, where a comparison is wanted too: the n-th stands beside the n-th. */
	comparedBuckets: readonly Bucket[] | null;
	metrics: readonly MetricName[];
	filter: Filter | null;
	/** The goal that `conversions` and `conversion_rate` are about. */
	goal: Goal | null;
	breakdowns: readonly Breakdown[];
};
