import { useTranslation } from 'react-i18next';
import pairStyles from '../../../stats/goals/GoalDialog.module.css';
import { Button } from '../../../ui/Button.tsx';
import { SelectField, TextField } from '../../../ui/Field.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import type { useForm } from '../../../ui/use-form.ts';
import sectionStyles from '../SettingsPage.module.css';
import { ConditionList } from './ConditionList.tsx';
import styles from './Deletions.module.css';
import type { SelectionDraft } from './selection.ts';
import { refusedValue, useSelectionFault } from './use-selection-fault.ts';

/** 0 deletes from disk as soon as possible. */
const keepChoices = [30, 7, 0];

/** Which events to delete, and for how long that can be undone. */
export function SelectionForm(props: {
	form: ReturnType<typeof useForm<SelectionDraft>>;
	/** Whether the conditions were found incomplete before they were sent. */
	isIncomplete: boolean;
	onClose(): void;
}) {
	const { t } = useTranslation();
	const { form, isIncomplete, onClose } = props;
	const { conditions, from, to, keepDays } = form.values;
	const selectionFault = useSelectionFault();
	const conditionsFault = form.faultOf('conditions');
	const refused = refusedValue(conditionsFault);
	const hasOwnPlace = conditionsFault === undefined || isIncomplete || refused !== undefined;
	const fault = form.fault === undefined && hasOwnPlace ? undefined : selectionFault(form.error);
	return (
		<form className={styles.form} noValidate onSubmit={(event) => void form.submit(event)}>
			<ConditionList
				conditions={conditions}
				set={(conditions) => form.set({ conditions })}
				showsFaults={isIncomplete}
				refused={refused}
			/>
			<div className={pairStyles.pair}>
				<TextField
					label={t('exports.from')}
					type="date"
					value={from}
					hint={t('deletions.filter.allDays')}
					fault={form.faultOf('from')}
					onChange={({ target }) => form.set({ from: target.value })}
				/>
				<TextField
					label={t('exports.to')}
					type="date"
					value={to}
					hint={t('deletions.filter.allDays')}
					fault={form.faultOf('to')}
					onChange={({ target }) => form.set({ to: target.value })}
				/>
			</div>
			<SelectField
				label={t('deletions.filter.keep')}
				value={String(keepDays)}
				options={keepChoices.map((days) => ({
					value: String(days),
					label: days === 0 ? t('deletions.filter.keepNone') : t('deletions.filter.keepDays', { days }),
				}))}
				onChange={({ target }) => form.set({ keepDays: Number(target.value) })}
			/>
			{fault && <Notice kind="fault">{fault}</Notice>}
			<div className={sectionStyles.done}>
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('deletions.filter.preview')}
				</Button>
				<Button kind="quiet" onClick={onClose}>
					{t('common.cancel')}
				</Button>
				<span className={styles.text} role="status">
					{form.isBusy && t('deletions.counting')}
				</span>
			</div>
		</form>
	);
}
