import type { Fault } from './faults.ts';

const tests = ['test/sign-in/people.test.ts'];

/** Faults of members, invitations, moved websites and the list of changes. */
export const peopleFaults: readonly Fault[] = [
	{
		name: 'an invitation is good more than once',
		file: 'server/websites/invitations.ts',
		line: 'const taken = await tx.run(sql`DELETE FROM invitations WHERE digest = ${value(digestOf(token))}`);',
		instead: 'const taken: number = 1;',
		tests,
	},
	{
		name: 'an invitation is good for ever',
		file: 'server/websites/invitations.ts',
		line: 'WHERE i.digest = ${value(digestOf(token))} AND i.expires_at > ${value(now())}',
		instead: 'WHERE i.digest = ${value(digestOf(token))}',
		tests,
	},
	{
		name: 'an invitation for one address is taken by another',
		file: 'server/websites/invitations.ts',
		line: 'if (invitation.email !== null && ',
		instead: 'if (false && invitation.email !== null && ',
		tests,
	},
	{
		name: 'an invitation serves to try any number of addresses',
		file: 'server/http/people-routes.ts',
		line: '\tawait attempts.take([tries]);\n',
		instead: '',
		tests,
	},
	{
		name: 'who is no admin any more still invites',
		file: 'server/websites/members.ts',
		line: "\t\tif (role !== 'admin') await withdrawInvitationsOf(tx, member);\n",
		instead: '',
		tests,
	},
	{
		name: 'editors decide about members',
		file: 'server/accounts/authorize.ts',
		line: "'members.change': { on: 'website', least: 'admin'",
		instead: "'members.change': { on: 'website', least: 'editor'",
		tests: ['server/accounts/authorize.test.ts', ...tests],
	},
	{
		name: 'anybody changes members of the whole account',
		file: 'server/websites/members.ts',
		line: '\tif (ownerId !== member.ownerId) throw notFound();\n',
		instead: '',
		tests,
	},
	{
		name: 'who was removed goes on watching',
		file: 'server/http/api.ts',
		line: '(await mayStill(route, principal, websiteId))',
		instead: 'true',
		tests,
	},
	{
		name: 'a key lists what is shared with its account',
		file: 'server/websites/websites.ts',
		line: "if (principal.kind !== 'account') return undefined;",
		instead: "if (principal.kind !== 'account' && principal.kind !== 'key') return undefined;",
		tests,
	},
	{
		name: 'anybody accepts what is offered to one',
		file: 'server/websites/move.ts',
		line: ' AND receiver_id = ${value(asking.accountId)} FOR UPDATE',
		instead: ' FOR UPDATE',
		tests,
	},
	{
		name: 'the limit of the receiver does not count',
		file: 'server/websites/move.ts',
		line: 'receiver.count >= receiver.limit',
		instead: 'receiver.count < 0',
		tests,
	},
	{
		name: 'what a member changes is not told to the owner',
		file: 'server/http/api.ts',
		line: '\t\t\t\t\t\townerId,\n',
		instead: '',
		tests,
	},
];
