import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, type OverviewLine } from '../api-client.ts';
import { toUnicode } from '../domain.ts';
import { queries } from '../queries.ts';
import { type BulkAnswer, changeWebsites } from '../templates-client.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { CheckList, TextField } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useFaultText } from '../ui/use-fault-text.ts';
import { useForm } from '../ui/use-form.ts';
import { TemplateField } from './TemplateField.tsx';
import styles from './templates.module.css';

type Values = {
	websites: readonly string[];
	add_labels: string;
	remove_labels: string;
	template_id: string;
};

/** Changes labels of several websites of the list, or applies a template to them. */
export function ChangeWebsites({ lines, onClose }: { lines: readonly OverviewLine[]; onClose(): void }) {
	const { t } = useTranslation();
	const textOf = useFaultText();
	const [failed, setFailed] = useState<BulkAnswer['data']>();
	const form = useForm<Values>(
		{ websites: [], add_labels: '', remove_labels: '', template_id: '' },
		async ({ websites, template_id, ...labels }) => {
			setFailed(undefined);
			const { data } = await changeWebsites({
				...labels,
				website_ids: websites.map(Number),
				...(template_id !== '' && { template_id }),
			});
			setFailed(data.filter(({ error }) => error !== undefined));
			await queries.invalidateQueries();
		},
		({ websites }) => ({ websites: websites.length === 0 ? t('templates.bulk.noneSelected') : undefined }),
	);
	const { values } = form;
	const isAll = values.websites.length === lines.length;
	const nameOf = (id: number | null) => toUnicode(lines.find((line) => line.id === id)?.domain ?? '');
	return (
		<Dialog
			isOpen
			title={t('templates.bulk.title')}
			text={t('templates.bulk.text')}
			closeLabel={t('common.close')}
			onClose={onClose}
		>
			<form className={styles.form} onSubmit={(event) => void form.submit(event)} noValidate>
				<div className={styles.select}>
					<Button
						kind="quiet"
						onClick={() => form.set({ websites: isAll ? [] : lines.map(({ id }) => String(id)) })}
					>
						{t(isAll ? 'templates.bulk.selectNone' : 'templates.bulk.selectAll')}
					</Button>
				</div>
				<div className={styles.websites}>
					<CheckList
						label={t('common.websites')}
						fault={form.faultOf('websites')}
						values={values.websites}
						options={lines.map(({ id, domain, labels }) => ({
							value: String(id),
							label: toUnicode(domain),
							hint: labels.join(', '),
						}))}
						onChange={(websites) => form.set({ websites })}
					/>
				</div>
				<TextField
					label={t('templates.bulk.add')}
					hint={t('settings.labels.hint')}
					fault={form.faultOf('add_labels') && t('settings.labels.bad')}
					value={values.add_labels}
					onChange={({ target }) => form.set({ add_labels: target.value })}
				/>
				<TextField
					label={t('templates.bulk.remove')}
					fault={form.faultOf('remove_labels') && t('settings.labels.bad')}
					value={values.remove_labels}
					onChange={({ target }) => form.set({ remove_labels: target.value })}
				/>
				<TemplateField
					label={t('templates.bulk.template')}
					hint={t('templates.bulk.templateHint')}
					value={values.template_id}
					onChange={(template) => form.set({ template_id: template ? String(template.id) : '' })}
				/>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				{failed?.map(({ id, status, error }) => (
					<Notice key={id} kind="fault">
						{nameOf(id)}: {error && textOf(new ApiError(status, problemOf(error)))}
					</Notice>
				))}
				{form.isSaved && failed?.length === 0 && <Notice kind="good">{t('common.saved')}</Notice>}
				<div className={styles.actions}>
					<Button kind="primary" type="submit" busy={form.isBusy}>
						{t('templates.bulk.send')}
					</Button>
					<Button kind="quiet" onClick={onClose}>
						{t('common.close')}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}

const problemOf = ({ code, message, errors }: NonNullable<BulkAnswer['data'][number]['error']>) => ({
	code,
	message,
	...(errors && { errors }),
});
