import type { Fault } from './faults.ts';

/** Faults of the doctor, of what the operator alone may see, and of what an operator gives us to keep. */
export const doctorFaults: readonly Fault[] = [
	{
		name: 'every account may examine the service',
		file: 'server/accounts/authorize.ts',
		line: "if (operatorOnly && !principal.isOperator) return 'hidden';",
		instead: '',
		tests: ['server/accounts/authorize.test.ts', 'test/doctor/first-account.test.ts'],
	},
	{
		name: 'every account made at the command line is an operator',
		file: 'server/accounts/accounts.ts',
		line: 'NOT EXISTS (SELECT 1 FROM people)',
		instead: 'true',
		tests: ['test/doctor/first-account.test.ts'],
	},
	{
		name: 'the doctor repeats the password that a server repeated',
		file: 'server/doctor/doctor.ts',
		line: "(secret ? shown.replaceAll(secret, '…') : shown)",
		instead: '(secret ? shown : shown)',
		tests: ['test/doctor/findings.test.ts'],
	},
	{
		name: 'an event that is there twice is fine',
		file: 'server/doctor/events.ts',
		line: 'countIf(times > 1)',
		instead: 'countIf(times > 9)',
		tests: ['test/doctor/findings.test.ts'],
	},
	{
		name: 'a check that fails ends the examination',
		file: 'server/doctor/doctor.ts',
		line: '\t\treturn [\n\t\t\tproblem(\n\t\t\t\t`The check failed',
		instead: '\t\tthrow error;\n\t\treturn [\n\t\t\tproblem(\n\t\t\t\t`The check failed',
		tests: ['test/doctor/findings.test.ts'],
	},
	{
		name: 'the doctor sends a mail server no password and calls it well',
		file: 'server/doctor/mail.ts',
		line: '\t\tawait smtp.greet();\n',
		instead: '',
		tests: ['test/doctor/findings.test.ts'],
	},
	{
		name: 'a certificate that ran out is good',
		file: 'server/doctor/certificates.ts',
		line: 'if (days < 0)',
		instead: 'if (days < -10_000)',
		tests: ['test/doctor/findings.test.ts'],
	},
	{
		name: 'a secret that everybody can read is taken',
		file: 'server/config.ts',
		line: 'if (row.secret && (statSync(file).mode & 0o004) !== 0)',
		instead: 'if (row.secret && (statSync(file).mode & 0o004) > 4)',
		tests: ['server/config.test.ts'],
	},
	{
		name: 'a path that climbs is looked up on the disk',
		file: 'server/http/public/api-reference.ts',
		line: '.test(path)) throw notFound();',
		instead: '.test(path)) void notFound();',
		tests: ['test/threats/operator.test.ts'],
	},
];
