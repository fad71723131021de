import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { statistics } from '../../api-client.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Empty, Failure } from '../../ui/States.tsx';
import { GoalFromRow } from '../breakdown/GoalFromRow.tsx';
import type { ShownWebsite } from '../panel.ts';
import { useNames } from '../use-names.ts';
import { GoalDialog } from './GoalDialog.tsx';
import { goalsKey } from './goals-key.ts';

/** No goal was completed: either there is none yet, or none was reached. */
export function NoConversions({ website }: { website: ShownWebsite }) {
	const { t } = useTranslation();
	const names = useNames();
	const [creating, setCreating] = useState<'empty' | 'event'>();
	const list = useQuery({ queryKey: goalsKey(website.id), queryFn: () => statistics.goals(website.id) });
	const isFirst = list.data?.length === 0;
	const parameters = { period: '30d', metrics: 'visitors', per_page: 10 };
	const events = useQuery({
		queryKey: ['stats', website.id, 'event', parameters],
		queryFn: ({ signal }) => statistics.breakdown(website.id, 'event', parameters, signal),
		enabled: isFirst,
	});
	if (list.error && !list.data) return <Failure error={list.error} onTryAgain={() => void list.refetch()} />;
	if (!list.data) return <Skeleton height={200} />;
	if (!isFirst)
		return (
			<Empty title={t('panels.goals.nothing')}>
				<ButtonLink href={`/websites/${website.id}/settings/goals`}>
					{t('lazyPanels.goals.manage')}
				</ButtonLink>
			</Empty>
		);
	const event = events.data?.data.find(({ other, value }) => !other && value !== '')?.value;
	const name = event === undefined ? '' : names.value('event', event);
	const close = () => setCreating(undefined);
	return (
		<Empty title={t('settings.goals.none')}>
			<p>{t('lazyPanels.goals.noneText')}</p>
			{event !== undefined && (
				<Button kind="primary" onClick={() => setCreating('event')}>
					{t('lazyPanels.goals.from', { name })}
				</Button>
			)}
			<Button onClick={() => setCreating('empty')}>{t('lazyPanels.goals.add')}</Button>
			{creating === 'empty' && <GoalDialog website={website.id} goal={undefined} onClose={close} />}
			{creating === 'event' && event !== undefined && (
				<GoalFromRow website={website} kind="event" pattern={event} name={name} onClose={close} />
			)}
		</Empty>
	);
}
