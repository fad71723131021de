import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ViewQuery } from '../../../presentation/view-query.ts';
import { statistics } from '../../api-client.ts';
import type { ShownWebsite } from '../../stats/panel.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Empty } from '../../ui/States.tsx';

/** Empty state: filters match nothing, no visitors, or no data yet. */
export function NothingShown({ website, query }: { website: ShownWebsite; query: ViewQuery }) {
	const { t } = useTranslation();
	const isFiltered = query.filters.length > 0 || query.segment !== undefined;
	const ever = useQuery({
		queryKey: ['stats', website.id, 'ever'],
		queryFn: () => statistics.page(website.id, { period: 'all', metrics: ['pageviews', 'events'] }),
		enabled: !isFiltered,
	});
	const totals = ever.data?.data.totals;
	const isNew = totals !== undefined && totals.pageviews === 0 && totals.events === 0;
	if (!isFiltered && !ever.data && !ever.error) return <Skeleton height={264} />;
	if (isNew && !isFiltered)
		return (
			<Empty title={t('lazyPanels.noData.title')}>
				<p>{t('lazyPanels.noData.text')}</p>
				{website.canEdit && (
					<ButtonLink kind="primary" href={`/websites/${website.id}/install`}>
						{t('lazyPanels.noData.install')}
					</ButtonLink>
				)}
			</Empty>
		);
	return (
		<Empty title={t('statistics.empty.title')}>
			<p>{t(isFiltered ? 'statistics.empty.textFiltered' : 'statistics.empty.text')}</p>
		</Empty>
	);
}
