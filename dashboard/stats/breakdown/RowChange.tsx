import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changesOf } from '../../../presentation/metrics.ts';
import { type MetricName, pageBodyOf } from '../../../presentation/view-query.ts';
import { type Row, statistics } from '../../api-client.ts';
import { useMedia } from '../../ui/use-media.ts';
import styles from '../BreakdownPanel.module.css';
import { visibleBreakdowns } from '../breakdowns.ts';
import { Changed } from '../Changed.tsx';
import { panelsFor } from '../lazy-panels.ts';
import type { PanelProps } from '../panel.ts';
import { isAlike, pageKeyOf } from '../use-page.ts';
import { canCompareRows } from './compared-rows.ts';

type Props = Pick<PanelProps, 'website' | 'query' | 'tab' | 'page'> & { row: Row; metric: MetricName };

/** The change of a row. All rows share one request, which follows each answer of the page, so that the page does not wait for it. */
export function RowChange({ website, query, tab, page, row, metric }: Props) {
	const { i18n } = useTranslation();
	// On phones the name needs the room.
	const isWide = useMedia('(min-width: 481px)');
	const shown = visibleBreakdowns(query, panelsFor(website));
	const isAnswered =
		useQueryClient().getQueryData(pageKeyOf(website.id, pageBodyOf(query, shown))) !== undefined;
	const breakdowns = shown.map((breakdown) => ({
		...breakdown,
		compare_rows: canCompareRows({ website, query, tab, page }, breakdown.dimension),
	}));
	const body = pageBodyOf(query, breakdowns);
	const result = useQuery({
		queryKey: ['stats', website.id, 'changes', page?.meta.as_of, body],
		queryFn: async ({ signal }) => ({ body, answer: await statistics.page(website.id, body, signal) }),
		enabled:
			isWide &&
			isAnswered &&
			Boolean(page?.data.compared) &&
			breakdowns.some(({ compare_rows }) => compare_rows),
		placeholderData: (before) => (before && isAlike(before.body, body) ? before : undefined),
		staleTime: Number.POSITIVE_INFINITY,
	});
	const rows = result.data?.answer.data.breakdowns.find(({ dimension }) => dimension === tab.dimension)?.rows;
	const compared = rows?.find(({ value, other }) => value === row.value && other === row.other);
	// Both of the same answer: that of the page may be newer.
	const [changed] = changesOf(metric, compared?.[metric], compared?.compared?.[metric], i18n.language);
	if (!changed || changed.change.direction === 'same') return null;
	return (
		<span className={styles.change}>
			<Changed {...changed} />
		</span>
	);
}
