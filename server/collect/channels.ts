import type { SourceKind } from './sources.ts';

/** What is known of how a visitor came. Words in lower case, '' where nothing is known. */
export type Arrival = {
	source: string;
	kind: SourceKind | undefined;
	medium: string;
	campaign: string;
	/** A click id that only advertisements have, or a medium that says so. */
	isPaid: boolean;
	isDisplay: boolean;
	/** The page before was one of the website's own. */
	isInternal: boolean;
};

type Rule = { channel: Channel; holds: (arrival: Arrival) => boolean };

const isOneOf = (text: string, words: string): boolean => text !== '' && words.split('|').includes(text);

const emailWords = 'email|e-mail|e_mail|e mail|newsletter';
const isShopCampaign = (campaign: string): boolean => /(?:^|[^a-df-z])shop|shopping/.test(campaign);

export const isPaidMedium = (medium: string): boolean =>
	/^(?:ppc|retargeting|paid.*)$/.test(medium) || medium.includes('cp');

/**
 * The kinds of ways to a website, by the rules that Google publishes for the default channels of Analytics 4
 * (support.google.com/analytics/answer/9756891), in our words: the first that holds counts. Ours are Internal, AI
 * Assistants, and that a click id of an advertisement means as much as a paid medium.
 */
const rules = [
	{ channel: 'Internal', holds: (a) => a.isInternal },
	{ channel: 'Cross-network', holds: (a) => a.campaign.includes('cross-network') },
	{
		channel: 'Paid Shopping',
		holds: (a) => a.isPaid && (a.kind === 'shopping' || isShopCampaign(a.campaign)),
	},
	{ channel: 'Display', holds: (a) => a.isDisplay },
	{ channel: 'Paid Search', holds: (a) => a.isPaid && a.kind === 'search' },
	{ channel: 'Paid Social', holds: (a) => a.isPaid && a.kind === 'social' },
	{ channel: 'Paid Video', holds: (a) => a.isPaid && a.kind === 'video' },
	{ channel: 'Display', holds: (a) => isOneOf(a.medium, 'display|banner|expandable|interstitial|cpm') },
	{ channel: 'Paid Other', holds: (a) => a.isPaid },
	{ channel: 'AI Assistants', holds: (a) => a.kind === 'assistant' },
	{ channel: 'Organic Shopping', holds: (a) => a.kind === 'shopping' || isShopCampaign(a.campaign) },
	{
		channel: 'Organic Social',
		holds: (a) =>
			a.kind === 'social' ||
			isOneOf(a.medium, 'social|social-network|social-media|sm|social network|social media'),
	},
	{ channel: 'Organic Video', holds: (a) => a.kind === 'video' || a.medium.includes('video') },
	{ channel: 'Organic Search', holds: (a) => a.kind === 'search' || a.medium === 'organic' },
	{
		channel: 'Email',
		holds: (a) => a.kind === 'mail' || isOneOf(a.source, emailWords) || isOneOf(a.medium, emailWords),
	},
	{ channel: 'Affiliates', holds: (a) => isOneOf(a.medium, 'affiliate|affiliates') },
	{ channel: 'Referral', holds: (a) => isOneOf(a.medium, 'referral|app|link') },
	{ channel: 'Audio', holds: (a) => a.medium === 'audio' },
	{ channel: 'SMS', holds: (a) => a.source === 'sms' || a.medium === 'sms' },
	{
		channel: 'Mobile Push',
		holds: (a) => /push$|mobile|notification/.test(a.medium) || a.source === 'firebase',
	},
	// A referrer, or a source without a medium.
	{ channel: 'Referral', holds: (a) => a.source !== '' && a.medium === '' },
	{ channel: 'Direct', holds: (a) => a.source === '' && a.medium === '' && a.campaign === '' },
	// A medium, or a campaign without a source, that no rule knows.
	{ channel: 'Unassigned', holds: () => true },
] as const satisfies readonly { channel: string; holds: (arrival: Arrival) => boolean }[];

export type Channel = (typeof rules)[number]['channel'];

export function channelOf(arrival: Arrival): Channel {
	return (rules as readonly Rule[]).find((rule) => rule.holds(arrival))?.channel ?? 'Unassigned';
}
