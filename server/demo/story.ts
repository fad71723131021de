/**
 * What happens when, on the website of the demo.
 *
 * The story is told in days before the day on which the website was made, so it is the same whenever the demo is filled up
 * again; it begins anew every 90 days, so that a demo that is kept for a year has more than one chapter. Only two things
 * go on: search engines send more readers from month to month, and assistants stay once they have come.
 */
import type { Event } from '../ingest/event.ts';
import { landmarks } from './pages.ts';

const chapterDays = 90;

/** The campaign starts, peaks after a week and fades over two more. */
const campaign = { startsDaysAgo: 64, peaksDaysAgo: 57, endsDaysAgo: 40, peakVisits: 230 };
/** An article stands on the front page of a news aggregator for an afternoon; two days later it is over. */
const frontPage = { daysAgo: 26, fromHour: 15, visitsByDay: [4_600, 1_150, 320] };
/** Four hours of a morning in which nothing was measured. */
const outage = { daysAgo: 11, fromHour: 9, untilHour: 13 };
/** The first assistant sends readers. */
const assistants = { sinceDaysAgo: 30, visitsAfterAMonth: 62 };

/** Monday to Sunday. */
const weeklyRhythm = [1.14, 1.16, 1.1, 1.05, 0.96, 0.66, 0.72] as const;

/** Local hours from midnight on. */
const dailyCurve = [
	8, 5, 3, 2, 2, 4, 12, 26, 42, 55, 60, 58, 54, 56, 58, 57, 55, 54, 56, 62, 64, 54, 36, 18,
] as const;

/** Posted in the afternoon, gone by the next morning. */
const burst = (sinceHour: number): number => (sinceHour < 0 ? 0 : Math.exp(-sinceHour / 4));

type Arrival = Pick<
	Event,
	| 'referrer'
	| 'source'
	| 'channel'
	| 'utm_source'
	| 'utm_medium'
	| 'utm_campaign'
	| 'utm_term'
	| 'utm_content'
	| 'click_id'
>;

const from = (referrer: string, source: string, channel: string): Arrival => ({
	...{ referrer, source, channel },
	...{ utm_source: '', utm_medium: '', utm_campaign: '', utm_term: '', utm_content: '', click_id: '' },
});

/** A stream of readers: what they come from, how many on a usual day, and where they begin. */
export type Stream = {
	name: string;
	arrivals: readonly [arrival: Arrival, share: number][];
	/** On any page as search engines or links lead there, or on one. */
	lands: 'search' | 'link' | { path: string };
	/** Part of the readers who go on reading; 1 is usual. */
	interest: number;
	/** Visits on a day, before the rhythm of the week; day 0 is the last of the chapter, `age` counts on through all of them. */
	visits(day: { daysAgo: number; age: number; weekday: number }): number;
	/** Hours in which it runs; without one it follows the day's curve. */
	curve?: (hour: number, daysAgo: number) => number;
	/** It is a thing of one moment and knows no week. */
	ignoresWeek?: true;
};

const campaignName = 'spring-tides';

