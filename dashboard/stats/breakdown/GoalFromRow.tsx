import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import { goals } from '../../website-client.ts';
import { GoalNameField } from '../goals/GoalNameField.tsx';
import { refreshGoals } from '../goals/goals-key.ts';
import type { ShownWebsite } from '../panel.ts';
import styles from './GoalFromRow.module.css';

/** Creates a goal from a page or an event. Only the name is asked for. */
export function GoalFromRow({
	website,
	kind,
	pattern,
	name,
	onClose,
}: {
	website: ShownWebsite;
	kind: 'page' | 'event';
	pattern: string;
	name: string;
	onClose(): void;
}) {
	const { t } = useTranslation();
	const form = useForm(
		{ name: name.slice(0, 100) },
		async (fields) => {
			await goals.create(website.id, { ...fields, kind, pattern, property: null });
			await refreshGoals(website.id);
			onClose();
		},
		(fields) => ({ name: fields.name.trim() === '' ? t('settings.goals.nameNeeded') : undefined }),
	);
	return (
		<Dialog
			isOpen
			title={t('lazyPanels.rows.goal')}
			text={t(kind === 'page' ? 'lazyPanels.rows.goalPage' : 'lazyPanels.rows.goalEvent', { pattern })}
			closeLabel={t('common.close')}
			onClose={onClose}
		>
			<form className={styles.form} onSubmit={(event) => void form.submit(event)}>
				<GoalNameField form={form} />
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				<div>
					<Button kind="primary" type="submit" busy={form.isBusy}>
						{t('lazyPanels.rows.goal')}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}
