import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changesOf } from '../../../presentation/metrics.ts';
import { type MetricName, pageBodyOf } from '../../../presentation/view-query.ts';
import { type Row, statistics } from '../../api-client.ts';
import styles from '../BreakdownPanel.module.css';
import { visibleBreakdowns } from '../breakdowns.ts';
import { Changed } from '../Changed.tsx';
import { shownPanels } from '../lazy-panels.ts';
import type { PanelProps } from '../panel.ts';
import { canCompareRows } from './compared-rows.ts';

type Props = Pick<PanelProps, 'website' | 'query' | 'tab' | 'page'> & { row: Row; metric: MetricName };

/** The change of a row. All rows share one request, which follows that of the page so that the page does not wait for it. */
export function RowChange({ website, query, tab, page, row, metric }: Props) {
	const { i18n } = useTranslation();
	const dimension = tab.dimension ?? '';
	const breakdowns = visibleBreakdowns(query, shownPanels).map((breakdown) => ({
		...breakdown,
		compare_rows: canCompareRows({ website, query, tab, page }, breakdown.dimension),
	}));
	const body = pageBodyOf(query, breakdowns);
	const result = useQuery({
		queryKey: ['stats', website.id, 'changes', body],
		queryFn: ({ signal }) => statistics.page(website.id, body, signal),
		enabled: page !== undefined && breakdowns.some(({ compare_rows }) => compare_rows),
		staleTime: 5 * 60_000,
	});
	const rows = result.data?.data.breakdowns.find((breakdown) => breakdown.dimension === dimension)?.rows;
	const before = rows?.find(({ value, other }) => value === row.value && other === row.other)?.compared?.[
		metric
	];
	const [changed] = changesOf(metric, row[metric], before, i18n.language);
	if (!changed || changed.change.direction === 'same') return null;
	return (
		<span className={styles.change}>
			<Changed {...changed} />
		</span>
	);
}
