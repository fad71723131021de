import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { statistics, websites } from '../api-client.ts';
import { formatRate } from '../format.ts';
import { type Asked, defaults, parametersOf } from '../question-state.ts';
import type { ShownWebsite } from './panel.ts';
import styles from './SignalsLine.module.css';

/** Below this it is not worth a line. */
const leastShare = 0.02;

/** Says when many hits were left out because browsers ask for it, to whoever can do something about it. */
export function SignalsLine({ website, asked }: { website: ShownWebsite; asked: Asked }) {
	const { t, i18n } = useTranslation();
	// About the whole period: what was left out was left out before it could be filtered.
	const { period, from, to } = asked;
	const scope = parametersOf({ ...defaults, period, from, to });
	const { data: share = 0 } = useQuery({
		queryKey: ['signals', website.id, scope],
		enabled: website.canEdit,
		staleTime: 300_000,
		queryFn: async ({ signal }) => {
			const { data: drops } = await websites.drops(website.id, scope);
			const left = drops.reasons.find(({ reason }) => reason === 'privacy_signal')?.count ?? 0;
			if (left === 0) return 0;
			const { data } = await statistics.whole(website.id, { ...scope, metrics: 'pageviews,events' }, signal);
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
