import { AppError } from '../lib/app-error.ts';
import type { Principal } from './principal.ts';

export type Role = 'viewer' | 'editor' | 'admin' | 'owner';

type Rule = {
	on: 'account' | 'website' | 'service';
	least: Role;
	changes: boolean;
	/** Not for keys that are read-only or limited to some websites. */
	fullKeysOnly?: true;
	/** Not for keys; requires a session. */
	peopleOnly?: true;
	/** For the operator; hidden from everyone else. */
	operatorOnly?: true;
};

/** All actions: what they apply to, the minimum role, and whether they change anything. */
export const actions = {
	'account.read': { on: 'account', least: 'owner', changes: false },
	// A limited key that can create keys could create one with more permissions.
	'keys.read': { on: 'account', least: 'owner', changes: false, fullKeysOnly: true },
	'keys.change': { on: 'account', least: 'owner', changes: true, fullKeysOnly: true },
	'websites.list': { on: 'account', least: 'viewer', changes: false },
	'websites.create': { on: 'account', least: 'owner', changes: true },
	'website.read': { on: 'website', least: 'viewer', changes: false },
	'stats.read': { on: 'website', least: 'viewer', changes: false },
	// Single events, even without visitors, are not for the public: shares have `stats.read` only.
	'stats.feed': { on: 'website', least: 'viewer', changes: false },
	// Neither are the paths of visits, of which many are rare.
	'stats.journeys': { on: 'website', least: 'viewer', changes: false },
	// Editors change what is measured and shown. Admins control visibility, deletion and where data is sent.
	'website.update': { on: 'website', least: 'editor', changes: true },
	'website.administer': { on: 'website', least: 'admin', changes: true },
	// Excluded IP addresses usually belong to the people who work on the website.
	'website.addresses': { on: 'website', least: 'editor', changes: false },
	'website.collect': { on: 'website', least: 'editor', changes: true },
	// An export contains every event, which is more than the statistics show.
	'website.export': { on: 'website', least: 'admin', changes: false },
	'website.rename': { on: 'website', least: 'admin', changes: true },
	'website.reset': { on: 'website', least: 'admin', changes: true },
	'website.import': { on: 'website', least: 'admin', changes: true },
	'website.delete': { on: 'website', least: 'admin', changes: true },
	'website.move': { on: 'website', least: 'owner', changes: true, peopleOnly: true },
	// Anyone who has the URL of the feed can read the reports.
	'website.feed': { on: 'website', least: 'owner', changes: true, peopleOnly: true },
	// Recipients are email addresses of other people, who get mail in the owner's name.
	'recipients.read': { on: 'website', least: 'owner', changes: false },
	'recipients.change': { on: 'website', least: 'owner', changes: true },
	// Members of one website, and members of the whole account.
	'members.read': { on: 'website', least: 'admin', changes: false, peopleOnly: true },
	'members.change': { on: 'website', least: 'admin', changes: true, peopleOnly: true },
	'people.read': { on: 'account', least: 'owner', changes: false, peopleOnly: true },
	'people.change': { on: 'account', least: 'owner', changes: true, peopleOnly: true },
	// The activity log.
	'website.history': { on: 'website', least: 'admin', changes: false, peopleOnly: true },
	'account.history': { on: 'account', least: 'owner', changes: false, peopleOnly: true },
	// Boards are private to the person who made them.
	'boards.read': { on: 'account', least: 'owner', changes: false, peopleOnly: true },
	'boards.change': { on: 'account', least: 'owner', changes: true, peopleOnly: true },
	// Health checks reveal details of the server.
	'service.examine': {
		on: 'account',
		least: 'owner',
		changes: false,
		peopleOnly: true,
		operatorOnly: true,
	},
	'definitions.read': { on: 'service', least: 'viewer', changes: false },
} as const satisfies Record<string, Rule>;

export type Action = keyof typeof actions;

/** Actions on one website. */
export type WebsiteAction = {
	[A in Action]: (typeof actions)[A]['on'] extends 'website' ? A : never;
}[Action];

export type AccountAction = Exclude<Action, WebsiteAction>;

/** What a decision needs to know about a website: its owner, and the role of the calling account as a member. */
export type Stake = { id: number; accountId: number; memberRole: Role | null };

const rank: Record<Role, number> = { viewer: 1, editor: 2, admin: 3, owner: 4 };

/**
 * The only place that decides permissions. 'hidden' must look as if the record did not exist; 'forbidden' means that the
 * principal can see it but lacks the permission.
 */
export function authorize(
	principal: Principal,
	action: Action,
	website?: Stake,
): 'allowed' | 'hidden' | 'forbidden' {
	const { on, least, changes, fullKeysOnly, peopleOnly, operatorOnly }: Rule = actions[action];
	if (on === 'website' && !website) throw new Error(`The action ${action} needs a website.`);
	switch (principal.kind) {
		case 'nobody':
			// The definitions of metrics and dimensions are public.
			return on === 'service' ? 'allowed' : 'hidden';
		case 'share':
			// A share gives access to the statistics of its website, but not to the website's record.
			if (on === 'service') return 'allowed';
			return action === 'stats.read' && website?.id === principal.websiteId ? 'allowed' : 'hidden';
		case 'account': {
			if (operatorOnly && !principal.isOperator) return 'hidden';
			const role = website ? roleOf(principal.accountId, website) : 'owner';
			if (role === null) return 'hidden';
			return rank[role] >= rank[least] ? 'allowed' : 'forbidden';
		}
		case 'key': {
			// A key is limited to its account's own websites. Roles on other accounts' websites need a session.
			if (website && website.accountId !== principal.accountId) return 'hidden';
			if (website && principal.websiteIds && !principal.websiteIds.includes(website.id)) return 'hidden';
			if (peopleOnly) return 'forbidden';
			if (changes && principal.access === 'read') return 'forbidden';
			if (fullKeysOnly && principal.access === 'read') return 'forbidden';
			// A key for some websites has no access to the account, except that it can list these websites.
			if (on === 'account' && principal.websiteIds && action !== 'websites.list') return 'forbidden';
			return 'allowed';
		}
	}
}

/** The role of an account on a website, or null. */
export const roleOf = (accountId: number, website: Stake): Role | null =>
	website.accountId === accountId ? 'owner' : website.memberRole;

/** Like `authorize`, but throws unless the action is allowed. */
export function requirePermission(principal: Principal, action: Action, website?: Stake): void {
	switch (authorize(principal, action, website)) {
		case 'allowed':
			return;
		case 'hidden':
			throw notFound();
		case 'forbidden':
			throw new AppError(
				'forbidden',
				principal.kind === 'key' && principal.access === 'read' && actions[action].changes
					? 'This API key is read-only.'
					: 'You do not have permission to do this.',
			);
	}
}

/** The same text for missing and for hidden records, so that callers cannot tell them apart. */
export const notFound = () => new AppError('not_found', 'There is nothing here.');

/** The account that a key or a session belongs to. */
export function accountOf(principal: Principal): number {
	if (principal.kind === 'key' || principal.kind === 'account') return principal.accountId;
	throw notFound();
}
