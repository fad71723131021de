import { useTranslation } from 'react-i18next';
import { PasswordField, TextField } from '../ui/Field.tsx';

type Values = { name: string; email: string; password: string };

/** Fields of a new account, for the setup and for invitations. */
export function NewAccountFields({
	values,
	set,
	faultOf,
	emailFault,
	isEmailFixed = false,
}: {
	values: Values;
	set(changed: Partial<Values>): void;
	faultOf(name: keyof Values): string | undefined;
	/** What is said of an address that was refused. */
	emailFault: string;
	isEmailFixed?: boolean;
}) {
	const { t } = useTranslation();
	return (
		<>
			<TextField
				label={t('signIn.setUp.name')}
				autoComplete="name"
				required
				maxLength={200}
				autoFocus
				fault={faultOf('name')}
				value={values.name}
				onChange={(event) => set({ name: event.target.value })}
			/>
			<TextField
				label={t('signIn.email')}
				type="email"
				autoComplete="username"
				required
				maxLength={254}
				readOnly={isEmailFixed}
				fault={faultOf('email') && emailFault}
				value={values.email}
				onChange={(event) => set({ email: event.target.value })}
			/>
			<PasswordField
				label={t('signIn.password')}
				hint={t('signIn.minimum')}
				autoComplete="new-password"
				required
				fault={faultOf('password')}
				value={values.password}
				onChange={(event) => set({ password: event.target.value })}
			/>
		</>
	);
}
