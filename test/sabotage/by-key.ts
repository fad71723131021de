import type { Fault } from './faults.ts';

const tests = ['test/threats/people-by-key.test.ts'];

/** Faults of what keys do to people, transfers and boards. */
export const byKeyFaults: readonly Fault[] = [
	{
		name: 'a key gives roles that include more than it can do',
		file: 'server/accounts/key-limits.ts',
		line: "(['people', ...scopesOfRole[role]] as const).filter",
		instead: "(['people', ...scopesOfRole[role].slice(4)] as const).filter",
		tests,
	},
	{
		name: 'a key raises the role of a member',
		file: 'server/websites/members.ts',
		line: '\t\trequireRoleToGive(principal, role);\n',
		instead: '',
		tests,
	},
	{
		name: 'a key invites an owner',
		file: 'server/accounts/authorize.ts',
		line: "'owners.change': { on: 'account', least: 'owner', changes: true, scopes: [], peopleOnly: true },",
		instead: "'owners.change': { on: 'account', least: 'owner', changes: true, scopes: [] },",
		tests: ['server/accounts/authorize.test.ts', ...tests],
	},
	{
		name: 'a limited key acts on members of other websites',
		file: 'server/websites/members.ts',
		line: "const { ownerId } = await requireScope(tx, principal, member.websiteId, 'change');",
		instead: 'const { ownerId } = member;',
		tests,
	},
	{
		name: 'the invitation of a key outlives its permission',
		file: 'server/websites/invitations.ts',
		line: "return decision === 'allowed' && scopesMissingFor(role, key).length === 0;",
		instead: 'return scopesMissingFor(role, key).length >= 0 || decision === undefined;',
		tests,
	},
	{
		name: 'the invitation of a key outlives its expiry',
		file: 'server/websites/invitations.ts',
		line: "if (!key || role === 'owner' || (key.expiresAt !== null && key.expiresAt <= now())) return false;",
		instead: "if (!key || role === 'owner' || !now) return false;",
		tests,
	},
	{
		name: 'read-only keys read the addresses of members',
		file: 'server/accounts/authorize.ts',
		line: "if (fullKeysOnly && principal.access === 'read') return 'forbidden';",
		instead: '',
		tests: ['server/accounts/authorize.test.ts', ...tests],
	},
	{
		name: 'a limited key offers a website',
		file: 'server/accounts/authorize.ts',
		line: "if (wholeAccountKeysOnly && (principal.access !== 'full' || principal.websiteIds)) return 'forbidden';",
		instead: "if (wholeAccountKeysOnly && principal.access !== 'full') return 'forbidden';",
		tests,
	},
	{
		name: 'the offer of a key outlives its permission',
		file: 'server/websites/transfers.ts',
		line: "AND k.access = 'full' AND k.scopes IS NULL\n\t\t\tAND k.website_ids IS NULL AND (",
		instead: 'AND (',
		tests,
	},
	{
		name: 'each key sends as many invitations as a person',
		file: 'server/http/api/routes/people.ts',
		line: 'name: `invitations by keys of ${accountId}`',
		instead: "name: `invitations by key ${principal.kind === 'key' ? principal.keyId : 0}`",
		tests,
	},
	{
		name: 'a key reads private boards',
		file: 'server/accounts/boards.ts',
		line: ': sql`owner_id = ${value(user.accountId)}`;',
		instead: ': sql`(owner_id = ${value(user.accountId)} OR account_id = ${value(user.accountId)})`;',
		tests,
	},
	{
		name: 'a board of an account shows websites of other accounts',
		file: 'server/items/board-links.ts',
		line: "const website = await findWebsite(postgres, owner, 'links.read', websiteId);",
		instead:
			"const other = owner.kind === 'person' ? owner : { ...owner, kind: 'person' as const, personId: owner.accountId };\n\tconst website = await findWebsite(postgres, other, 'links.read', websiteId);",
		tests,
	},
];
