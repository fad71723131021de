import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { formatDate } from '../../../presentation/format.ts';
import { FormSection } from '../../layout/settings/FormSection.tsx';
import { queries } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Card.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { manage } from '../../website-client.ts';
import { ConfirmForm } from './ConfirmForm.tsx';
import { DeleteByFilter } from './deletions/DeleteByFilter.tsx';
import { Export } from './Export.tsx';
import { firstKeptDate } from './first-kept-date.ts';
import { Imports } from './Imports.tsx';
import styles from './SettingsPage.module.css';
import type { TabProps } from './tab.ts';

export function Data(props: TabProps) {
	const { t } = useTranslation();
	const { website, isAdmin } = props;
	const [, navigate] = useLocation();
	const [action, setAction] = useState<'reset' | 'delete'>();
	const close = () => setAction(undefined);
	const [isReset, setReset] = useState(false);
	const reset = async () => {
		await manage.reset(website.id);
		await queries.invalidateQueries();
		setReset(true);
	};
	const remove = async () => {
		await manage.delete(website.id);
		navigate('/websites');
		queries.removeQueries({ predicate: ({ queryKey }) => queryKey[1] === website.id });
		await queries.invalidateQueries({ queryKey: ['websites'] });
	};
	return (
		<>
			<Retention {...props} />
			{isAdmin && <Imports {...props} />}
			{isAdmin && (
				<>
					<Export {...props} />
					<DeleteByFilter website={website} />
					<Section title={t('settings.reset.title')} text={t('settings.reset.text')}>
						<div className={styles.done}>
							<Button kind="danger" onClick={() => setAction('reset')}>
								{t('settings.reset.confirm')}
							</Button>
							<span className={styles.saved} role="status">
								{isReset && t('settings.reset.done')}
							</span>
						</div>
					</Section>
					<Section title={t('settings.delete.title')} text={t('settings.delete.text')}>
						<div className={styles.done}>
							<Button kind="danger" onClick={() => setAction('delete')}>
								{t('settings.delete.confirm')}
							</Button>
						</div>
					</Section>
				</>
			)}
			{action && (
				<Dialog
					isOpen
					title={t(`settings.${action}.title`)}
					text={t(`settings.${action}.warning`, { domain: website.domain })}
					closeLabel={t('common.close')}
					onClose={close}
				>
					<ConfirmForm
						domain={website.domain}
						action={t(`settings.${action}.confirm`)}
						cancel={t('common.cancel')}
						work={async () => {
							await (action === 'reset' ? reset() : remove());
							close();
						}}
						onCancel={close}
					/>
				</Dialog>
			)}
		</>
	);
}

function Retention({ website, settings, canEdit, change }: TabProps) {
	const { t, i18n } = useTranslation();
	const form = useForm(
		{ retention_months: String(settings.retention_months ?? '') },
		({ retention_months: months }) => change({ retention_months: months === '' ? '' : Number(months) }),
		({ retention_months: months }) => ({
			retention_months: isMonths(months) ? undefined : t('settings.retention.range'),
		}),
	);
	const months = form.values.retention_months;
	const isShorter =
		isMonths(months) && months !== '' && Number(months) < (settings.retention_months ?? Number.MAX_VALUE);
	return (
		<FormSection
			title={t('settings.retention.title')}
			text={t('settings.retention.text')}
			form={form}
			isOpen={canEdit}
			dangerLabel={isShorter ? t('settings.retention.saveAndDelete') : undefined}
		>
			<TextField
				label={t('settings.retention.label')}
				hint={
					isMonths(months) && months !== ''
						? t('settings.retention.deletes', {
								date: formatDate(firstKeptDate(new Date(), website.timezone, Number(months)), i18n.language, {
									dateStyle: 'long',
								}),
							})
						: t('settings.retention.forever')
				}
				inputMode="numeric"
				autoComplete="off"
				value={months}
				fault={form.faultOf('retention_months')}
				placeholder={t('settings.retention.placeholder')}
				onChange={(event) => form.set({ retention_months: event.target.value.trim() })}
			/>
		</FormSection>
	);
}

const isMonths = (text: string): boolean =>
	text === '' || (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= 120);
