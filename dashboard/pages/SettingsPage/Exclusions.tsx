import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { security } from '../../account-client.ts';
import { FormSection, SwitchSection } from '../../layout/settings/FormSection.tsx';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Card.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { useFaultText } from '../../ui/use-fault-text.ts';
import { useForm } from '../../ui/use-form.ts';
import { faultyLine, linesOf } from './lines.ts';
import { TrafficRules } from './rules/TrafficRules.tsx';
import styles from './SettingsPage.module.css';
import type { TabProps } from './tab.ts';

export function Exclusions(props: TabProps) {
	const { t } = useTranslation();
	const { website, settings, canEdit, isAdmin, update, change } = props;
	return (
		<>
			<SwitchSection
				title={t('settings.bots.title')}
				label={t('settings.bots.label')}
				hint={t('settings.bots.hint')}
				isOn={website.exclude_bots === 1}
				isOpen={canEdit}
				store={(isOn) => update({ exclude_bots: isOn ? 1 : 0 })}
			/>
			<SwitchSection
				title={t('settings.signals.title')}
				label={t('settings.signals.label')}
				hint={t('settings.signals.hint')}
				isOn={settings.honour_signals === 1}
				isOpen={canEdit}
				store={(isOn) => change({ honour_signals: isOn ? 1 : 0 })}
			/>
			{canEdit ? (
				<Addresses {...props} />
			) : (
				<Section title={t('settings.addresses.title')}>
					<p className={styles.text}>{t('settings.addresses.hidden')}</p>
				</Section>
			)}
			{canEdit && <TrafficRules website={website.id} domain={website.domain} isAdmin={isAdmin} />}
			<Section title={t('settings.ownVisits.title')} text={t('settings.ownVisits.text')}>
				<Copy label={t('settings.ownVisits.label')} text={`https://${website.domain}/#tidemark-ignore`} />
				<p className={styles.text}>{t('settings.ownVisits.back')}</p>
			</Section>
			<Params {...props} />
		</>
	);
}

function Addresses({ website, update }: TabProps) {
	const { t } = useTranslation();
	const textOf = useFaultText();
	const form = useForm<{ exclude_ips: string }>({ exclude_ips: website.exclude_ips ?? '' }, update);
	const [message, setMessage] = useState({ text: '', isAboutChange: false });
	const addMine = async () => {
		try {
			const { network } = await security.address();
			const lines = linesOf(form.values.exclude_ips);
			if (lines.includes(network)) {
				setMessage({ text: t('settings.addresses.known', { address: network }), isAboutChange: false });
				return;
			}
			form.set({ exclude_ips: [...lines, network].join('\n') });
			setMessage({ text: t('settings.addresses.added', { address: network }), isAboutChange: true });
		} catch (error) {
			setMessage({ text: textOf(error), isAboutChange: false });
		}
	};
	const fault = form.faultOf('exclude_ips');
	const line = faultyLine(fault);
	return (
		<FormSection title={t('settings.addresses.title')} text={t('settings.addresses.text')} form={form}>
			<TextArea
				label={t('settings.addresses.label')}
				hint={t('settings.addresses.hint')}
				value={form.values.exclude_ips}
				fault={line === undefined ? fault : t('settings.addresses.bad', { line })}
				placeholder={'203.0.113.7\n10.0.0.0/8'}
				spellCheck={false}
				onChange={(event) => form.set({ exclude_ips: event.target.value })}
			/>
			<div className={styles.done}>
				<Button onClick={() => void addMine()}>{t('settings.addresses.addMine')}</Button>
				<span className={styles.text} role="status">
					{(form.isChanged || !message.isAboutChange) && message.text}
				</span>
			</div>
		</FormSection>
	);
}

function Params({ website, canEdit, update }: TabProps) {
	const { t } = useTranslation();
	const form = useForm<{ exclude_params: string }>({ exclude_params: website.exclude_params ?? '' }, update);
	return (
		<FormSection
			title={t('settings.params.title')}
			text={t('settings.params.text')}
			form={form}
			isOpen={canEdit}
		>
			<TextArea
				label={t('settings.params.label')}
				hint={t('settings.params.hint')}
				value={form.values.exclude_params}
				fault={form.faultOf('exclude_params')}
				placeholder={'session\nref'}
				autoCapitalize="none"
				spellCheck={false}
				onChange={(event) => form.set({ exclude_params: event.target.value })}
			/>
		</FormSection>
	);
}
