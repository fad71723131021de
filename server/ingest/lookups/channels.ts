import type { SourceKind } from './sources.ts';

/** How a visitor arrived. Texts are in lower case, '' when unknown. */
export type Arrival = {
	source: string;
	kind: SourceKind | undefined;
	medium: string;
	campaign: string;
	/** A click id that only ads have, or a paid medium. */
	isPaid: boolean;
	isDisplay: boolean;
	/** The referrer is a page of the same website. */
	isInternal: boolean;
};

type Rule = { channel: Channel; matches: (arrival: Arrival) => boolean };

const isOneOf = (text: string, words: string): boolean => text !== '' && words.split('|').includes(text);

const emailWords = 'email|e-mail|e_mail|e mail|newsletter';
const isShopCampaign = (campaign: string): boolean => /(?:^|[^a-df-z])shop|shopping/.test(campaign);

export const isPaidMedium = (medium: string): boolean =>
	/^(?:ppc|retargeting|paid.*)$/.test(medium) || medium.includes('cp');

/**
 * The rules of the default channel group of Google Analytics 4 (support.google.com/analytics/answer/9756891). The first rule that
 * matches applies. Our additions: Internal, AI Assistants, and that an ad click id counts as a paid medium.
 */
const rules = [
	{ channel: 'Internal', matches: (a) => a.isInternal },
	{ channel: 'Cross-network', matches: (a) => a.campaign.includes('cross-network') },
	{
		channel: 'Paid Shopping',
		matches: (a) => a.isPaid && (a.kind === 'shopping' || isShopCampaign(a.campaign)),
	},
	{ channel: 'Display', matches: (a) => a.isDisplay },
	{ channel: 'Paid Search', matches: (a) => a.isPaid && a.kind === 'search' },
	{ channel: 'Paid Social', matches: (a) => a.isPaid && a.kind === 'social' },
	{ channel: 'Paid Video', matches: (a) => a.isPaid && a.kind === 'video' },
	{ channel: 'Display', matches: (a) => isOneOf(a.medium, 'display|banner|expandable|interstitial|cpm') },
	{ channel: 'Paid Other', matches: (a) => a.isPaid },
	{ channel: 'AI Assistants', matches: (a) => a.kind === 'assistant' },
	{ channel: 'Organic Shopping', matches: (a) => a.kind === 'shopping' || isShopCampaign(a.campaign) },
	{
		channel: 'Organic Social',
		matches: (a) =>
			a.kind === 'social' ||
			isOneOf(a.medium, 'social|social-network|social-media|sm|social network|social media'),
	},
	{ channel: 'Organic Video', matches: (a) => a.kind === 'video' || a.medium.includes('video') },
	{ channel: 'Organic Search', matches: (a) => a.kind === 'search' || a.medium === 'organic' },
	{
		channel: 'Email',
		matches: (a) => a.kind === 'mail' || isOneOf(a.source, emailWords) || isOneOf(a.medium, emailWords),
	},
	{ channel: 'Affiliates', matches: (a) => isOneOf(a.medium, 'affiliate|affiliates') },
	{ channel: 'Referral', matches: (a) => isOneOf(a.medium, 'referral|app|link') },
	{ channel: 'Audio', matches: (a) => a.medium === 'audio' },
	{ channel: 'SMS', matches: (a) => a.source === 'sms' || a.medium === 'sms' },
	{
		channel: 'Mobile Push',
		matches: (a) => /push$|mobile|notification/.test(a.medium) || a.source === 'firebase',
	},
	// A referrer, or a source without a medium.
	{ channel: 'Referral', matches: (a) => a.source !== '' && a.medium === '' },
	{ channel: 'Direct', matches: (a) => a.source === '' && a.medium === '' && a.campaign === '' },
	// An unknown medium, or a campaign without a source.
	{ channel: 'Unassigned', matches: () => true },
] as const satisfies readonly { channel: string; matches: (arrival: Arrival) => boolean }[];

export type Channel = (typeof rules)[number]['channel'];

export function channelOf(arrival: Arrival): Channel {
	return (rules as readonly Rule[]).find((rule) => rule.matches(arrival))?.channel ?? 'Unassigned';
}
