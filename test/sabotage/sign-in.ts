import type { Fault } from './faults.ts';

/** Faults of signing in, of sessions and of links. */
export const signInFaults: readonly Fault[] = [
	{
		name: 'attempts to sign in are not counted',
		file: 'server/accounts/sign-in.ts',
		line: '\tawait attempts.take(buckets);\n',
		instead: '',
		tests: ['test/threats/sign-in.test.ts'],
	},
	{
		name: 'an unknown account is told without hashing',
		file: 'server/accounts/sign-in.ts',
		line: '\tnobodysHash ??= hashPassword(randomUUID());\n',
		instead: '\tif (!account) throw signInFailed();\n\tnobodysHash ??= hashPassword(randomUUID());\n',
		tests: ['test/threats/sign-in.test.ts'],
	},
	{
		name: 'any number of passwords may wait to be hashed',
		file: 'server/lib/passwords.ts',
		line: 'const maxWaiting = 100;',
		instead: 'const maxWaiting = 100_000;',
		tests: ['test/threats/sign-in.test.ts'],
	},
	{
		name: 'a request that says nothing of its origin is believed',
		file: 'server/http/session-door.ts',
		line: 'if (origin === undefined || !URL.canParse(origin)) return false;',
		instead: 'if (origin === undefined || !URL.canParse(origin)) return true;',
		tests: ['test/threats/sign-in.test.ts'],
	},
	{
		name: 'a body of any type is taken from a browser',
		file: 'server/http/session-door.ts',
		line: 'if (type === undefined ? hasBody : ',
		instead: 'if (type === undefined ? false : false && ',
		tests: ['test/threats/sign-in.test.ts'],
	},
	{
		name: 'signing in leaves the former session open',
		file: 'server/http/session-routes.ts',
		line: '\tif (session) await endSession(tx, session);\n',
		instead: '',
		tests: ['test/sign-in/session.test.ts'],
	},
	{
		name: 'a session that is not used lives on',
		file: 'server/accounts/sessions.ts',
		line: 'const idleMs = 7 * day;',
		instead: 'const idleMs = 700 * day;',
		tests: ['test/threats/sign-in.test.ts'],
	},
	{
		name: 'a session has no end while it is used',
		file: 'server/accounts/sessions.ts',
		line: 'const longestMs = 30 * day;',
		instead: 'const longestMs = 3000 * day;',
		tests: ['test/threats/sign-in.test.ts'],
	},
	{
		name: 'other browsers stay signed in after a new password',
		file: 'server/accounts/sign-in.ts',
		line: '\tawait endSessions(tx, accountId);\n',
		instead: '',
		tests: ['test/sign-in/session.test.ts'],
	},
	{
		name: "anybody's session can be ended by its id",
		file: 'server/accounts/sessions.ts',
		line: 'sql`DELETE FROM sessions WHERE account_id = ${value(of.accountId)} AND id = ${value(of.id)}`',
		instead: 'sql`DELETE FROM sessions WHERE id = ${value(of.id)}`',
		tests: ['test/sign-in/session.test.ts'],
	},
	{
		name: 'a code of the app is good as often as one likes',
		file: 'server/accounts/two-factor.ts',
		line: 'WHERE id = ${value(accountId)} AND totp_step < ${value(step)}`;',
		instead: 'WHERE id = ${value(accountId)}`;',
		tests: ['test/sign-in/session.test.ts'],
	},
	{
		name: 'a link that sets a password never gets old',
		file: 'server/accounts/links.ts',
		line: 'WHERE digest = ${value(digestOf(token))} AND expires_at > ${value(now())}\n',
		instead: 'WHERE digest = ${value(digestOf(token))} AND created_at <= ${value(now())}\n',
		tests: ['test/sign-in/session.test.ts'],
	},
];
