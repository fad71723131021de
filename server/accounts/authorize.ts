import { AppError } from '../lib/app-error.ts';
import type { Scope } from './key-limits.ts';
import { policyError, type Refusal, refusalsIn } from './policy-refusals.ts';
import type { PersonPrincipal, Principal, SharePanel, SharePrincipal } from './principal.ts';

export type Role = 'viewer' | 'editor' | 'admin' | 'owner';

type Rule = {
	on: 'account' | 'website' | 'service';
	least: Role;
	changes: boolean;
	/** The scopes of an API key that include it; none: only keys with full or read-only access. */
	scopes: readonly Scope[];
	/** About the account, and still for keys that are limited to some websites: it is about these websites. */
	coversLimitedKeys?: true;
	/** Not for keys that are read-only or, about the account, limited to some websites. */
	fullKeysOnly?: true;
	/** Of keys, only for those with full access to the whole account. */
	wholeAccountKeysOnly?: true;
	/** Not for keys; requires a session. */
	peopleOnly?: true;
	/** For the operator; hidden from everyone else. */
	operatorOnly?: true;
	/** Public statistics have it. */
	shared?: {
		/** Share links have it if they show this panel; `none` never have it. Without one, all links have it. */
		panel?: SharePanel | 'none';
		/** Not for links with a fixed filter, which it cannot respect. */
		unfilteredOnly?: true;
		/** Not for links whose dates are fixed. */
		undatedOnly?: true;
	};
};

