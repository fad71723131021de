/** docs/definitions.md: what every number means, from the very tables that count. Written by `npm run golden`. */
import { dimensionNames, dimensions, property } from '../server/stats/question/dimensions.ts';
import { metricNames, metricOf } from '../server/stats/question/metrics.ts';

export const definitionsFile = 'docs/definitions.md';

const units = {
	count: 'whole number',
	rate: '0 to 1',
	seconds: 'seconds',
	percent: 'percent',
	number: 'number',
	money: 'by currency',
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
	[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export const describeDefinitions =
	(): string => `<!-- Written by \`npm run golden\` from server/stats and scripts/definitions.ts. -->
# Definitions

Every number has one definition. The dashboard, the API, exports, mails and public pages all show the same number.
[Statistics](contract/statistics.md) describes how to query them.

- A *visitor* is the same browser on the same day, identified by a salted hash; never a person. The salt is destroyed when the day is over, so
  nobody is recognized on the next day.
- A *visit* is a sequence of page views and events of one visitor with gaps of less than 30 minutes, within one day in the website’s time zone.
- Events without an IP address and user agent, which a server may send, count as page views, events and revenue, but not as visitors or visits.

## Metrics

${table(
	['name', '', 'unit', 'definition'],
	metricNames.map((name) => {
		const { label, unit, definition, needsGoal } = metricOf(name);
		return [
			`\`${name}\``,
			label,
			units[unit],
			`${definition}${needsGoal ? ' Requires a goal, or the dimension `goal`.' : ''}`,
		];
	}),
)}

All metrics are computed from counts that are summed over days. Counts cannot be summed over values, hours or parts of days: a visitor who reads
two pages is one visitor of each page and one visitor in total, and a visitor at 10:50 and 11:10 is one visitor of both hours. A rate over a week is
the rate of all visits of the week, not an average of seven rates. A rate of nothing is null.

## Dimensions

${table(
	['name', '', 'of', 'definition'],
	[
		...dimensionNames.map((name) => [
			`\`${name}\``,
			dimensions[name].label,
			dimensions[name].scope,
			dimensions[name].definition,
		]),
		['`property:NAME`', property.label, property.scope, property.definition],
	],
)}

A visit has one value of a visit dimension. For an event dimension, it has the values of its events: it counts once for each of its values, with the
events that have the value. By goal, the rows count the visits that reached each goal, and the conversion rate is their share of all visits. Unique conversions are
their visitors.

A breakdown by two dimensions has a row for each pair of values. Of two event dimensions, an event must have both values itself; of two visit
dimensions, the visit. Apart from revenue, a row has the numbers of the second dimension’s row under a filter by the first value.

## Page groups

