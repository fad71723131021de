import type { Fault } from './faults.ts';

const tests = ['test/sign-in/operator.test.ts'];
const ofSignUp = ['test/sign-in/sign-up.test.ts'];

/** Faults of operators, their keys and log, and of sign-up. */
export const operatorFaults: readonly Fault[] = [
	{
		name: 'a key of an account reaches the routes of the operator',
		file: 'server/accounts/authorize.ts',
		line: "\t\t\tif (operatorOnly) return 'hidden';\n\t\t\t// A key",
		instead: '\t\t\t// A key',
		tests,
	},
	{
		name: 'an owner reaches the routes of the operator',
		file: 'server/accounts/authorize.ts',
		line: "if (operatorOnly && !principal.isOperator) return 'hidden';",
		instead: '',
		tests,
	},
	{
		name: 'an operator key reaches the routes of accounts',
		file: 'server/accounts/authorize.ts',
		line: "if (!operatorOnly || peopleOnly) return 'hidden';",
		instead: '',
		tests,
	},
	{
		name: 'an operator needs no proof to disable and delete',
		file: 'server/http/api/routes/operator.ts',
		line: "if (principal.kind !== 'person') return;",
		instead: "if (principal.kind !== 'nobody') return;",
		tests,
	},
	{
		name: 'a command leaves no entry in the log of operators',
		file: 'server/operator/log.ts',
		line: 'const { by, what, accountId, subjectId, websiteId, isHiddenFromOwners } = action;\n',
		instead:
			"const { by, what, accountId, subjectId, websiteId, isHiddenFromOwners } = action;\n\tif (by.kind === 'commandLine') return;\n",
		tests,
	},
	{
		name: 'members keep access to websites of a disabled account',
		file: 'server/websites/get-website.ts',
		line: 'SELECT m.role FROM members m JOIN accounts a ON a.id = m.owner_id AND a.disabled_at IS NULL',
		instead: 'SELECT m.role FROM members m',
		tests,
	},
	{
		name: 'an export goes on after its caller lost the permission',
		file: 'server/http/api/mount-api.ts',
		line: "return authorize(current.principal, action) === 'allowed';",
		instead: 'return true;',
		tests,
	},
	{
		name: 'a sign-up link ignores the policy',
		file: 'server/operator/sign-up.ts',
		line: "if (policy.mode === 'domains' && !policy.domains.includes(domainOf(email)))",
		instead: "if (policy.mode === 'domains' && policy.domains.length === 0)",
		tests: ofSignUp,
	},
	{
		name: 'the sign-up form can flood a mailbox',
		file: 'server/http/dashboard-api/sign-up.ts',
		line: 'const maxMailsPerAddress = 3;',
		instead: 'const maxMailsPerAddress = 300;',
		tests: ofSignUp,
	},
	{
		name: 'the sign-up form says who has an account',
		file: 'server/http/dashboard-api/sign-up.ts',
		line: 'return ok({ mailed: true });',
		instead: 'return ok({ mailed: !(await findPersonByEmail(services.postgres, email)) });',
		tests: ofSignUp,
	},
];
