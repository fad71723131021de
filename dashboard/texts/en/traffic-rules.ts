/** Rules that exclude traffic. */
export const trafficRules = {
	title: 'Traffic rules',
	text: 'Exclude hits by path, hostname, country, referrer, campaign, user agent, IP network or network operator. Rules apply to new traffic. Most rules can also be applied to past traffic.',
	textForEditors:
		'Exclude hits by path, hostname, country, referrer, campaign, user agent, IP network or network operator. Rules apply to new traffic. Admins can also apply most rules to past traffic.',
	add: 'Add rule',
	edit: 'Edit rule',
	none: 'No rules yet.',
	noDrops: 'No hits excluded in the last 30 days',
	dropped_one: '{{total}} hit excluded in the last 30 days',
	dropped_other: '{{total}} hits excluded in the last 30 days',
	kind: 'Exclude by',
	kinds: {
		path: 'Path',
		hostname: 'Hostname',
		country: 'Country',
		referrer: 'Referrer',
		campaign: 'Campaign (utm_campaign)',
		user_agent: 'User agent',
		network: 'IP address or network',
		operator: 'Network operator',
	},
	domain: 'is the domain or a subdomain of',
	values: 'Values',
	perLine: 'One per line. A hit that matches any of them is excluded.',
	country: 'Two-letter country codes, one per line.',
	operatorNumbers: 'AS numbers such as AS64500, one per line.',
	operatorNames: 'Parts of names, one per line. Case-insensitive.',
	operatorsMissing:
		'This rule matches nothing, because the database of network operators is not installed. To install it, run {{command}} on the server.',
	firstPage:
		'Excludes only hits with this referrer or campaign, usually the first page view of a visit. Further pages of the visit are counted.',
	applies: 'Applies to new traffic. After it is saved, it can also be applied to past traffic.',
	appliesForEditors: 'Applies to new traffic. Admins can also apply it to past traffic.',
	appliesToNew:
		'Applies to new traffic only, because IP addresses, network operators and user agents are not stored.',
	matches_one: '{{total}} visit in the last 30 days matches.',
	matches_other: '{{total}} visits in the last 30 days match.',
	noMatch: 'No visits in the last 30 days match.',
	loading: 'Counting matching visits…',
	reasons: {
		not_stored:
			'No preview: IP addresses, network operators and user agents are not stored, so past visits cannot be checked.',
		too_many_values: 'No preview for more than 1,000 values.',
		not_available: 'No preview: visit-level data does not cover the last 30 days.',
	},
	nameTaken: 'A rule with this name already exists.',
	valuesNeeded: 'Enter at least one value.',
	badValue: 'Value {{number}} is not valid for this kind of rule.',
	deleteText:
		'New traffic that matches this rule will be counted again. Hits that it excluded are not restored.',
	byRule: 'By traffic rule',
} as const;
