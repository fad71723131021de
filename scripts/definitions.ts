/** docs/definitions.md: what every number means, from the very tables that count. Written by `npm run golden`. */
import { dimensionNames, dimensions, property } from '../server/stats/dimensions.ts';
import { metricNames, metricOf } from '../server/stats/metrics.ts';

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
# What the numbers mean

Every number has one definition. A panel, an answer of the API, an export, a mail and a public view show the same one.
How to ask is in [contract/statistics.md](contract/statistics.md).

A *visitor* is the same browser on the same day, as far as a salted hash can tell; never a person. The salt is destroyed when the
day is over, so nobody is recognised on the next one. A *visit* is a run of one visitor’s page views and events with gaps under 30
minutes, within one day of the website’s calendar. Events without an address and user agent (a server may send such) are
counted as page views, events and revenue, and make no visitor and no visit.

## Metrics

${table(
	['name', '', 'unit', 'definition'],
	metricNames.map((name) => {
		const { label, unit, definition, needsGoal } = metricOf(name);
		return [
			`\`${name}\``,
			label,
			units[unit],
			`${definition}${needsGoal ? ' Asked with a goal, or by goal.' : ''}`,
		];
	}),
)}

All of them are made of counts that are summed over days. Counts are not additive over values, hours or parts of days: a
visitor who reads two pages is one visitor of each and one in all, and one who is there at 10:50 and 11:10 is one visitor of both
hours. A rate over a week is the rate of the week’s visits, never an average of seven rates. A rate of nothing is null.

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

A visit has one value of a visit’s dimension. Of an event’s dimension it has the values of its events: it counts once for each
value that it has, and of its events those with the value count. By goal, the rows count the visits that reached each goal, and
the conversion rate is their share of all visits.

## Filters

A filter selects visits, and of a selected visit the events that meet it. It is written as JSON:

| | |
|---|---|
| \`["is", "country", ["DE", "AT"]]\` | one of the values; \`any_of\` is another word for it, one value needs no list |
| \`["is_not", "country", ["DE"]]\` | the negation of \`is\` |
| \`["contains", "page", ["/blog"]]\`, \`["not_contains", …]\`, \`["starts_with", …]\` | in the letters as they are; nothing in a value has a meaning of its own |
| \`["and", …, …]\`, \`["or", …, …]\`, \`["not", …]\` | of filters |

- A test of a visit’s dimension looks at the visit. A test of an event’s dimension is met by a visit any one of whose events
  meets it; within an \`and\` one event must meet all of them together.
- A negation is of the visit: \`["is_not", "page", "/a"]\` are the visits none of whose events was on \`/a\`.
- Visits, bounces, durations and conversions are those of the selected visits. Page views, events, revenue, engaged time and
  scroll depth count only the events that meet the tests of events; visitors, those with such an event.
- \`hour\`, \`weekday\` and \`goal\` take numbers (a goal its id) and \`is\`, \`is_not\` and \`any_of\` only.
- A filter has at most 50 tests of 100 values each and is nested at most 8 deep; a value has at most 2,000 characters.

## Periods

Everything is counted in days of the website’s calendar. \`7d\` and \`30d\` end today and include it; \`month\` and \`year\` are this one
up to today, \`last_month\` the whole one before, \`12months\` this month and the eleven before, \`all\` since the first event; \`24h\` begins
with the full hour 24 hours ago. When a website changes its time zone, days that were counted stay as they were cut.

## Points of a series

- A visit, its bounce and its duration belong to the point in which it began. Visitors, page views, events and revenue belong to
  every point in which they were active.
- A point of days, weeks (from Monday) or months is a run of dates, the first and last cut to the period. One of hours or minutes
  lies between two full hours or minutes of the clock on the wall: the doubled hour in autumn is two points, the one that is
  missing in spring is none, and the hours of a date add up to the date however long it is.
- A point in which now lies is unfinished: more is to come.
- Minutes can be asked for up to 2 days, hours up to 93.

## Comparison

- \`previous\` is the time before: as many days, or the month or year before for those periods. \`year\` is the same a year ago.
  \`custom\` is dates of one’s own.
- When a period includes now, what it is compared with ends at the same local time of day.
- With \`match_weekdays\` it is moved by whole weeks, so that a Monday stands beside a Monday.
- Hours and minutes stand beside those for which the clock shows the same time; days, weeks and months by their number.

## Web vitals

Where a website sends them (see [tracker.md](tracker.md)), each page view is a sample of what its browser measured: how long it
took until the largest part of the page was painted (LCP, milliseconds), how long the slowest answer to a press or key took (INP,
milliseconds), how much the page moved about (CLS, a score).

- The 75th percentile is the least value that three of four samples do not exceed; nothing of it is estimated.
- A sample is good up to 2,500 ms, 200 ms or 0.1, and poor above 4,000 ms, 500 ms or 0.25: the thresholds that are published at
  web.dev. What lies between needs improvement.
- They are read from the events themselves: a sample belongs to the moment of its page view, a filter tests the event (page,
  hostname, country, device, browser, os), and dates whose events were deleted are left out. So it is with the names of properties.

## How fresh an answer is

Days that are over are sealed: counted once and stored. Today is counted when somebody asks; while events keep coming, what
was found a moment ago may serve again, and \`as_of\` says of when it is. Events and visits may be deleted after some months, the
sums of their days never: what needs single visits of a day before that (a filter, a goal, hours, a property) is then
null, never 0, and \`available_from\` says since when it can be had. So it is with days that were counted elsewhere and imported, and with all that their
source does not count; \`imported\` names them.

Of a day with more than 10,000 values of a dimension the rest is counted together, exactly, as \`(other)\`.

## What the public is shown

Statistics that are open to everybody, or to whoever knows a password, must not be about one person:

- there are no minutes, and no filter by city;
- cities with fewer than 3 visitors in the time asked about are one row \`(other)\`, which is what the whole has more than the cities
  that are shown. Where that would be fewer than 3 visitors, the smallest city that is shown joins it, and so on; when none is
  left, there are no rows. Search, order and pages come after that;
- of web vitals, their pages and the names of properties it sees what stands for at least 3 page views or events;
- a table has at most 1,000 rows, and a question 5 seconds.
`;
