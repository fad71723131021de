import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type Template, templates, templatesKey } from '../templates-client.ts';
import { SelectField } from '../ui/Field.tsx';

export const useTemplates = () => useQuery({ queryKey: templatesKey, queryFn: templates.list });

/** Selects a template, or none. Nothing if the account has no templates. */
export function TemplateField({
	label,
	hint,
	value,
	onChange,
}: {
	label: string;
	hint: string;
	/** An id, or an empty text. */
	value: string;
	onChange(template: Template | undefined): void;
}) {
	const { t } = useTranslation();
	const { data = [] } = useTemplates();
	if (data.length === 0) return null;
	return (
		<SelectField
			label={label}
			hint={hint}
			value={value}
			onChange={({ target }) => onChange(data.find(({ id }) => String(id) === target.value))}
			options={[
				{ value: '', label: t('templates.none') },
				...data.map(({ id, name }) => ({ value: String(id), label: name })),
			]}
		/>
	);
}
