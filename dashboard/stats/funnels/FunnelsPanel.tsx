import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parametersOf } from '../../../presentation/view-query.ts';
import { type Funnel, statistics } from '../../api-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Empty, Failure } from '../../ui/States.tsx';
import type { PanelProps } from '../panel.ts';
import { useParameters } from '../use-parameters.ts';
import { FunnelDialog } from './FunnelDialog.tsx';
import { FunnelSteps } from './FunnelSteps.tsx';
import styles from './FunnelsPanel.module.css';
import { funnelsKey } from './funnels-key.ts';

/** One funnel at a time, one bar per step. */
export function FunnelsPanel({ website, query }: PanelProps) {
	const { t } = useTranslation();
	const { values, set } = useParameters(['funnel']);
	const [edited, setEdited] = useState<Funnel | 'new'>();
	const list = useQuery({
		queryKey: funnelsKey(website.id),
		queryFn: () => statistics.funnels(website.id),
		staleTime: 60_000,
	});
	const shown = list.data?.find(({ id }) => String(id) === values.funnel) ?? list.data?.[0];
	const scope = parametersOf(query);
	const result = useQuery({
		queryKey: ['funnel', website.id, shown?.id, shown?.updated_at, scope],
		enabled: shown !== undefined,
		queryFn: () => statistics.funnel(website.id, shown?.id ?? 0, scope),
		placeholderData: (before) => (before?.data.id === shown?.id ? before : undefined),
	});
	const dialog = edited && (
		<FunnelDialog
			website={website.id}
			funnel={edited === 'new' ? undefined : edited}
			onClose={(saved) => {
				setEdited(undefined);
				if (saved !== undefined) set({ funnel: String(saved) });
			}}
		/>
	);
	if (list.error) return <Failure error={list.error} onTryAgain={() => void list.refetch()} />;
	if (!list.data) return <Skeleton height={200} />;
	if (!shown)
		return (
			<Empty title={t('lazyPanels.funnels.none')}>
				<p>{t('lazyPanels.funnels.noneText')}</p>
				{website.canEdit && <Button onClick={() => setEdited('new')}>{t('lazyPanels.funnels.add')}</Button>}
				{dialog}
			</Empty>
		);
	return (
		<div className={styles.funnels}>
			<div className={styles.head}>
				{list.data.length > 1 ? (
					<select
						aria-label={t('lazyPanels.funnels.choose')}
						value={shown.id}
						onChange={({ target }) => set({ funnel: target.value })}
					>
						{list.data.map(({ id, name }) => (
							<option key={id} value={id}>
								{name}
							</option>
						))}
					</select>
				) : (
					<b>{shown.name}</b>
				)}
				{website.canEdit && (
					<span className={styles.tools}>
						<Button kind="quiet" onClick={() => setEdited(shown)}>
							{t('common.edit')}
						</Button>
						<Button kind="quiet" onClick={() => setEdited('new')}>
							{t('lazyPanels.funnels.add')}
						</Button>
					</span>
				)}
			</div>
			{result.error ? (
				<Failure error={result.error} onTryAgain={() => void result.refetch()} />
			) : result.data ? (
				<FunnelSteps answer={result.data} />
			) : (
				<Skeleton height={40 * shown.steps.length} />
			)}
			{dialog}
		</div>
	);
}
