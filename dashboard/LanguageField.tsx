import { useTranslation } from 'react-i18next';
import { findLanguage, languages } from './texts/texts.ts';
import { SelectField } from './ui/Field.tsx';

/** The languages that the pages speak, each by its own name. One of its countries, such as `de-AT`, stays chosen. */
export function LanguageField({
	value,
	fault,
	onChange,
}: {
	value: string;
	fault?: string | undefined;
	onChange(locale: string): void;
}) {
	const { t } = useTranslation();
	const own = findLanguage([value]);
	return (
		<SelectField
			label={t('common.language')}
			lang={own}
			fault={fault}
			value={value}
			onChange={(event) => onChange(event.target.value)}
			options={Object.entries(languages).map(([code, { name }]) => ({
				value: code === own ? value : code,
				label: name,
			}))}
		/>
	);
}
