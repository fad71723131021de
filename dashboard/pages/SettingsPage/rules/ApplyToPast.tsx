import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { deletions } from '../../../deletions-client.ts';
import { queries } from '../../../queries.ts';
import type { TrafficRule } from '../../../rules-client.ts';
import pairStyles from '../../../stats/goals/GoalDialog.module.css';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { useForm } from '../../../ui/use-form.ts';
import deletionStyles from '../deletions/Deletions.module.css';
import { createDeletion, deletionsKey } from '../deletions/deletions-query.ts';
import { usePreviewText } from '../deletions/use-preview-text.ts';
import { useSelectionFault } from '../deletions/use-selection-fault.ts';

const keepDays = 30;

/** Hides the past traffic that a rule matches. */
export function ApplyToPast(props: { website: number; rule: TrafficRule; onClose(): void }) {
	const { t } = useTranslation();
	const previewText = usePreviewText();
	const selectionFault = useSelectionFault();
	const { website, rule, onClose } = props;
	const selection = { rule_id: rule.id };
	const preview = useQuery({
		queryKey: [...deletionsKey(website), 'preview', selection],
		queryFn: ({ signal }) => deletions.preview(website, selection, signal),
		// Each dialog counts anew, and its numbers stay as they were read.
		gcTime: 0,
		staleTime: Number.POSITIVE_INFINITY,
		retry: false,
	});
	const form = useForm({}, async () => {
		await createDeletion(website, { ...selection, keep_days: keepDays });
		onClose();
		await queries.invalidateQueries();
	});
	const totals = preview.data && previewText.totals(preview.data);
	const error = form.error ?? preview.error;
	return (
		<Dialog
			isOpen
			title={t('deletions.rule.title', { name: rule.name })}
			text={t('deletions.rule.text', { days: keepDays })}
			closeLabel={t('common.close')}
			onClose={onClose}
		>
			<div className={deletionStyles.status} role="status">
				{preview.isPending && t('deletions.counting')}
				{preview.data && <b className={deletionStyles.matches}>{previewText.matches(preview.data)}</b>}
			</div>
			{totals && <p className={deletionStyles.text}>{totals}</p>}
			{error && <Notice kind="fault">{selectionFault(error)}</Notice>}
			<div className={pairStyles.tools}>
				{preview.data && preview.data.events > 0 && (
					<Button kind="danger" busy={form.isBusy} onClick={() => void form.submit()}>
						{t('deletions.rule.action')}
					</Button>
				)}
				<Button kind="quiet" onClick={onClose}>
					{t('common.cancel')}
				</Button>
			</div>
		</Dialog>
	);
}
