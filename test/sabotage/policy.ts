import type { Fault } from './faults.ts';

const threats = ['test/threats/policy.test.ts'];
const rules = ['test/sign-in/policy.test.ts'];
const require = 'server/http/dashboard-api/require-policy.ts';

/** Faults of what accounts require of people and keys. */
export const policyFaults: readonly Fault[] = [
	{
		name: 'the API does not ask for the second factor that an account requires',
		file: 'server/accounts/authorize.ts',
		line: "if (on !== 'service' && refusalOf(principal, website)) return 'refused';",
		instead: "if (on === 'service' && refusalOf(principal, website)) return 'refused';",
		tests: threats,
	},
	{
		name: 'a website of an account that requires a second factor is open from another account',
		file: 'server/accounts/authorize.ts',
		line: 'website ? [accountId, website.accountId] : [accountId]',
		instead: 'website ? [accountId] : [accountId]',
		tests: threats,
	},
	{
		name: 'a route of the dashboard without a reach is open whatever the policy is',
		file: require,
		line: "if (route.reach === 'always') return;",
		instead: "if (route.reach === 'always' || route.reach === undefined) return;",
		tests: threats,
	},
	{
		name: 'any provider counts as a second factor',
		file: 'server/oidc/sign-in.ts',
		line: 'hasSecondFactor: provider.hasSecondFactor, providerId',
		instead: 'hasSecondFactor: true, providerId',
		tests: threats,
	},
	{
		name: 'a session without a record counts as one with a second factor',
		file: 'server/accounts/sessions.ts',
		line: 'coalesce(s.second_factor, p.totp_secret IS NOT NULL OR p.passkey_second_factor)',
		instead: 'coalesce(s.second_factor, true)',
		tests: threats,
	},
	{
		name: 'sessions keep the second factor that was turned off',
		file: 'server/accounts/two-factor.ts',
		line: 'UPDATE sessions SET second_factor = false WHERE account_id',
		instead: 'UPDATE sessions SET second_factor = second_factor WHERE account_id',
		tests: threats,
	},
	{
		name: 'the password alone adds a second factor to someone who has one',
		file: require,
		line: 'if (factors.isRequired || factors.passkeys > 0)',
		instead: 'if (factors.isRequired)',
		tests: threats,
	},
	{
		name: 'the password alone links another provider',
		file: require,
		line: 'if (providers.some(({ linkedAt }) => linkedAt !== null))',
		instead: 'if (providers.some(({ linkedAt }) => linkedAt === undefined))',
		tests: threats,
	},
	{
		name: 'a policy that locks out who saves it is saved',
		file: 'server/http/dashboard-api/policy.ts',
		line: 'if (Object.keys(lockout).length > 0)',
		instead: 'if (Object.keys(lockout).length > 2)',
		tests: threats,
	},
	{
		name: 'IPv4-mapped addresses are not those of IPv4',
		file: 'server/lib/networks.ts',
		line: "return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');",
		instead:
			"return family !== 0 && !address.startsWith('::ffff:') && list.check(address, family === 4 ? 'ipv4' : 'ipv6');",
		tests: threats,
	},
	{
		name: 'the allowed networks of an account are not asked of its keys',
		file: 'server/http/auth/api-key-cache.ts',
		line: 'if (!isCollecting && !policyNetworks.every(',
		instead: 'if (!isCollecting && policyNetworks.length > 9 && !policyNetworks.every(',
		tests: threats,
	},
	{
		name: 'allowed networks stop the events of servers',
		file: 'server/http/auth/api-key-cache.ts',
		line: 'if (!isCollecting && !policyNetworks.every(',
		instead: 'if (!policyNetworks.every(',
		tests: rules,
	},
	{
		name: 'keys learn of a new policy only when they leave the cache',
		file: 'server/accounts/policies.ts',
		line: '\tawait forgetKeys(tx);\n',
		instead: '\n',
		tests: threats,
	},
	{
		name: 'a policy is changed without a proof',
		file: 'server/http/dashboard-api/policy.ts',
		line: '\tawait requireProof(services, principal.personId, proof);\n',
		instead: '\tvoid [requireProof, proof];\n',
		tests: threats,
	},
	{
		name: 'a shorter lifetime is for new sessions only',
		file: 'server/accounts/sessions.ts',
		line: 'OR s.created_at <= ${value(moment)}::timestamptz - make_interval(hours => session_hours)',
		instead: 'OR s.created_at <= ${value(moment)}::timestamptz - make_interval(hours => session_hours + 720)',
		tests: rules,
	},
	{
		name: 'members are not bound by the policy of the account that they have a role in',
		file: 'server/accounts/policies.ts',
		line: 'm.owner_id = y.account_id AND m.member_id',
		instead: 'false AND m.member_id',
		tests: rules,
	},
	{
		name: 'the list of websites shows those of an account that refuses the session',
		file: 'server/websites/list-websites.ts',
		line: 'refusalsIn(refusals, [ownerId]).length === 0',
		instead: 'refusalsIn(refusals, [ownerId]).length >= 0',
		tests: rules,
	},
	{
		name: 'someone signs in from a network that the service does not allow',
		file: require,
		line: ': await refusalsOfService(services.postgres, address);',
		instead: ': (await refusalsOfService(services.postgres, address)).slice(1);',
		tests: rules,
	},
	{
		name: 'common passwords can be set',
		file: 'server/accounts/password-strength.ts',
		line: 'const leastGuessesLog10 = 9;',
		instead: 'const leastGuessesLog10 = 3;',
		tests: rules,
	},
	{
		name: 'a name with a number is a password',
		file: 'server/accounts/password-strength.ts',
		line: 'const leastUnknownCharacters = 8;',
		instead: 'const leastUnknownCharacters = 0;',
		tests: rules,
	},
];
