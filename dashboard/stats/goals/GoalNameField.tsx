import { useTranslation } from 'react-i18next';
import { TextField } from '../../ui/Field.tsx';

/** The name of a goal in a form. The server refuses only a name that another goal has. */
export function GoalNameField({
	form,
}: {
	form: {
		values: { name: string };
		error: unknown;
		faultOf(name: 'name'): string | undefined;
		set(changed: { name: string }): void;
	};
}) {
	const { t } = useTranslation();
	const fault = form.faultOf('name');
	return (
		<TextField
			label={t('settings.goals.name')}
			value={form.values.name}
			fault={fault && form.error !== undefined ? t('settings.goals.nameTaken') : fault}
			maxLength={100}
			required
			onChange={({ target }) => form.set({ name: target.value })}
		/>
	);
}
