import type { Fault } from './faults.ts';

const file = 'server/accounts/passkeys.ts';
const tests = ['test/sign-in/passkeys.test.ts'];

/** Faults of passkeys, their challenges and recovery codes. */
export const passkeyFaults: readonly Fault[] = [
	{
		name: 'a challenge of a passkey is good more than once',
		file,
		line: 'DELETE FROM passkey_challenges WHERE digest',
		instead: 'UPDATE passkey_challenges SET digest = digest WHERE digest',
		tests,
	},
	{
		name: 'a passkey signs a challenge of another browser',
		file,
		line: 'AND browser = ${value(digest(browser))} AND person_id',
		instead: 'AND person_id',
		tests,
	},
	{
		name: 'a passkey signs a challenge for another purpose',
		file,
		line: ' AND purpose = ${value(purpose.kind)}\n',
		instead: '\n',
		tests,
	},
	{
		name: 'a challenge of a passkey never expires',
		file,
		line: 'AND expires_at > ${value(now())}`);',
		instead: '`);',
		tests,
	},
	{
		name: 'a page in a frame uses a passkey',
		file,
		line: ' || clientData?.crossOrigin) return undefined;',
		instead: ') return undefined;',
		tests,
	},
	{
		name: 'a passkey without user verification signs in',
		file,
		line: 'expectedRPID: party.id,\n\t\t\t\trequireUserVerification: true,',
		instead: 'expectedRPID: party.id,\n\t\t\t\trequireUserVerification: false,',
		tests,
	},
	{
		name: 'a copied passkey signs in',
		file,
		line: 'AND (counter < ${value(newCounter)} OR counter = 0 AND ${value(newCounter)}::bigint = 0)`);',
		instead: '`);',
		tests,
	},
	{
		name: 'a forged signature warns the owner of a passkey',
		file,
		line: 'if (!result?.verified) return undefined;\n\t\treturn (await',
		instead: 'if (!result) return undefined;\n\t\treturn (await',
		tests,
	},
	{
		name: 'a passkey of somebody else proves a person',
		file,
		line: '|| (purpose.personId !== null && passkey.personId !== purpose.personId)) return undefined;',
		instead: ') return undefined;',
		tests,
	},
	{
		name: 'a passkey of somebody else is a second factor',
		file: 'server/accounts/sign-in.ts',
		line: '(await passkeys.verifySignIn(second.passkey)) !== personId)',
		instead: '(await passkeys.verifySignIn(second.passkey)) === undefined)',
		tests,
	},
	{
		name: 'a certificate of a passkey is verified',
		file,
		line: 'if (challenge === undefined || (await hasCertificate(attestationObject))) throw refused();',
		instead: 'if (challenge === undefined) throw refused();',
		tests,
	},
	{
		name: 'a disabled person signs in with a passkey',
		file,
		line: ' AND ${canSignIn(sql`p.person_id`)}`',
		instead: '`',
		tests,
	},
	{
		name: 'the passkey that is the only second factor can be removed',
		file,
		line: 'if (left?.needsPasskey)',
		instead: 'if (left?.needsPasskey && id === 0)',
		tests,
	},
	{
		name: 'a passkey is removed without a proof',
		file: 'server/http/dashboard-api/passkeys.ts',
		line: 'const id = readId(call);\n\t\t\tawait requireProof(services, personId, parseProof(call));',
		instead: 'const id = readId(call);\n\t\t\tparseProof(call);',
		tests,
	},
	{
		name: 'sessions outlive the passkey that opened them',
		file,
		line: '\tawait endSessions(tx, personId);\n\treturn true;',
		instead: '\treturn true;',
		tests,
	},
	{
		name: 'a taken-over account keeps the passkeys of a stranger',
		file: 'server/accounts/two-factor.ts',
		line: 'await tx.run(sql`DELETE FROM passkeys WHERE person_id = ${value(personId)}`);',
		instead: '',
		tests,
	},
	{
		name: 'a second factor that is a passkey is not asked for',
		file: 'server/accounts/two-factor.ts',
		line: 'SELECT totp_secret IS NOT NULL OR passkey_second_factor AS "isRequired"',
		instead: 'SELECT totp_secret IS NOT NULL AS "isRequired"',
		tests,
	},
];