The page group of an event is the \`route\` that was sent with it ([hit format](hits.md)), otherwise the group from the rules of the website, otherwise
the path. Rules apply when a question is asked, so a change also applies to the past.

A rule has a pattern and a target. The first rule whose pattern fits the whole path decides; others are not applied to its result.

| | |
|---|---|
| \`/product/*\` → \`/product/:id\` | \`*\` stands for one or more characters of a segment, and never for a slash |
| \`/item-*.html\` → \`/item/:number\` | a segment can have one \`*\`; all other characters match themselves, case-sensitively |
| \`/docs/**\` → \`Documentation\` | \`**\` at the end stands for the rest of the path, also with slashes, also empty: \`/docs/\` fits, \`/docs\` does not |
| \`/*/product/*\` → \`/$1/product/:id\` | \`$1\` to \`$9\` in a target stand for what the first to ninth wildcard matched |

The rest of a target is text: \`:id\` has no meaning of its own.

## Filters

A filter selects visits, and the events of these visits that match it. It is written as JSON:

| | |
|---|---|
| \`["is", "country", ["DE", "AT"]]\` | any of the values; \`any_of\` is a synonym, and a single value needs no list |
| \`["contains", "page", ["/blog"]]\`, \`starts_with\`, \`ends_with\` | a part of the value |
| \`["wildcard", "page", ["/blog/*/comments"]]\` | the whole value; \`*\` stands for any characters, also none, as in goals |
| \`["matches", "page", ["^/[0-9]{4}/"]]\` | a [regular expression](#regular-expressions) that is found anywhere in the value |
| \`["is_not", "country", ["DE"]]\`, \`not_contains\`, \`not_starts_with\`, \`not_ends_with\`, \`not_wildcard\`, \`not_matches\` | the negation: none of the values |
| \`["is", "utm_medium", ["email"], {"case_sensitive": false}]\` | any of the above [without regard to case](#upper-and-lower-case) |
| \`["is_set", "property:plan"]\`, \`["is_not_set", "utm_source"]\` | whether there is a value that is not empty; a property is set even if its value is empty |
| \`["greater_than", "property:price", 10]\`, \`at_least\`, \`less_than\`, \`at_most\` | compares [numbers](#numbers) |
| \`["between", "revenue:EUR", [10, 20]]\` | both ends included |
| \`["and", …, …]\`, \`["or", …, …]\`, \`["not", …]\` | combine filters |

- A condition on a visit dimension checks the visit. A condition on an event dimension matches a visit if any of its events matches; within an
  \`and\`, one event must match all of them.
- A negation applies to the visit: \`["is_not", "page", "/a"]\` selects the visits without any event on \`/a\`.
- Visits, bounces, durations and conversions are those of the selected visits. Page views, events, engaged time and
  scroll depth count only the events that match the conditions on event dimensions; visitors, those with such an event.
- Revenue counts the events of the selected visits that match the conditions on \`event\`, \`goal\`, \`revenue\` and properties. Conditions on \`page\`,
  \`page_group\`, \`hostname\` and \`title\` do not restrict it: a filter by page shows what the visits with that page paid, on whichever page. A row by an event
  dimension has the revenue of its own events.
- \`hour\`, \`weekday\` and \`goal\` accept numbers (for goals, the id) and only \`is\`, \`is_not\`, \`any_of\` and, for goals, \`is_set\` and \`is_not_set\`. \`["is_set", "goal"]\` selects visits that
  reached any goal.
- A filter has at most 50 conditions of 100 values each and 8 levels. A value has at most 2,000 characters. Values of \`wildcard\` have at most 500
  characters and 5 wildcards, and a filter has at most 100 of them.

### Upper and lower case

Tests distinguish upper and lower case, unless they have \`{"case_sensitive": false}\`. Then characters are compared one by one, by Unicode’s simple case
folding: \`Ä\` is \`ä\`, \`ẞ\` is \`ß\`, and \`Σ\` is \`σ\` and \`ς\`. A character is never two others: \`ß\` is not \`ss\`. The Turkish \`İ\` and \`ı\` are only
themselves.

### Regular expressions

\`matches\` uses [RE2 syntax](https://github.com/google/re2/wiki/Syntax), which has no backreferences and no lookaround, so that it takes time in proportion to the text. An
expression is found anywhere in a value unless it has \`^\` and \`$\`. A dot also stands for a line break.

- An expression has at most 200 characters, and a filter at most 10 expressions.
- The size of an expression is limited too, with its repetitions written out: \`[0-9]{4}\` is four characters. An expression with a class such as \`\\pL\` can
  have a quarter of that size.
- Of Unicode classes, you can use general categories (\`\\pL\`, \`\\p{Lu}\`), and \`Latin\`, \`Greek\`, \`Cyrillic\`, \`Armenian\`, \`Hebrew\`, \`Arabic\`, \`Devanagari\`,
  \`Bengali\`, \`Tamil\`, \`Thai\`, \`Georgian\`, \`Hangul\`, \`Hiragana\`, \`Katakana\` and \`Han\`. They have the characters of ClickHouse’s Unicode version.
- \`\\B\` is not available.

### Numbers

Numbers can be compared in properties and in \`revenue\`, which is the amount of an event in any currency. \`revenue:EUR\` is that of events in euros; amounts are
not converted. A value that is not a number never passes, also not \`less_than\`.

A number has digits, with an optional minus and decimal point: \`10\`, \`-19.99\`, \`007\`. It has at most 21 digits before the point and 25 after it. \`1e3\`,
\`+5\`, \`.5\` and \`1,5\` are not numbers. Numbers are compared exactly, as decimals.

## Periods

All periods use days in the website’s time zone.

- \`7d\`, \`28d\`, \`30d\` and \`90d\` end today and include it. \`yesterday\` is the day before today.
- \`month\`, \`quarter\` and \`year\` are the current ones up to today. \`last_month\` is the whole previous month.
- \`last_week\` is the whole previous week. A week starts on Monday, or on Sunday with \`week_start=sunday\`.
- \`6months\` and \`12months\` are the current month and the five or eleven before. \`all\` starts with the first event.
- \`24h\` starts with the full hour 24 hours ago.

When a website changes its time zone, past days stay unchanged.

## Time series

- A visit, its bounce, its duration and its conversion belong to the point in which the visit began. Visitors, page views, events and revenue belong to every point in
  which they were active.
- A point of days, weeks (from Monday) or months covers dates; the first and last are cut to the period. A point of hours or minutes lies between two
  full hours or minutes of local time: the repeated hour in autumn is two points, the skipped one in spring is none, and the hours of a date add up to
  the date.
- The current point is unfinished.
- Minutes are available for up to 2 days, hours for up to 93 days.

## Comparison

- \`previous\` is the previous period: as many days, or the previous month or year for those periods. \`year\` is the same period a year ago. \`custom\` is a
  custom range.
- If a period includes the current time, the comparison ends at the same local time of day, to the minute.
- With \`match_weekdays\` the comparison is shifted by whole weeks, so that Mondays are compared with Mondays.
- Hours and minutes are compared by local time; days, weeks and months by their position.
- Rows of a breakdown are compared by their value: each has the numbers of both periods and the difference, and values that occur only in one of them
  are listed too.

## What changed

- The difference between a period and its comparison is divided by each dimension in which every counted visit, page view or event has exactly one
  value. Rows have the numbers of the breakdown by that dimension in both periods. The rest (*Other* in the dashboard) is the total minus the rows.
- A visitor with visits of several sources on a day is in the rows of all of them. For visitors, the rest corrects this double counting, so it can be
  negative.
- Ratios are not divided. Their numerator and denominator are divided separately.
- The movements of a dimension are the sum of the absolute differences of its rows and rest, so opposite changes do not cancel out. A sentence says
  “mostly” if one value accounts for at least half of the movements, and for a share that is at least 20 percentage points above its share of the
  comparison.
- Hours, weekdays, exit pages and versions are not among the dimensions: they say when, or follow from something else.

## Journeys

A journey leads from an anchor (*Starts at* in the dashboard) or to it (*Ends at*). The anchor is a page, a page group, an event or a goal.

- It counts the visits that the filter selects and that contain an event matching the anchor. The first matching event of a visit is used, in both
  directions. Steps include all events of the visit, whether they match the filter or not.
- After the anchor, the steps are the page views that follow it, in order. Before the anchor, they are the page views that precede it, the nearest first. With
  \`nodes=all\`, custom events are steps too; with \`grouped=1\`, a page view is the step of its page group.
- Equal steps that follow each other are one step, unless \`folded=0\`. This includes steps that equal the anchor: a reload of the anchor’s page is not a step.
- A visit without a next step has an exit there (before the anchor: an entry), and no further steps. In each step, the visits at its nodes
  (including the exit) and the visits that ended at an earlier step add up to the visits with the anchor.
- Each step lists its nodes with the most visits of the period; then those with the most visits of the comparison, then by name. All others are one node,
  \`(other)\`, and counted exactly. Paths are counted by their real nodes.

## Web vitals

If a website sends them (see [tracker](tracker.md#web-vitals)), each page view is a sample: the time until the largest element was painted (LCP,
milliseconds), the duration of the slowest response to a click or key press (INP, milliseconds), and how much the layout shifted (CLS, a score).

- The 75th percentile is the smallest value that 75 % of the samples do not exceed. It is exact, not estimated.
- A sample is good up to 2,500 ms, 200 ms or 0.1, and poor above 4,000 ms, 500 ms or 0.25, the thresholds that web.dev publishes. Values between need
  improvement.
- Web vitals and names of properties are read from the events: a sample belongs to the time of its page view, a filter checks the event (page, hostname,
  country, device, browser, os), and dates whose events were deleted are left out.

## Freshness and availability

Past days are sealed: counted once and stored. Today is counted on request. While events keep arriving, a result from a moment ago may be reused, and
\`as_of\` is its time.

Events and visits may be deleted after some months, daily totals never. Values that need visit-level data of earlier days (a filter, a goal, hours, a
property, a page group) are then null, never 0, and \`available_from\` is the date from which they are available. The same applies to imported days and everything that
their source does not count; \`imported\` names them.

If a dimension has more than 10,000 values on a day, the rest is counted together, exactly, as \`(other)\`.

## Public statistics

Public and password-protected statistics must not reveal individuals:

- There are no minutes, no filters by city or region, and no page groups.
- Without a filter, all rows are exact, but cities and regions with fewer than 3 visitors in the period are one row \`(other)\`, the total minus the visible
  rows. If that would be fewer than 3 visitors, the smallest visible row is added to it, and so on; if none is left, there are no rows. Search, sorting and
  pagination come after that.
- With a filter, a number is shown only if neither the visitors that it counts nor those that it leaves out are 1 or 2, also after subtracting the same number
  with some of the filter's values. Otherwise it is "fewer than 3", and such rows are one row \`(other)\`.
- Filters compare whole values, use visit dimensions at most twice, and have at most 3 values. Filtered statistics leave out the current hour.
- Web vitals, their pages and names of properties are shown from 3 page views or events on.
- A table has at most 1,000 rows, and a query 5 seconds.
`;
