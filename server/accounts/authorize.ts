import { AppError } from '../lib/app-error.ts';
import type { Principal } from './principal.ts';

export type Role = 'viewer' | 'editor' | 'admin' | 'owner';

type Rule = {
	on: 'account' | 'website' | 'service';
	least: Role;
	changes: boolean;
	/** Not for keys that may only read, or are for some websites. */
	fullKeysOnly?: true;
	/** Not for keys at all: only for people who are signed in. */
	peopleOnly?: true;
	/** For the operator; for all others it does not exist. */
	operatorOnly?: true;
};

/** Everything that can be asked for: what it is about, the least role that may, and whether it changes anything. */
export const actions = {
	'account.read': { on: 'account', least: 'owner', changes: false },
	// A key that can make keys could make itself more than it is.
	'keys.read': { on: 'account', least: 'owner', changes: false, fullKeysOnly: true },
	'keys.change': { on: 'account', least: 'owner', changes: true, fullKeysOnly: true },
	'websites.list': { on: 'account', least: 'viewer', changes: false },
	'websites.create': { on: 'account', least: 'owner', changes: true },
	'website.read': { on: 'website', least: 'viewer', changes: false },
	'stats.read': { on: 'website', least: 'viewer', changes: false },
	// Editors change what is measured and shown; admins decide who sees it, what is deleted and where it is sent.
	'website.update': { on: 'website', least: 'editor', changes: true },
	'website.administer': { on: 'website', least: 'admin', changes: true },
	// The addresses that are not counted are those of the people who work on the website.
	'website.addresses': { on: 'website', least: 'editor', changes: false },
	'website.collect': { on: 'website', least: 'editor', changes: true },
	// All of it at once, event by event: more than the statistics show.
	'website.export': { on: 'website', least: 'admin', changes: false },
	'website.rename': { on: 'website', least: 'admin', changes: true },
	'website.reset': { on: 'website', least: 'admin', changes: true },
	// What days were like before we counted.
	'website.import': { on: 'website', least: 'admin', changes: true },
	'website.delete': { on: 'website', least: 'admin', changes: true },
	'website.move': { on: 'website', least: 'owner', changes: true, peopleOnly: true },
	// Whoever has the address of the feed reads the reports: as much as inviting everybody.
	'website.feed': { on: 'website', least: 'owner', changes: true, peopleOnly: true },
	// Who else gets its reports and alerts by mail: other people's addresses, and mail in the owner's name.
	'recipients.read': { on: 'website', least: 'owner', changes: false },
	'recipients.change': { on: 'website', least: 'owner', changes: true },
	// Who else may see or change a website: on that one, and on all of the account.
	'members.read': { on: 'website', least: 'admin', changes: false, peopleOnly: true },
	'members.change': { on: 'website', least: 'admin', changes: true, peopleOnly: true },
	'people.read': { on: 'account', least: 'owner', changes: false, peopleOnly: true },
	'people.change': { on: 'account', least: 'owner', changes: true, peopleOnly: true },
	// Who changed what.
	'website.history': { on: 'website', least: 'admin', changes: false, peopleOnly: true },
	'account.history': { on: 'account', least: 'owner', changes: false, peopleOnly: true },
	// How the service itself is, which says more of the machine than its customers need to know.
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

/** What must be known of a website to decide: whose it is, and which role the asking account was given on it. */
export type Stake = { id: number; accountId: number; memberRole: Role | null };

const rank: Record<Role, number> = { viewer: 1, editor: 2, admin: 3, owner: 4 };

/**
 * The one place where it is decided who may do what. 'hidden' is for what must look as if it did not exist;
 * 'forbidden' for what the principal can see and may not do.
 */
export function authorize(
	principal: Principal,
	action: Action,
	website?: Stake,
): 'allowed' | 'hidden' | 'forbidden' {
	const { on, least, changes, fullKeysOnly, peopleOnly, operatorOnly }: Rule = actions[action];
	if (on === 'website' && !website) throw new Error(`${action} was asked without a website.`);
	switch (principal.kind) {
		case 'nobody':
			// What can be counted, and how, is no secret.
			return on === 'service' ? 'allowed' : 'hidden';
		case 'share':
			// A share opens the statistics of its website, and the website's record is not part of them.
			if (on === 'service') return 'allowed';
			return action === 'stats.read' && website?.id === principal.websiteId ? 'allowed' : 'hidden';
		case 'account': {
			if (operatorOnly && !principal.isOperator) return 'hidden';
			const role = website ? roleOf(principal.accountId, website) : 'owner';
			if (role === null) return 'hidden';
			return rank[role] >= rank[least] ? 'allowed' : 'forbidden';
		}
		case 'key': {
			// A key speaks for its account's own websites; roles on other people's are for people who sign in.
			if (website && website.accountId !== principal.accountId) return 'hidden';
			if (website && principal.websiteIds && !principal.websiteIds.includes(website.id)) return 'hidden';
			if (peopleOnly) return 'forbidden';
			if (changes && principal.access === 'read') return 'forbidden';
			if (fullKeysOnly && principal.access === 'read') return 'forbidden';
			// A key for some websites is for those, not for the account: it may list them, and no more.
			if (on === 'account' && principal.websiteIds && action !== 'websites.list') return 'forbidden';
			return 'allowed';
		}
	}
}

/** What an account is on a website; null where it is nothing. */
export const roleOf = (accountId: number, website: Stake): Role | null =>
	website.accountId === accountId ? 'owner' : website.memberRole;

/** As `authorize`, for callers that go on only when it is allowed. */
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
					? 'This key may only read.'
					: 'This is not allowed with these rights.',
			);
	}
}

/** One text for all that is missing, so that nobody can tell missing from forbidden. */
export const notFound = () => new AppError('not_found', 'There is nothing here.');

/** The account that a key or a session belongs to. */
export function accountOf(principal: Principal): number {
	if (principal.kind === 'key' || principal.kind === 'account') return principal.accountId;
	throw notFound();
}
