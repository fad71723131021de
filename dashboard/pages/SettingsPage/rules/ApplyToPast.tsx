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
import { ConfirmForm } from '../ConfirmForm.tsx';
import deletionStyles from '../deletions/Deletions.module.css';
import { createDeletion, deletionsKey } from '../deletions/deletions-query.ts';
import { usePreviewText } from '../deletions/use-preview-text.ts';
import { useSelectionFault } from '../deletions/use-selection-fault.ts';
import { useUndoPeriod } from '../deletions/use-undo-period.ts';

const keepDays = 30;

/** Hides the past traffic that a rule matches. */
export function ApplyToPast(props: { website: number; domain: string; rule: TrafficRule; onClose(): void }) {
	const { t } = useTranslation();
	const previewText = usePreviewText();
	const selectionFault = useSelectionFault();
	const undoPeriod = useUndoPeriod();
	const { website, domain, rule, onClose } = props;
	const selection = { rule_id: rule.id, keep_days: keepDays };
	const preview = useQuery({
		queryKey: [...deletionsKey(website), 'preview', selection],
		queryFn: ({ signal }) => deletions.preview(website, selection, signal),
		// Each dialog counts anew, and its numbers stay as they were read.
		gcTime: 0,
		staleTime: Number.POSITIVE_INFINITY,
		retry: false,
	});
	const apply = async () => {
		await createDeletion(website, selection);
		onClose();
		await queries.invalidateQueries();
	};
	const form = useForm({}, apply);
	const { data } = preview;
	const hasEvents = data !== undefined && data.events + data.already_hidden > 0;
	const { until, isShort } = data && hasEvents ? undoPeriod(data) : { until: undefined, isShort: false };
	const error = form.error ?? preview.error;
	return (
		<Dialog
			isOpen
			title={t('deletions.rule.title', { name: rule.name })}
			text={
				until === undefined
					? t('deletions.rule.text')
					: until === null
						? t('deletions.rule.textFinal')
						: t('deletions.rule.textUntil', { date: until })
			}
			closeLabel={t('common.close')}
			onClose={onClose}
		>
			<div className={deletionStyles.status} role="status">
				{preview.isPending && t('deletions.counting')}
				{data && <b className={deletionStyles.matches}>{previewText.matches(data)}</b>}
			</div>
			{data &&
				previewText.details(data).map((text) => (
					<p key={text} className={deletionStyles.text}>
						{text}
					</p>
				))}
			{error && <Notice kind="fault">{selectionFault(error)}</Notice>}
			{hasEvents && isShort ? (
				<ConfirmForm
					domain={domain}
					action={t('deletions.rule.action')}
					cancel={t('common.cancel')}
					work={apply}
					onCancel={onClose}
				/>
			) : (
				<div className={pairStyles.tools}>
					{hasEvents && (
						<Button kind="danger" busy={form.isBusy} onClick={() => void form.submit()}>
							{t('deletions.rule.action')}
						</Button>
					)}
					<Button kind="quiet" onClick={onClose}>
						{t('common.cancel')}
					</Button>
				</div>
			)}
		</Dialog>
	);
}
