import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { formatRate } from '../../../presentation/format.ts';
import { defaults, parametersOf, type ViewQuery } from '../../../presentation/view-query.ts';
import { statistics, websites } from '../../api-client.ts';
import type { ShownWebsite } from '../../stats/panel.ts';
import styles from './SignalsLine.module.css';

/** Lower shares are not shown. */
const leastShare = 0.02;

/** Tells members how many hits were excluded because of privacy signals. */
export function SignalsLine({ website, query }: { website: ShownWebsite; query: ViewQuery }) {
	const { t, i18n } = useTranslation();
	// Ignores filters, because hits are excluded before they could be filtered.
	const { period, from, to } = query;
	const scope = parametersOf({ ...defaults, period, from, to });
	const { data: share = 0 } = useQuery({
		queryKey: ['signals', website.id, scope],
		enabled: website.canEdit,
		staleTime: 300_000,
		queryFn: async ({ signal }) => {
			const { data: drops } = await websites.drops(website.id, scope);
			const left = drops.reasons.find(({ reason }) => reason === 'privacy_signal')?.count ?? 0;
			if (left === 0) return 0;
			const { data } = await statistics.summary(
				website.id,
				{ ...scope, metrics: 'pageviews,events' },
				signal,
			);
			const counted = (data.totals.pageviews ?? 0) + (data.totals.events ?? 0);
			return left / (left + counted);
		},
	});
	if (share <= leastShare) return null;
	return (
		<p className={styles.line}>
			{t('statistics.signals', { share: formatRate(share, i18n.language) })}{' '}
			<Link href={`/websites/${website.id}/settings/exclusions`}>{t('statistics.signalsLink')}</Link>
		</p>
	);
}
