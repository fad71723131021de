import { useTranslation } from 'react-i18next';
import { passkeys } from '../account-client.ts';
import type { Passkey, Proof } from '../api-client.ts';
import { canUsePasskeys } from '../passkeys.ts';
import { useAccount } from '../session.tsx';
import { PasswordField, TextField } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { PasskeyButton } from './PasskeyButton.tsx';

/** What a request must bring that a stolen session must not be able to make. */
export type ProofValues = { password: string; code: string; passkey: Passkey | null };

export const noProof: ProofValues = { password: '', code: '', passkey: null };

/** Request fields, without a code if none is needed. */
export const toProof = ({ password, code, passkey }: ProofValues): Proof => {
	if (passkey) return { passkey };
	const typed = code.replaceAll(/\s/g, '');
	return { password, ...(typed !== '' && { code: typed }) };
};

type ProofForm = {
	values: ProofValues;
	set(changed: Partial<ProofValues>): void;
	faultOf(name: keyof ProofValues): string | undefined;
};

/** The current password and, where two-factor sign-in is on, a code; or a passkey. */
export function ProofFields({ form, autoFocus = false }: { form: ProofForm; autoFocus?: boolean }) {
	const { t } = useTranslation();
	const {
		two_factor: needsCode,
		second_factor: second,
		passkeys: count,
		public_address: address,
	} = useAccount();
	// A passkey is accepted once. If the request failed, it takes another one.
	if (form.values.passkey && !form.faultOf('passkey'))
		return <Notice kind="good">{t('account.proof.confirmed')}</Notice>;
	return (
		<>
			<PasswordField
				label={t('account.password.current')}
				autoComplete="current-password"
				required
				autoFocus={autoFocus}
				fault={form.faultOf('password') && t('account.password.wrong')}
				value={form.values.password}
				onChange={(event) => form.set({ password: event.target.value, passkey: null })}
			/>
			{needsCode && (
				<TextField
					label={t('account.proof.code')}
					hint={second.app ? t('account.proof.codeHint') : t('account.proof.recoveryHint')}
					autoComplete="one-time-code"
					autoCapitalize="none"
					spellCheck={false}
					required
					fault={form.faultOf('code') && t('signIn.code.wrong')}
					value={form.values.code}
					onChange={(event) => form.set({ code: event.target.value, passkey: null })}
				/>
			)}
			{form.faultOf('passkey') && <Notice kind="fault">{t('signIn.passkey.wrong')}</Notice>}
			{count > 0 && canUsePasskeys(address.url) && (
				<div>
					<PasskeyButton
						label={t('account.proof.passkey')}
						challenge={passkeys.proofChallenge}
						onSigned={(passkey) => form.set({ passkey })}
					/>
				</div>
			)}
		</>
	);
}
