import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../presentation/format.ts';
import type { Overview } from '../../api-client.ts';
import { Card } from '../../ui/Card.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Sparkline } from '../../ui/Sparkline.tsx';
import { Change } from './Change.tsx';
import type { ListComparison, ListPeriod } from './list-state.ts';
import styles from './Totals.module.css';

type Sums = Pick<Overview['meta']['totals'], 'visitors' | 'change' | 'sparkline'>;

/** Totals of the listed websites. */
export function Totals({
	totals,
	period,
	compare,
}: {
	totals: { now: number; today: Sums | undefined; days: Sums | undefined } | undefined;
	period: ListPeriod;
	compare: ListComparison;
}) {
	const { t, i18n } = useTranslation();
	const count = (value: number | null | undefined) =>
		value === undefined ? <Skeleton width={64} height={24} /> : formatCount(value, i18n.language);
	const now = totals?.now;
	return (
		<div className={styles.totals}>
			<Card>
				<h2 className="unseen">{t('websites.totals.title')}</h2>
				<dl className={styles.sums}>
					<div>
						<dt>
							<i className={styles.dot} data-some={(now ?? 0) > 0} aria-hidden="true" />
							{t('websites.totals.now')}
						</dt>
						<dd>{count(now)}</dd>
					</div>
					<div>
						<dt>{t('websites.totals.today')}</dt>
						<dd>
							{count(totals?.today?.visitors)} <Change change={totals?.today?.change} compare={compare} />
						</dd>
					</div>
					<div>
						<dt>{t(`websites.totals.${period === '30d' ? 'days30' : 'days7'}`)}</dt>
						<dd>
							{count(totals?.days?.visitors)} <Change change={totals?.days?.change} compare={compare} />
						</dd>
					</div>
				</dl>
				<Sparkline
					className={styles.line}
					values={totals?.days?.sparkline ?? []}
					isLastUnfinished
					height={48}
				/>
			</Card>
		</div>
	);
}
