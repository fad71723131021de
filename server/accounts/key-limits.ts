/** What an API key can do, for how long and from where, and which of two keys can do more. */
import { invalid } from '../lib/app-error.ts';
import { areNetworksWithin } from '../lib/networks.ts';
import { type Action, actions, authorize, type Role } from './authorize.ts';

export const allScopes = ['stats', 'events', 'manage', 'export', 'people'] as const;

export type Scope = (typeof allScopes)[number];

/** `scoped`: only the actions of its scopes. */
export type Access = 'full' | 'read' | 'scoped';

export type KeyLimits = {
	access: Access;
	/** Of a `scoped` key; null for the others. */
	scopes: readonly Scope[] | null;
	/** null: every website of the account. */
	websiteIds: readonly number[] | null;
	/** null: never. */
	expiresAt: Date | null;
	/** IP addresses and networks that it can be used from; null: any. */
	networks: readonly string[] | null;
};

export const unlimited: KeyLimits = {
	access: 'full',
	scopes: null,
	websiteIds: null,
	expiresAt: null,
	networks: null,
};

/** What is undefined stays. */
export type LimitsChange = { [K in keyof KeyLimits]?: KeyLimits[K] | undefined };

export function changeLimits(before: KeyLimits, change: LimitsChange): KeyLimits {
	const { websiteIds, expiresAt, networks } = change;
	return {
		...changeAccess(before, change),
		websiteIds: websiteIds ? [...new Set(websiteIds)] : websiteIds === null ? null : before.websiteIds,
		expiresAt: expiresAt === undefined ? before.expiresAt : expiresAt,
		networks: networks === undefined ? before.networks : networks,
	};
}

/** Scopes alone are enough: the access is then `scoped`. */
function changeAccess(
	before: KeyLimits,
	{ access, scopes }: LimitsChange,
): Pick<KeyLimits, 'access' | 'scopes'> {
	if (scopes) {
		if (access !== undefined && access !== 'scoped')
			throw invalid({ access: ['The access field must be scoped, or left out, if there are scopes.'] });
		return { access: 'scoped', scopes: allScopes.filter((scope) => scopes.includes(scope)) };
	}
	if (access === undefined || access === before.access)
		return { access: before.access, scopes: before.scopes };
	if (access === 'scoped') throw invalid({ scopes: ['The scopes field is required.'] });
	return { access, scopes: null };
}

type Part = 'access' | 'website_ids' | 'expires_at' | 'networks';

/** In which parts a key exceeds another: none if everything that it can do, the other can do too. */
export function exceededParts(inner: KeyLimits, outer: KeyLimits): Part[] {
	const isWithin: Record<Part, boolean> = {
		access: isAccessWithin(inner, outer),
		website_ids:
			outer.websiteIds === null || inner.websiteIds?.every((id) => outer.websiteIds?.includes(id)) === true,
		expires_at: outer.expiresAt === null || (inner.expiresAt !== null && inner.expiresAt <= outer.expiresAt),
		networks:
			outer.networks === null ||
			(inner.networks !== null && areNetworksWithin(inner.networks, outer.networks)),
	};
	// Object.keys forgets that the names are those of the record.
	return (Object.keys(isWithin) as Part[]).filter((part) => !isWithin[part]);
}

type KeyAccess = Pick<KeyLimits, 'access' | 'scopes'>;

/** Asks `authorize` about every action, so that a new action needs no entry here. */
const isAccessWithin = (inner: KeyAccess, outer: KeyAccess): boolean =>
	// Object.keys forgets that the names are those of the record.
	(Object.keys(actions) as Action[]).every((action) => !isAllowed(inner, action) || isAllowed(outer, action));

/** Whether a key of the account, for all of its websites, can do it. */
function isAllowed({ access, scopes }: KeyAccess, action: Action): boolean {
	const website = { id: 1, accountId: 1, role: null };
	return (
		authorize(
			{ kind: 'key', accountId: 1, keyId: 1, access, scopes, websiteIds: null },
			action,
			actions[action].on === 'website' ? website : undefined,
		) === 'allowed'
	);
}

/** What a key with scopes also needs to give someone a role: what the role can do with a website. */
const scopesOfRole: Record<Exclude<Role, 'owner'>, readonly Scope[]> = {
	viewer: ['stats'],
	editor: ['stats', 'events', 'manage'],
	admin: ['stats', 'events', 'manage', 'export'],
};

/** The scopes that a key lacks to give someone a role, so that nobody gets more through it than it can do itself. */
export function scopesMissingFor(role: Exclude<Role, 'owner'>, { access, scopes }: KeyAccess): Scope[] {
	if (access === 'full') return [];
	return (['people', ...scopesOfRole[role]] as const).filter((scope) => !scopes?.includes(scope));
}

/** Whether there are keys that lack the permission for it. */
export const isForbiddenToSomeKeys = (action: Action): boolean =>
	!isAllowed({ access: 'read', scopes: null }, action) ||
	allScopes.some((scope) => !isAllowed({ access: 'scoped', scopes: [scope] }, action));
