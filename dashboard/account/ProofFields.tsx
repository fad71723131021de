import { useTranslation } from 'react-i18next';
import { useAccount } from '../session.tsx';
import { PasswordField, TextField } from '../ui/Field.tsx';

/** What a request must bring that a stolen session must not be able to make. */
export type Proof = { password: string; code: string };

export const noProof: Proof = { password: '', code: '' };

/** Request fields, without a code if none is needed. */
export const toProof = ({ password, code }: Proof) => {
	const typed = code.replaceAll(/\s/g, '');
	return { password, ...(typed !== '' && { code: typed }) };
};

type ProofForm = {
	values: Proof;
	set(changed: Partial<Proof>): void;
	faultOf(name: 'password' | 'code'): string | undefined;
};

/** The current password and, where two-factor sign-in is on, a code. */
export function ProofFields({ form, autoFocus = false }: { form: ProofForm; autoFocus?: boolean }) {
	const { t } = useTranslation();
	const { two_factor: needsCode } = useAccount();
	return (
		<>
			<PasswordField
				label={t('account.password.current')}
				autoComplete="current-password"
				required
				autoFocus={autoFocus}
				fault={form.faultOf('password') && t('account.password.wrong')}
				value={form.values.password}
				onChange={(event) => form.set({ password: event.target.value })}
			/>
			{needsCode && (
				<TextField
					label={t('account.proof.code')}
					hint={t('account.proof.codeHint')}
					autoComplete="one-time-code"
					autoCapitalize="none"
					spellCheck={false}
					required
					fault={form.faultOf('code') && t('signIn.code.wrong')}
					value={form.values.code}
					onChange={(event) => form.set({ code: event.target.value })}
				/>
			)}
		</>
	);
}
