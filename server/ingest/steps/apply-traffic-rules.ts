import { isOwnHostname } from '../../websites/hostnames.ts';
import type { Event } from '../event.ts';
import type { Hit } from '../hit.ts';
import { findNetworkRule, findOperatorRule, type TextKind } from '../lookups/traffic-rules.ts';
import { Dropped, type Step } from './step.ts';

/**
 * Drops hits that a rule of the website matches, by the values that would be stored, and by the IP address, its network operator and the user agent, which
 * are not. Each hit is evaluated on its own. Nothing about the visitor is stored, so a rule on the referrer drops the hits that carry this referrer,
 * and not the later pages of the same visit. One rule counts the drop: the oldest of the first kind that matches.
 */
export const applyTrafficRules: Step = (event, hit, { operators }) => {
	const { rules } = hit.website;
	if (!rules) return undefined;
	const networkRule = findNetworkRule(rules, hit.address);
	if (networkRule !== undefined) return new Dropped('rule', { ruleId: networkRule });
	const operator = rules.operators && operators?.find(hit.address);
	const operatorRule = rules.operators && operator && findOperatorRule(rules.operators, operator);
	if (operatorRule !== undefined) return new Dropped('rule', { ruleId: operatorRule });
	for (const { kind, matcher } of rules.texts) {
		const text = textOf[kind](event, hit);
		const ruleId = text === '' ? undefined : matcher(text);
		if (ruleId !== undefined) return new Dropped('rule', { ruleId });
	}
	return undefined;
};

const textOf: Record<TextKind, (event: Event, hit: Hit) => string> = {
	user_agent: (_event, { headers }) => headers.userAgent.toLowerCase(),
	hostname: ({ hostname }) => hostname,
	path: ({ path }) => path,
	referrer: ({ referrer }, { website }) => {
		const [host = ''] = referrer.split('/', 1);
		// Every page view after the first has the website as its referrer.
		return isOwnHostname(website, host) ? '' : referrer.toLowerCase();
	},
	campaign: (event) => event.utm_campaign,
	country: ({ country }) => country,
};
