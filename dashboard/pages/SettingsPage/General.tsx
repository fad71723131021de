import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { ApiError } from '../../api-client.ts';
import { FormSection, SwitchSection } from '../../layout/settings/FormSection.tsx';
import { SaveTemplate } from '../../templates/SaveTemplate.tsx';
import { Section } from '../../ui/Card.tsx';
import { TextArea, TextField } from '../../ui/Field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { ZoneField } from '../../ui/ZoneField.tsx';
import { faultyLine } from './lines.ts';
import styles from './SettingsPage.module.css';
import type { TabProps } from './tab.ts';

export function General(props: TabProps) {
	const { t } = useTranslation();
	const { website, canEdit, isOwner, update } = props;
	return (
		<>
			<Domain {...props} />
			<Section title={t('settings.install.title')} text={t('settings.install.text', { id: website.id })}>
				<p>
					<Link className={styles.link} href={`/websites/${website.id}/install`}>
						{t('settings.install.link')}
					</Link>
				</p>
			</Section>
			<Zone {...props} />
			<Hostnames {...props} />
			<Labels {...props} />
			<SwitchSection
				title={t('settings.favorite.title')}
				label={t('settings.favorite.label')}
				isOn={website.favorite === 1}
				isOpen={canEdit}
				store={(isOn) => update({ favorite: isOn ? 1 : 0 })}
			/>
			{isOwner && <SaveTemplate website={website.id} />}
		</>
	);
}

function Domain({ website, isAdmin, rename }: TabProps) {
	const { t } = useTranslation();
	const form = useForm<{ domain: string }>({ domain: website.domain }, ({ domain }) => rename(domain));
	const taken = form.error instanceof ApiError && form.error.code === 'domain_taken' ? form.error : undefined;
	const fault = taken
		? t('settings.domain.taken', { domain: form.values.domain })
		: form.faultOf('domain') && t('settings.domain.bad');
	return (
		<FormSection
			title={t('settings.domain.title')}
			text={t('settings.domain.text', { id: website.id })}
			form={form}
			isOpen={isAdmin}
		>
			<TextField
				label={<span className="unseen">{t('settings.domain.title')}</span>}
				hint={t('settings.domain.hint')}
				value={form.values.domain}
				fault={fault}
				autoCapitalize="none"
				spellCheck={false}
				required
				onChange={(event) => form.set({ domain: event.target.value })}
			/>
		</FormSection>
	);
}

function Zone({ website, canEdit, update }: TabProps) {
	const { t } = useTranslation();
	const form = useForm<{ timezone: string }>({ timezone: website.timezone }, update);
	return (
		<FormSection title={t('settings.zone.title')} text={t('settings.zone.text')} form={form} isOpen={canEdit}>
			<ZoneField
				label={<span className="unseen">{t('settings.zone.title')}</span>}
				value={form.values.timezone}
				fault={form.faultOf('timezone') && t('settings.zone.unknown')}
				onChange={(event) => form.set({ timezone: event.target.value })}
			/>
		</FormSection>
	);
}

function Hostnames({ website, settings, canEdit, change }: TabProps) {
	const { t } = useTranslation();
	const form = useForm<{ hostnames: string }>({ hostnames: settings.hostnames ?? '' }, change);
	const fault = form.faultOf('hostnames');
	const line = faultyLine(fault);
	return (
		<FormSection
			title={t('settings.hostnames.title')}
			text={t('settings.hostnames.text', { domain: website.domain })}
			form={form}
			isOpen={canEdit}
		>
			<TextArea
				label={t('settings.hostnames.label')}
				hint={t('settings.hostnames.hint')}
				value={form.values.hostnames}
				fault={line === undefined ? fault : t('settings.hostnames.bad', { line })}
				placeholder={`${website.domain}\n*.${website.domain}`}
				autoCapitalize="none"
				spellCheck={false}
				onChange={(event) => form.set({ hostnames: event.target.value })}
			/>
		</FormSection>
	);
}

function Labels({ settings, canEdit, change }: TabProps) {
	const { t } = useTranslation();
	const form = useForm<{ labels: string }>({ labels: settings.labels.join(', ') }, change);
	return (
		<FormSection
			title={t('settings.labels.title')}
			text={t('settings.labels.text')}
			form={form}
			isOpen={canEdit}
		>
			<TextField
				label={<span className="unseen">{t('settings.labels.title')}</span>}
				hint={t('settings.labels.hint')}
				value={form.values.labels}
				fault={form.faultOf('labels') && t('settings.labels.bad')}
				onChange={(event) => form.set({ labels: event.target.value })}
			/>
		</FormSection>
	);
}
