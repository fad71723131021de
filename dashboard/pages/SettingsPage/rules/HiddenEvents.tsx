import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../../presentation/format.ts';
import type { Deletion } from '../../../deletions-client.ts';
import { isDue } from '../deletions/deletions-query.ts';
import { UndoButton } from '../deletions/UndoButton.tsx';
import { useDateText } from '../deletions/use-days-text.ts';
import styles from './TrafficRules.module.css';

/** The past events that a rule hides at present. */
export function HiddenEvents(props: { website: number; deletion: Deletion; isAdmin: boolean }) {
	const { t, i18n } = useTranslation();
	const dateText = useDateText();
	const textId = useId();
	const { website, deletion, isAdmin } = props;
	const { id, state, delete_at } = deletion;
	const events = deletion.events + deletion.already_hidden;
	return (
		<div className={styles.hidden}>
			<span id={textId} role="status">
				{t(isDue(deletion) ? 'deletions.rule.due' : 'deletions.rule.hidden', {
					count: events,
					total: formatCount(events, i18n.language),
					date: dateText(delete_at),
				})}
			</span>
			{isAdmin && state === 'hidden' && <UndoButton website={website} id={id} describedBy={textId} />}
		</div>
	);
}
