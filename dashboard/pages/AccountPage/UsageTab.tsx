import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../presentation/format.ts';
import { account } from '../../account-client.ts';
import { Section } from '../../ui/Card.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import styles from './AccountPage.module.css';

export function UsageTab() {
	const { t } = useTranslation();
	const query = useQuery({ queryKey: ['account'], queryFn: account.get });
	return (
		<Section text={t('account.usage.text')}>
			{query.data ? (
				<dl className={styles.figures}>
					<Figure
						label={t('account.usage.websites')}
						value={query.data.usage.websites}
						limit={query.data.limits.websites}
					/>
					<Figure
						label={t('account.usage.pageviews')}
						value={query.data.usage.pageviews_this_month}
						limit={query.data.limits.pageviews_per_month}
					/>
				</dl>
			) : query.error ? (
				<Failure error={query.error} onTryAgain={() => void query.refetch()} />
			) : (
				<Skeleton height={54} />
			)}
		</Section>
	);
}

function Figure({ label, value, limit }: { label: string; value: number; limit: number | null }) {
	const { t, i18n } = useTranslation();
	const share = limit === null ? 0 : Math.min(1, limit === 0 ? 1 : value / limit);
	return (
		<div>
			<dt>{label}</dt>
			<dd>
				<strong>{formatCount(value, i18n.language)}</strong>{' '}
				<span>
					{limit === null
						? t('account.usage.noLimit')
						: t('account.usage.limit', { limit: formatCount(limit, i18n.language) })}
				</span>
				{limit !== null && (
					<div className={styles.bar} data-full={share === 1 || undefined} aria-hidden="true">
						<i style={{ width: `${share * 100}%` }} />
					</div>
				)}
			</dd>
		</div>
	);
}