export const streams: readonly Stream[] = [
	{
		name: 'direct',
		arrivals: [[from('', '', 'Direct'), 1]],
		lands: 'link',
		interest: 1.15,
		visits: ({ age }) => 112 + 0.1 * clamp(age, -90, 270),
	},
	{
		name: 'search',
		arrivals: [
			[from('www.google.com', 'Google', 'Organic Search'), 78],
			[from('www.bing.com', 'Bing', 'Organic Search'), 9],
			[from('duckduckgo.com', 'DuckDuckGo', 'Organic Search'), 8],
			[from('www.ecosia.org', 'Ecosia', 'Organic Search'), 5],
		],
		lands: 'search',
		interest: 1,
		// Grows along an S: slowly, then fast, then to a level.
		visits: ({ age }) => 95 + 150 / (1 + Math.exp(-(age + 42) / 14)),
	},
	{
		name: 'social',
		arrivals: [
			[from('mastodon.social', 'Mastodon', 'Organic Social'), 30],
			[from('www.reddit.com', 'Reddit', 'Organic Social'), 28],
			[from('l.instagram.com', 'Instagram', 'Organic Social'), 26],
			[from('www.youtube.com', 'YouTube', 'Organic Video'), 16],
		],
		lands: 'link',
		interest: 0.8,
		visits: () => 38,
	},
	{
		name: 'links',
		arrivals: [
			[from('www.nationalpark-wattenmeer.de/service', 'nationalpark-wattenmeer.de', 'Referral'), 40],
			[from('en.wikipedia.org', 'Wikipedia', 'Referral'), 24],
			[from('strandforum.example/t/low-water', 'strandforum.example', 'Referral'), 22],
			[from('github.com', 'GitHub', 'Referral'), 14],
		],
		lands: 'link',
		interest: 1.1,
		visits: () => 34,
	},
	{
		name: 'newsletter',
		arrivals: [
			[
				{
					...from('', 'Newsletter', 'Email'),
					...{ utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'weekly' },
				},
				1,
			],
		],
		lands: { path: landmarks.newsletter },
		interest: 1.3,
		// Sent on Tuesdays; some read it on Wednesday.
		visits: ({ weekday }) => [4, 150, 48, 14, 6, 4, 6][weekday] ?? 0,
	},
	{
		name: 'campaign',
		arrivals: (['harbour', 'storm'] as const).flatMap((utm_content): [Arrival, number][] => [
			[
				{
					...from('www.google.com', 'Google', 'Paid Search'),
					...{
						utm_source: 'google',
						utm_medium: 'cpc',
						utm_campaign: campaignName,
						utm_term: 'tide app',
						utm_content,
					},
					click_id: 'gclid',
				},
				30,
			],
			[
				{
					...from('l.instagram.com', 'Instagram', 'Paid Social'),
					...{ utm_source: 'instagram', utm_medium: 'paid_social', utm_campaign: campaignName, utm_content },
				},
				20,
			],
		]),
		lands: { path: landmarks.campaign },
		interest: 1.2,
		visits: ({ daysAgo }) => campaign.peakVisits * heightOfCampaign(daysAgo),
	},
	{
		name: 'front page',
		arrivals: [[from('news.ycombinator.com', 'Hacker News', 'Organic Social'), 1]],
		lands: { path: landmarks.frontPage },
		interest: 0.55,
		visits: ({ daysAgo }) => frontPage.visitsByDay[frontPage.daysAgo - daysAgo] ?? 0,
		curve: (hour, daysAgo) =>
			daysAgo === frontPage.daysAgo ? burst(hour - frontPage.fromHour) : (dailyCurve[hour] ?? 0),
		ignoresWeek: true,
	},
	{
		name: 'assistants',
		arrivals: [
			[from('chatgpt.com', 'ChatGPT', 'AI Assistants'), 64],
			[from('www.perplexity.ai', 'Perplexity', 'AI Assistants'), 22],
			[from('claude.ai', 'Claude', 'AI Assistants'), 14],
		],
		lands: 'search',
		interest: 1.35,
		visits: ({ age }) =>
			(assistants.visitsAfterAMonth * clamp(age + assistants.sinceDaysAgo, 0, 120)) / assistants.sinceDaysAgo,
	},
];

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

function heightOfCampaign(daysAgo: number): number {
	const { startsDaysAgo, peaksDaysAgo, endsDaysAgo } = campaign;
	if (daysAgo > startsDaysAgo || daysAgo < endsDaysAgo) return 0;
	const isRising = daysAgo >= peaksDaysAgo;
	return isRising
		? (startsDaysAgo - daysAgo + 1) / (startsDaysAgo - peaksDaysAgo + 1)
		: ((daysAgo - endsDaysAgo) / (peaksDaysAgo - endsDaysAgo)) ** 1.6;
}

/** A day of the story, by its date and the date on which the website was made. */
export type StoryDay = { date: string; daysAgo: number; age: number; weekday: number };

export function storyDay(date: string, madeOn: string): StoryDay {
	const age = Math.round((Date.parse(`${date}T00:00:00Z`) - Date.parse(`${madeOn}T00:00:00Z`)) / 86_400_000);
	// JavaScript's remainder of a negative number is negative.
	const daysAgo = ((-age % chapterDays) + chapterDays) % chapterDays;
	const weekday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
	return { date, daysAgo, age, weekday };
}

/** Visits that a stream brings on a day. */
export function visitsOf(stream: Stream, day: StoryDay): number {
	const rhythm = stream.ignoresWeek ? 1 : (weeklyRhythm[day.weekday] ?? 1);
	return stream.visits(day) * rhythm;
}

/** How many of a stream's visits begin in a local hour, against its other hours. */
export const weightOf = (stream: Stream, day: StoryDay, hour: number): number =>
	stream.curve ? stream.curve(hour, day.daysAgo) : (dailyCurve[hour] ?? 0);

/** Whether nothing was measured in a local hour. */
export const isOutage = (day: StoryDay, hour: number): boolean =>
	day.daysAgo === outage.daysAgo && hour >= outage.fromHour && hour < outage.untilHour;
