import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Goal, statistics } from '../../api-client.ts';
import { GoalDialog } from '../../stats/goals/GoalDialog.tsx';
import { goalsKey, refreshGoals } from '../../stats/goals/goals-key.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Empty, Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';
import { goals } from '../../website-client.ts';
import styles from './Goals.module.css';
import type { TabProps } from './tab.ts';

export function Goals({ website, canEdit }: TabProps) {
	const { t } = useTranslation();
	const { data, error, refetch } = useQuery({
		queryKey: goalsKey(website.id),
		queryFn: () => statistics.goals(website.id),
	});
	const [edited, setEdited] = useState<Goal | 'new'>();
	const [deleted, setDeleted] = useState<Goal>();
	const add = (
		<Button kind="primary" onClick={() => setEdited('new')}>
			{t('settings.goals.add')}
		</Button>
	);
	if (!data) return error ? <Failure error={error} onTryAgain={() => void refetch()} /> : <Waiting />;
	return (
		<div className={styles.goals}>
			{canEdit && data.length > 0 && <div>{add}</div>}
			{data.length === 0 ? (
				<Empty title={t('settings.goals.none')}>
					<p>{t('settings.goals.noneText')}</p>
					{canEdit && add}
				</Empty>
			) : (
				<ul className={styles.list}>
					{data.map((goal) => (
						<li key={goal.id}>
							<div>
								<b>{goal.name}</b>
								<small>
									{t(`settings.goals.kinds.${goal.kind}.title`)} <code>{goal.pattern}</code>
									{goal.property && (
										<>
											{' '}
											· <code>{goal.property.name}</code>{' '}
											{t(`statistics.filter.tests.${goal.property.test ?? 'is'}`)}{' '}
											<code>{goal.property.value}</code>
										</>
									)}
								</small>
							</div>
							{canEdit && (
								<div className={styles.tools}>
									<Button
										kind="quiet"
										aria-label={t('settings.goals.editOne', { name: goal.name })}
										onClick={() => setEdited(goal)}
									>
										{t('common.edit')}
									</Button>
									<Button
										kind="quiet"
										aria-label={t('settings.goals.deleteOne', { name: goal.name })}
										onClick={() => setDeleted(goal)}
									>
										{t('common.delete')}
									</Button>
								</div>
							)}
						</li>
					))}
				</ul>
			)}
			{edited && (
				<GoalDialog
					website={website.id}
					goal={edited === 'new' ? undefined : edited}
					onClose={() => setEdited(undefined)}
				/>
			)}
			{deleted && <DeleteDialog website={website.id} goal={deleted} onClose={() => setDeleted(undefined)} />}
		</div>
	);
}

function DeleteDialog({ website, goal, onClose }: { website: number; goal: Goal; onClose(): void }) {
	const { t } = useTranslation();
	const form = useForm({}, async () => {
		await goals.delete(website, goal.id);
		await refreshGoals(website);
		onClose();
	});
	return (
		<Dialog
			isOpen
			title={t('settings.goals.deleteTitle', { name: goal.name })}
			text={t('settings.goals.deleteText')}
			closeLabel={t('common.close')}
			onClose={onClose}
		>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={styles.tools}>
				<Button kind="danger" busy={form.isBusy} onClick={() => void form.submit()}>
					{t('common.delete')}
				</Button>
				<Button kind="quiet" onClick={onClose}>
					{t('common.cancel')}
				</Button>
			</div>
		</Dialog>
	);
}

function Waiting() {
	return (
		<div className={styles.goals}>
			<Skeleton width={110} height={34} />
			{[1, 2, 3].map((line) => (
				<Skeleton key={line} height={44} />
			))}
		</div>
	);
}
