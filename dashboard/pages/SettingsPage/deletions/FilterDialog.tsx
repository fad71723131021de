import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../../presentation/format.ts';
import type { WebsiteRecord } from '../../../api-client.ts';
import { type DeletionPreview, deletions } from '../../../deletions-client.ts';
import pairStyles from '../../../stats/goals/GoalDialog.module.css';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { ConfirmForm } from '../ConfirmForm.tsx';
import { ConditionLine } from './ConditionLine.tsx';
import styles from './Deletions.module.css';
import { createDeletion } from './deletions-query.ts';
import { KeptElsewhere } from './KeptElsewhere.tsx';
import { SelectionForm } from './SelectionForm.tsx';
import { isComplete, newCondition, type SelectionDraft, selectionOf } from './selection.ts';
import { usePreviewText } from './use-preview-text.ts';
import { useUndoPeriod } from './use-undo-period.ts';

const emptyDraft: SelectionDraft = { conditions: [newCondition([])], from: '', to: '', keepDays: 30 };

/** A selection with what it would delete. */
type Previewed = { selection: ReturnType<typeof selectionOf>; keepDays: number; preview: DeletionPreview };

/** Selects events, shows what would be deleted, and deletes it after a confirmation. */
export function FilterDialog(props: {
	website: WebsiteRecord;
	onDeleted(): Promise<unknown>;
	onClose(): void;
}) {
	const { t, i18n } = useTranslation();
	const { website, onDeleted, onClose } = props;
	const [previewed, setPreviewed] = useState<Previewed>();
	const previewText = usePreviewText();
	const undoPeriod = useUndoPeriod();
	const [isConfirming, setConfirming] = useState(false);
	const confirmation = useRef<HTMLDivElement>(null);
	useEffect(() => {
		// The dialog itself focuses a field only when it opens.
		const field = confirmation.current?.querySelector('input');
		if (isConfirming && matchMedia('(pointer: fine)').matches) field?.focus();
	}, [isConfirming]);
	const form = useForm(
		emptyDraft,
		async (draft) => {
			const selection = selectionOf(draft);
			const preview = await deletions.preview(website.id, { ...selection, keep_days: draft.keepDays });
			setPreviewed({ selection, preview, keepDays: draft.keepDays });
		},
		({ conditions, from, to }) => ({
			conditions: conditions.every(isComplete) ? undefined : t('trafficRules.valuesNeeded'),
			to: from !== '' && to !== '' && to < from ? t('exports.order') : undefined,
		}),
	);
	const common = { isOpen: true, closeLabel: t('common.close'), onClose };
	if (!previewed)
		return (
			<Dialog {...common} title={t('deletions.filter.title')} text={t('deletions.filter.dialogText')}>
				<SelectionForm
					form={form}
					isIncomplete={form.faultOf('conditions') !== undefined && !form.values.conditions.every(isComplete)}
					onClose={onClose}
				/>
			</Dialog>
		);
	const { selection, keepDays, preview } = previewed;
	const events = { count: preview.events, total: formatCount(preview.events, i18n.language) };
	const isOnlyHidden = preview.events === 0;
	const isOnlyOfTotals = isOnlyHidden && preview.already_hidden === 0;
	const action = isOnlyHidden ? t('common.delete') : t('deletions.filter.action', events);
	const kept = isOnlyOfTotals ? 'keepsValues' : 'keeps';
	const { until, isShort } = undoPeriod(preview);
	const keeps = until === null ? t(`deletions.${kept}None`) : t(`deletions.${kept}`, { date: until });
	if (!isConfirming)
		return (
			<Dialog
				{...common}
				title={t('deletions.filter.title')}
				text={<b className={styles.matches}>{previewText.matches(preview)}</b>}
			>
				<PreviewStep
					selection={selection}
					preview={preview}
					details={previewText.details(preview)}
					keeps={keeps}
					action={action}
					onBack={() => setPreviewed(undefined)}
					onConfirm={() => setConfirming(true)}
				/>
			</Dialog>
		);
	return (
		<Dialog
			{...common}
			title={isOnlyHidden ? t('deletions.filter.title') : t('deletions.filter.confirm', events)}
			text={isOnlyOfTotals ? `${previewText.totals(preview)} ${keeps}` : keeps}
		>
			<div ref={confirmation}>
				<ConfirmForm
					domain={isShort ? website.domain : undefined}
					action={action}
					cancel={t('common.back')}
					work={async () => {
						await createDeletion(website.id, { ...selection, keep_days: keepDays });
						onClose();
						await onDeleted();
					}}
					onCancel={() => setConfirming(false)}
				/>
			</div>
		</Dialog>
	);
}

function PreviewStep(props: {
	selection: Previewed['selection'];
	preview: DeletionPreview;
	/** What happens to other events, and to totals without events. */
	details: readonly string[];
	/** What happens to the events, or to the values if there are only those. */
	keeps: string;
	action: string;
	onBack(): void;
	onConfirm(): void;
}) {
	const { t } = useTranslation();
	const { selection, preview, details, keeps, action, onBack, onConfirm } = props;
	const isEmpty = preview.events === 0 && preview.already_hidden === 0 && preview.earlier_values === 0;
	return (
		<>
			<ul className={styles.selected}>
				{selection.conditions.map((condition, index) => (
					<li key={JSON.stringify(condition)}>
						<ConditionLine condition={condition} isFirst={index === 0} />
					</li>
				))}
			</ul>
			{details.map((text) => (
				<p key={text} className={styles.text}>
					{text}
				</p>
			))}
			{!isEmpty && (
				<>
					<p>{keeps}</p>
					<p>{t('deletions.newEvents')}</p>
					<KeptElsewhere kept={preview.kept_elsewhere} />
				</>
			)}
			<div className={pairStyles.tools}>
				{!isEmpty && (
					<Button kind="danger" onClick={onConfirm}>
						{action}
					</Button>
				)}
				<Button kind="quiet" onClick={onBack}>
					{t('common.back')}
				</Button>
			</div>
		</>
	);
}