/** All actions: what they apply to, the minimum role, and whether they change anything. */
export const actions = {
	'account.read': { on: 'account', least: 'owner', changes: false, scopes: [] },
	'account.change': { on: 'account', least: 'owner', changes: true, scopes: [], peopleOnly: true },
	// A limited key that can create keys could create one with more permissions.
	'keys.read': { on: 'account', least: 'owner', changes: false, scopes: [], fullKeysOnly: true },
	'keys.change': { on: 'account', least: 'owner', changes: true, scopes: [], fullKeysOnly: true },
	// What strangers see in the name of the account.
	'branding.read': { on: 'account', least: 'owner', changes: false, scopes: [], fullKeysOnly: true },
	'branding.change': { on: 'account', least: 'owner', changes: true, scopes: [], fullKeysOnly: true },
	// A webhook sends what the whole account does and counts to another server.
	'webhooks.read': { on: 'account', least: 'owner', changes: false, scopes: [], fullKeysOnly: true },
	'webhooks.change': { on: 'account', least: 'owner', changes: true, scopes: [], fullKeysOnly: true },
	'websites.list': {
		on: 'account',
		least: 'viewer',
		changes: false,
		scopes: ['stats', 'manage'],
		coversLimitedKeys: true,
	},
	'stats.overview': {
		on: 'account',
		least: 'viewer',
		changes: false,
		scopes: ['stats'],
		coversLimitedKeys: true,
	},
	'websites.create': { on: 'account', least: 'owner', changes: true, scopes: ['manage'] },
	// A request about many websites, each of which is checked by itself.
	'websites.change': {
		on: 'account',
		least: 'viewer',
		changes: true,
		scopes: ['manage'],
		coversLimitedKeys: true,
	},
	// Templates contain excluded addresses, and belong to no single website.
	'templates.read': { on: 'account', least: 'owner', changes: false, scopes: ['manage'] },
	'templates.change': { on: 'account', least: 'owner', changes: true, scopes: ['manage'] },
	'website.read': { on: 'website', least: 'viewer', changes: false, scopes: ['stats', 'manage'] },
	// Settings, traffic rules and imports, without the addresses that are excluded.
	'website.settings': { on: 'website', least: 'viewer', changes: false, scopes: ['manage'] },
	// A question: its dimensions, filters and dates are checked when it is parsed (stats/question/share-limits.ts).
	'stats.read': { on: 'website', least: 'viewer', changes: false, scopes: ['stats'], shared: {} },
	'stats.conversions': {
		on: 'website',
		least: 'viewer',
		changes: false,
		scopes: ['stats'],
		shared: { panel: 'conversions' },
	},
	'stats.properties': {
		on: 'website',
		least: 'viewer',
		changes: false,
		scopes: ['stats'],
		shared: { panel: 'conversions', unfilteredOnly: true },
	},
	'stats.vitals': {
		on: 'website',
		least: 'viewer',
		changes: false,
		scopes: ['stats'],
		shared: { panel: 'vitals', unfilteredOnly: true },
	},
	'stats.live': {
		on: 'website',
		least: 'viewer',
		changes: false,
		scopes: ['stats'],
		shared: { panel: 'live', unfilteredOnly: true, undatedOnly: true },
	},
	// Goals and funnels.
	'items.conversions': {
		on: 'website',
		least: 'viewer',
		changes: false,
		scopes: ['stats', 'manage'],
		shared: { panel: 'conversions' },
	},
	// Segments and notes are public with the statistics, but no part of a link: their texts are written for those who see everything.
	'items.texts': {
		on: 'website',
		least: 'viewer',
		changes: false,
		scopes: ['stats', 'manage'],
		shared: { panel: 'none' },
	},
	// Single events, even without visitors, are not for the public.
	'stats.feed': { on: 'website', least: 'viewer', changes: false, scopes: ['stats'] },
	// Neither are the paths of visits, of which many are rare.
	'stats.journeys': { on: 'website', least: 'viewer', changes: false, scopes: ['stats'] },
	'stats.changes': { on: 'website', least: 'viewer', changes: false, scopes: ['stats'] },
	'stats.drops': { on: 'website', least: 'viewer', changes: false, scopes: ['stats', 'manage'] },
	// Editors change what is measured and shown. Admins control visibility, deletion and where data is sent.
	'website.update': { on: 'website', least: 'editor', changes: true, scopes: ['manage'] },
	'website.administer': { on: 'website', least: 'admin', changes: true, scopes: ['manage'] },
	// Whoever reads a share link can pass it on, so it is more than the scope manage, which reads no statistics.
	'links.read': { on: 'website', least: 'admin', changes: false, scopes: [], fullKeysOnly: true },
	'links.change': { on: 'website', least: 'admin', changes: true, scopes: [] },
	// Excluded IP addresses usually belong to the people who work on the website.
	'website.addresses': { on: 'website', least: 'editor', changes: false, scopes: ['manage'] },
	'website.collect': { on: 'website', least: 'editor', changes: true, scopes: ['events'] },
	// An export contains every event, which is more than the statistics show.
	'website.export': { on: 'website', least: 'admin', changes: false, scopes: ['export'] },
	'website.rename': { on: 'website', least: 'admin', changes: true, scopes: ['manage'] },
	'website.reset': { on: 'website', least: 'admin', changes: true, scopes: ['manage'] },
	'website.import': { on: 'website', least: 'admin', changes: true, scopes: ['manage'] },
	'website.delete': { on: 'website', least: 'admin', changes: true, scopes: ['manage'] },
	// It gives a website away for good, so a person proves who they are, and a key must be able to do everything else.
	'website.move': {
		on: 'website',
		least: 'owner',
		changes: true,
		scopes: [],
		wholeAccountKeysOnly: true,
	},
	'offer.read': {
		on: 'website',
		least: 'owner',
		changes: false,
		scopes: [],
		wholeAccountKeysOnly: true,
	},
	// Anyone who has the URL of the feed can read the reports.
	'website.feed': { on: 'website', least: 'owner', changes: true, scopes: [] },
	'feed.read': { on: 'website', least: 'owner', changes: false, scopes: [], fullKeysOnly: true },
	'reports.read': { on: 'website', least: 'viewer', changes: false, scopes: ['stats'] },
	// When the owners get reports.
	'schedule.read': { on: 'account', least: 'owner', changes: false, scopes: ['manage'] },
	'schedule.change': { on: 'account', least: 'owner', changes: true, scopes: ['manage'] },
	// Recipients are email addresses of other people, who get mail in the owner's name.
	'recipients.read': { on: 'website', least: 'owner', changes: false, scopes: ['manage', 'people'] },
	'recipients.change': { on: 'website', least: 'owner', changes: true, scopes: ['manage', 'people'] },
	// Members of one website, and members of the whole account. Their addresses are more than a read-only key was created for.
	'members.read': {
		on: 'website',
		least: 'admin',
		changes: false,
		scopes: ['people'],
		fullKeysOnly: true,
	},
	'members.change': { on: 'website', least: 'admin', changes: true, scopes: ['people'] },
	'people.read': { on: 'account', least: 'owner', changes: false, scopes: ['people'], fullKeysOnly: true },
	'people.change': { on: 'account', least: 'owner', changes: true, scopes: ['people'] },
	// A member or an invitation by its id: the website or account of that is asked about when it is read (websites/members.ts).
	'member.change': {
		on: 'account',
		least: 'viewer',
		changes: true,
		scopes: ['people'],
		coversLimitedKeys: true,
	},
	'owners.change': { on: 'account', least: 'owner', changes: true, scopes: [], peopleOnly: true },
	// The activity log names people and what they did.
	'website.history': {
		on: 'website',
		least: 'admin',
		changes: false,
		scopes: ['people'],
		fullKeysOnly: true,
	},
	'account.history': {
		on: 'account',
		least: 'owner',
		changes: false,
		scopes: ['people'],
		fullKeysOnly: true,
	},
	// Boards of a person are private to them; those of an account belong to all its owners and its keys.
	'boards.read': { on: 'account', least: 'owner', changes: false, scopes: ['stats'] },
	'boards.change': { on: 'account', least: 'owner', changes: true, scopes: [] },
	'boards.links': { on: 'account', least: 'owner', changes: false, scopes: [], fullKeysOnly: true },
	// All accounts, the sign-up policy, and the log of what operators did.
	'operator.read': { on: 'account', least: 'owner', changes: false, scopes: [], operatorOnly: true },
	'operator.change': { on: 'account', least: 'owner', changes: true, scopes: [], operatorOnly: true },
	// Health checks reveal details of the server.
	'service.examine': {
		on: 'account',
		least: 'owner',
		changes: false,
		scopes: [],
		peopleOnly: true,
		operatorOnly: true,
	},
	'definitions.read': {
		on: 'service',
		least: 'viewer',
		changes: false,
		scopes: ['stats', 'events', 'manage', 'export', 'people'],
	},
} as const satisfies Record<string, Rule>;

