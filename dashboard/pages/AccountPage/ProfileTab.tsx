import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatWeekday } from '../../../presentation/format.ts';
import { security } from '../../account-client.ts';
import { LanguageField } from '../../LanguageField.tsx';
import { FormSection } from '../../layout/settings/FormSection.tsx';
import { setSession, useAccount } from '../../session.tsx';
import { chooseTheme, chosenTheme, type Theme } from '../../theme.ts';
import { Section } from '../../ui/Card.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { ZoneField } from '../../ui/ZoneField.tsx';
import { ChangeAddress } from './ChangeAddress.tsx';

export function ProfileTab() {
	const { t } = useTranslation();
	return (
		<>
			<ProfileForm />
			<Section title={t('account.profile.email')}>
				<ChangeAddress />
			</Section>
			<AccountForm />
			<Section title={t('account.profile.appearanceTitle')} text={t('account.profile.appearanceText')}>
				<ThemeField />
			</Section>
		</>
	);
}

function ProfileForm() {
	const { t, i18n } = useTranslation();
	const { person } = useAccount();
	const { name, locale, week_start } = person;
	const form = useForm({ name, locale, week_start }, async (values) =>
		setSession(await security.changePerson(values)),
	);
	return (
		<FormSection
			title={t('account.profile.title')}
			isTitleHidden
			text={t('account.profile.text')}
			form={form}
		>
			<TextField
				label={t('account.profile.name')}
				autoComplete="name"
				required
				maxLength={200}
				fault={form.faultOf('name')}
				value={form.values.name}
				onChange={(event) => form.set({ name: event.target.value })}
			/>
			<LanguageField
				value={form.values.locale}
				fault={form.faultOf('locale')}
				onChange={(chosen) => form.set({ locale: chosen })}
			/>
			<SelectField
				label={t('account.profile.weekStart')}
				hint={t('account.profile.weekStartHint')}
				fault={form.faultOf('week_start')}
				value={form.values.week_start}
				onChange={(event) => form.set({ week_start: event.target.value === 'sunday' ? 'sunday' : 'monday' })}
				options={[
					{ value: 'monday', label: formatWeekday(1, i18n.language) },
					{ value: 'sunday', label: formatWeekday(7, i18n.language) },
				]}
			/>
		</FormSection>
	);
}

/** What belongs to the account, which may have several owners. */
function AccountForm() {
	const { t } = useTranslation();
	const { name, timezone } = useAccount().account;
	const form = useForm({ name, timezone }, async (values) =>
		setSession(await security.changeAccount(values)),
	);
	return (
		<FormSection
			title={t('account.profile.accountTitle')}
			text={t('account.profile.accountText')}
			form={form}
		>
			<TextField
				label={t('account.profile.accountName')}
				autoComplete="organization"
				required
				maxLength={200}
				fault={form.faultOf('name')}
				value={form.values.name}
				onChange={(event) => form.set({ name: event.target.value })}
			/>
			<ZoneField
				label={t('account.profile.zone')}
				hint={t('account.profile.zoneHint')}
				fault={form.faultOf('timezone')}
				value={form.values.timezone}
				onChange={(event) => form.set({ timezone: event.target.value })}
			/>
		</FormSection>
	);
}

function ThemeField() {
	const { t } = useTranslation();
	const [theme, setTheme] = useState(chosenTheme);
	const themes: readonly Theme[] = ['system', 'light', 'dark'];
	return (
		<SelectField
			label={<span className="unseen">{t('common.theme')}</span>}
			value={theme}
			onChange={(event) => {
				const chosen = themes.find((theme) => theme === event.target.value) ?? 'system';
				chooseTheme(chosen);
				setTheme(chosen);
			}}
			options={themes.map((theme) => ({ value: theme, label: t(`common.themes.${theme}`) }))}
		/>
	);
}
