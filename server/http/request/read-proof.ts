import { passkeyBody } from '../../../api/passkeys.ts';
import { proofBody } from '../../../api/session.ts';
import type { Proof } from '../../accounts/sign-in.ts';
import { gatherFaults } from '../../lib/app-error.ts';
import type { Fields } from './read-body.ts';
import { validate } from './validate.ts';

/** The passkey, or the password and the code, with which the sender of a body confirms their identity. */
export function readProof(fields: Readonly<Fields>, browser: string | undefined): Proof {
	if (!Object.hasOwn(fields, 'passkey')) {
		const { password, code } = validate(proofBody, { password: fields.password, code: fields.code });
		return { password, code };
	}
	const { passkey: assertion } = validate(passkeyBody, { passkey: fields.passkey });
	return { passkey: { assertion, browser } };
}

/** The same where the body also has other fields: all errors are reported at once. */
export function readProven<Values>(
	fields: Readonly<Fields>,
	browser: string | undefined,
	read: () => Values,
): { values: Values; proof: Proof } {
	const faults = gatherFaults();
	const proof = faults.attempt(() => readProof(fields, browser));
	const values = faults.last(read);
	if (!proof) throw new Error('A step without errors has no result.');
	return { values, proof };
}