export type Action = keyof typeof actions;

/** Actions on one website. */
export type WebsiteAction = {
	[A in Action]: (typeof actions)[A]['on'] extends 'website' ? A : never;
}[Action];

export type AccountAction = Exclude<Action, WebsiteAction>;

/** What a decision needs to know about a website: its account, and the role of the calling person on it. */
export type Stake = { id: number; accountId: number; role: Role | null };

const rank: Record<Role, number> = { viewer: 1, editor: 2, admin: 3, owner: 4 };

/**
 * The only place that decides permissions. 'hidden' must look as if the record did not exist; 'forbidden' means that the
 * principal can see it but lacks the permission; 'refused' that a policy of an account or of the service refuses the session.
 */
export function authorize(
	principal: Principal,
	action: Action,
	website?: Stake,
): 'allowed' | 'hidden' | 'forbidden' | 'refused' {
	const rule: Rule = actions[action];
	const { on, least, changes, scopes, coversLimitedKeys, fullKeysOnly, peopleOnly, operatorOnly } = rule;
	const { wholeAccountKeysOnly } = rule;
	if (on === 'website' && !website) throw new Error(`The action ${action} needs a website.`);
	switch (principal.kind) {
		case 'nobody':
			// The definitions of metrics and dimensions are public.
			return on === 'service' ? 'allowed' : 'hidden';
		case 'share':
			// A share gives access to the statistics of its website, but not to the website's record.
			if (on === 'service') return 'allowed';
			return website?.id === principal.websiteId && isShared(principal, rule) ? 'allowed' : 'hidden';
		case 'person': {
			if (operatorOnly && !principal.isOperator) return 'hidden';
			// Everyone owns the account that they work in.
			const role = website ? website.role : 'owner';
			if (role === null) return 'hidden';
			// The definitions of metrics and dimensions are public.
			if (on !== 'service' && refusalOf(principal, website)) return 'refused';
			return rank[role] >= rank[least] ? 'allowed' : 'forbidden';
		}
		case 'account':
			if (operatorOnly) return 'hidden';
			return website && website.accountId !== principal.accountId ? 'hidden' : 'allowed';
		case 'operatorKey':
			if (!operatorOnly || peopleOnly) return 'hidden';
			return changes && principal.access === 'read' ? 'forbidden' : 'allowed';
		case 'key': {
			if (operatorOnly) return 'hidden';
			// A key is limited to its account's own websites. Roles on other accounts' websites need a session.
			if (website && website.accountId !== principal.accountId) return 'hidden';
			if (website && principal.websiteIds && !principal.websiteIds.includes(website.id)) return 'hidden';
			if (peopleOnly) return 'forbidden';
			if (wholeAccountKeysOnly && (principal.access !== 'full' || principal.websiteIds)) return 'forbidden';
			if (principal.access === 'scoped' && !scopes.some((scope) => principal.scopes?.includes(scope)))
				return 'forbidden';
			if (changes && principal.access === 'read') return 'forbidden';
			if (fullKeysOnly && principal.access === 'read') return 'forbidden';
			if (on === 'account' && principal.websiteIds && !coversLimitedKeys) return 'forbidden';
			return 'allowed';
		}
	}
}

