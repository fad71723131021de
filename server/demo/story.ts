/**
 * The traffic of the demo over time.
 *
 * Days are counted back from the day on which the website was created, so the story is the same whenever the demo is filled
 * again. It repeats every 90 days. Two trends continue beyond that: search traffic grows every month, and traffic from AI
 * assistants stays once it has started.
 */
import type { Event } from '../ingest/event.ts';
import { addDays } from '../lib/local-dates.ts';
import { landmarks } from './pages.ts';

const chapterDays = 90;

/** The campaign peaks after a week and fades over two more weeks. */
const campaign = { startsDaysAgo: 64, peaksDaysAgo: 57, endsDaysAgo: 40, peakVisits: 230 };
/** An article is on the front page of a news aggregator for an afternoon. The traffic ends two days later. */
const frontPage = { daysAgo: 26, fromHour: 15, visitsByDay: [1_150, 340, 120] };
/** Four hours without data. */
const outage = { daysAgo: 11, fromHour: 9, untilHour: 13 };
/** The start of traffic from AI assistants. */
const assistants = { sinceDaysAgo: 30, visitsAfterAMonth: 62 };

/** What happened when, as an owner would note it. */
export const storyDates = (madeOn: string): { date: string; text: string }[] =>
	[
		{ daysAgo: campaign.startsDaysAgo, text: 'Campaign starts' },
		{ daysAgo: assistants.sinceDaysAgo, text: 'AI assistants begin to link to us' },
		{ daysAgo: frontPage.daysAgo, text: 'On the front page of a news aggregator' },
		{ daysAgo: outage.daysAgo, text: 'Outage from 9:00 to 13:00' },
	].map(({ daysAgo, text }) => ({ date: addDays(madeOn, -daysAgo), text }));

/** Monday to Sunday. */
const weeklyRhythm = [1.14, 1.16, 1.1, 1.05, 0.96, 0.66, 0.72] as const;

/** Local hours from midnight on. */
const dailyCurve = [
	8, 5, 3, 2, 2, 4, 12, 26, 42, 55, 60, 58, 54, 56, 58, 57, 55, 54, 56, 62, 64, 54, 36, 18,
] as const;

/** Starts at an hour and decays within a night. */
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

/** A stream of visitors: their sources, their number per day and their entry pages. */
export type Stream = {
	name: string;
	arrivals: readonly [arrival: Arrival, share: number][];
	/** The entry page: chosen by the weights for search engines or for links, or fixed. */
	lands: 'search' | 'link' | { path: string };
	/** How many visitors continue to further pages; 1 is average. */
	interest: number;
	/** Visits per day, before the weekly rhythm. `daysAgo` is 0 on the last day of a chapter; `age` continues across chapters. */
	visits(day: { daysAgo: number; age: number; weekday: number }): number;
	/** The weights of the hours; by default the daily curve. */
	curve?: (hour: number, daysAgo: number) => number;
	/** A single event that does not follow the weekly rhythm. */
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
		// Logistic growth.
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

/** A day of the story, by its date and the creation date of the website. */
export type StoryDay = { date: string; daysAgo: number; age: number; weekday: number };

export function storyDay(date: string, madeOn: string): StoryDay {
	const age = Math.round((Date.parse(`${date}T00:00:00Z`) - Date.parse(`${madeOn}T00:00:00Z`)) / 86_400_000);
	// JavaScript's remainder of a negative number is negative.
	const daysAgo = ((-age % chapterDays) + chapterDays) % chapterDays;
	const weekday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
	return { date, daysAgo, age, weekday };
}

/** The visits of a stream on a day. */
export function visitsOf(stream: Stream, day: StoryDay): number {
	const rhythm = stream.ignoresWeek ? 1 : (weeklyRhythm[day.weekday] ?? 1);
	return stream.visits(day) * rhythm;
}

/** The weight of a local hour among the hours of a stream. */
export const weightOf = (stream: Stream, day: StoryDay, hour: number): number =>
	stream.curve ? stream.curve(hour, day.daysAgo) : (dailyCurve[hour] ?? 0);

/** Whether a local hour has no data. */
export const isOutage = (day: StoryDay, hour: number): boolean =>
	day.daysAgo === outage.daysAgo && hour >= outage.fromHour && hour < outage.untilHour;
