import { isOwnHostname } from '../../websites/hostnames.ts';
import type { Hit } from '../hit.ts';
import { channelOf, isPaidMedium } from '../lookups/channels.ts';
import { clickIds } from '../lookups/click-ids.ts';
import {
	findSourceByName,
	findSourceOfApp,
	findSourceOfHost,
	findSourceOfWord,
	type Source,
} from '../lookups/sources.ts';
import { parsePageUrl } from '../page-url.ts';
import { cutText } from '../text.ts';
import type { Step } from './step.ts';

/**
 * Determines source and channel. `utm_source` wins over the referrer. A referrer of the website itself is `internal`, not direct,
 * because a visit that crosses midnight begins with one. Without any source the channel is Direct.
 */
export const attributeSource: Step = (event, hit) => {
	const referrer = readReferrer(hit);
	const click = clickIds.get(event.click_id);
	const origin = findOrigin();
	const medium = event.utm_medium.toLowerCase();
	event.referrer = referrer.text;
	event.source = origin.name;
	event.channel = channelOf({
		source: origin.name.toLowerCase(),
		kind: origin.kind,
		medium,
		campaign: event.utm_campaign.toLowerCase(),
		isPaid: isPaidMedium(medium) || click?.isPaid === true,
		isDisplay: click?.isDisplay === true,
		isInternal: origin.isInternal,
	});
	return undefined;

	function findOrigin(): Origin {
		const named = event.utm_source !== '' || !referrer.isInternal ? event.source : '';
		if (named !== '')
			return known(findSourceOfWord(named)) ?? { name: named, kind: undefined, isInternal: false };
		if (referrer.isInternal) return { name: 'internal', kind: undefined, isInternal: true };
		if (referrer.name !== '')
			return known(referrer.source) ?? { name: referrer.name, kind: undefined, isInternal: false };
		return known(findSourceByName(click?.source ?? '')) ?? { name: '', kind: undefined, isInternal: false };
	}
};

type Origin = { name: string; kind: Source['kind'] | undefined; isInternal: boolean };

const known = (source: Source | undefined): Origin | undefined =>
	source && { name: source.name, kind: source.kind, isInternal: false };

type Referrer = {
	/** Host and path. The query is not stored, because it may contain search terms. */
	text: string;
	name: string;
	source: Source | undefined;
	isInternal: boolean;
};

const maxReferrer = 1_024;
const noReferrer: Referrer = { text: '', name: '', source: undefined, isInternal: false };

function readReferrer(hit: Hit): Referrer {
	if (hit.referrer === '') return noReferrer;
	const [, app = ''] = /^(?:android|ios)-app:\/\/([\w.-]{1,200})/.exec(hit.referrer) ?? [];
	if (app !== '') return { text: app, name: app, source: findSourceOfApp(app), isInternal: false };
	const url = parsePageUrl(hit.referrer);
	if (!url) return noReferrer;
	const { hostname } = url;
	return {
		text: cutText(url.pathname === '/' ? hostname : hostname + url.path, maxReferrer),
		name: hostname.replace(/^www\./, ''),
		source: findSourceOfHost(hostname),
		isInternal: isOwnHostname(hit.website, hostname),
	};
}