/** The account that a person works in binds the whole session; that of a website binds what is done there. */
const refusalOf = ({ refusals, accountId }: PersonPrincipal, website?: Stake): Refusal | undefined =>
	refusalsIn(refusals, website ? [accountId, website.accountId] : [accountId])[0];

function isShared({ limits }: SharePrincipal, { shared }: Rule): boolean {
	if (!shared || !limits) return shared !== undefined;
	const { panel, unfilteredOnly, undatedOnly } = shared;
	if (panel === 'none' || (panel && limits.panels && !limits.panels.includes(panel))) return false;
	if (unfilteredOnly && limits.filter !== null) return false;
	return !(undatedOnly && (limits.from !== null || limits.to !== null));
}

/** Whether public statistics have it. */
export const isOfStatistics = (action: Action | undefined): boolean =>
	action !== undefined && (actions[action] as Rule).shared !== undefined;

/** Whether only operators have it. */
export const isForOperators = (action: Action | undefined): boolean =>
	action !== undefined && (actions[action] as Rule).operatorOnly === true;

/** Like `authorize`, but throws unless the action is allowed. */
export function requirePermission(principal: Principal, action: Action, website?: Stake): void {
	switch (authorize(principal, action, website)) {
		case 'allowed':
			return;
		case 'hidden':
			throw notFound();
		case 'forbidden':
			throw new AppError('forbidden', explain(principal, actions[action]));
		case 'refused': {
			const refusal = principal.kind === 'person' ? refusalOf(principal, website) : undefined;
			throw refusal ? policyError(refusal.code) : notFound();
		}
	}
}

function explain(principal: Principal, { changes, scopes }: Rule): string {
	if (principal.kind === 'operatorKey') return 'This operator key is read-only.';
	if (principal.kind === 'key') {
		if (principal.access === 'read' && changes) return 'This API key is read-only.';
		if (principal.access === 'scoped' && scopes.length > 0)
			return `This API key needs the scope ${scopes.join(' or ')}.`;
	}
	return 'You do not have permission to do this.';
}

/** The same text for missing and for hidden records, so that callers cannot tell them apart. */
export const notFound = () => new AppError('not_found', 'There is nothing here.');

/** The account that a key belongs to or that a person works in. */
export function accountOf(principal: Principal): number {
	if ('accountId' in principal) return principal.accountId;
	throw notFound();
}
