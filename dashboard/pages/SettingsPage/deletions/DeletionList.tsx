import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../../presentation/format.ts';
import type { Deletion } from '../../../deletions-client.ts';
import { Button } from '../../../ui/Button.tsx';
import { Row, Rows } from '../../../ui/Rows.tsx';
import { ConditionLine } from './ConditionLine.tsx';
import styles from './Deletions.module.css';
import { isDue } from './deletions-query.ts';
import { UndoButton } from './UndoButton.tsx';
import { useDateText, useDaysText } from './use-days-text.ts';

const shownFirst = 10;

/** Deletions with what they selected, and a button to undo those that are only hidden. */
export function DeletionList({ website, list }: { website: number; list: readonly Deletion[] }) {
	const { t } = useTranslation();
	const [isWhole, setWhole] = useState(false);
	return (
		<div className={styles.deleted}>
			<h3>{t('deletions.list.title')}</h3>
			<Rows label={t('deletions.list.title')}>
				{list.slice(0, isWhole ? undefined : shownFirst).map((deletion) => (
					<DeletionRow key={deletion.id} website={website} deletion={deletion} />
				))}
			</Rows>
			{!isWhole && list.length > shownFirst && (
				<div>
					<Button onClick={() => setWhole(true)}>{t('deletions.list.all')}</Button>
				</div>
			)}
		</div>
	);
}

function DeletionRow({ website, deletion }: { website: number; deletion: Deletion }) {
	const { t } = useTranslation();
	const titleId = useId();
	const { id, name, conditions, state } = deletion;
	// Without their values, conditions can be the same.
	const numbered = conditions.map((condition, index) => ({ condition, number: index + 1 }));
	const selected = numbered.map(({ condition, number }) => (
		<ConditionLine key={number} condition={condition} isFirst={number === 1} />
	));
	const title = name === null ? selected.shift() : t('deletions.list.rule', { name });
	return (
		<Row
			title={
				<span id={titleId} className={styles.what}>
					{title}
				</span>
			}
			lines={[
				...selected,
				<Amount key="amount" deletion={deletion} />,
				<span key="state" role="status">
					<StateText deletion={deletion} />
				</span>,
			]}
		>
			{state === 'hidden' && <UndoButton website={website} id={id} describedBy={titleId} />}
		</Row>
	);
}

function Amount({ deletion }: { deletion: Deletion }) {
	const { t, i18n } = useTranslation();
	const daysText = useDaysText();
	const { days, from, to, earlier_values: values } = deletion;
	const events = deletion.events + deletion.already_hidden;
	if (values > 0 && events === 0)
		return t('deletions.list.values', { count: values, total: formatCount(values, i18n.language) });
	if (from === null || to === null) return t('deletions.list.noEvents');
	return t('deletions.list.events', {
		count: events,
		total: formatCount(events, i18n.language),
		days: daysText({ days, from, to }),
	});
}

function StateText({ deletion }: { deletion: Deletion }) {
	const { t } = useTranslation();
	const dateText = useDateText();
	const { state, delete_at, ended_at } = deletion;
	const shown = state === 'deleting' || isDue(deletion) ? 'due' : state;
	return t(`deletions.states.${shown}`, { date: dateText(ended_at ?? delete_at) });
}
