import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { addFilter, type Filter } from '../../../presentation/filter-chips.ts';
import { formatCount } from '../../../presentation/format.ts';
import { changeOf, formatMetric } from '../../../presentation/metrics.ts';
import {
	formatViewQuery,
	parametersOf,
	tileMetrics,
	type ViewQuery,
} from '../../../presentation/view-query.ts';
import { ApiError, type PageAnswer } from '../../api-client.ts';
import { toUnicode } from '../../domain.ts';
import { Changed } from '../../stats/Changed.tsx';
import { FunnelSteps } from '../../stats/funnels/FunnelSteps.tsx';
import { useNames } from '../../stats/use-names.ts';
import { BarTable } from '../../ui/BarTable.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Sparkline } from '../../ui/Sparkline.tsx';
import { Failure } from '../../ui/States.tsx';
import styles from './BoardCardView.module.css';
import { type BoardScope, queryOf } from './board-questions.ts';
import type { BoardCard } from './boards-api.ts';
import { CardChart } from './CardChart.tsx';
import type { BoardData } from './use-board-data.ts';

/** "example.com: Sources". */
export function useCardTitle({ lines }: Pick<BoardData, 'lines'>) {
	const { t } = useTranslation();
	const viewOf = useViewName();
	return (card: BoardCard): string => {
		const domain = lines?.get(card.website_id)?.domain;
		return `${domain === undefined ? t('boards.website') : toUnicode(domain)}: ${viewOf(card)}`;
	};
}

function useViewName() {
	const { t } = useTranslation();
	const names = useNames();
	return ({ view, metric, dimension }: BoardCard): string => {
		switch (view) {
			case 'breakdown':
				// A breakdown has the title of its tab; a property has none.
				return t(`statistics.tabs.${(dimension ?? '') as 'page'}`, {
					defaultValue: names.dimension(dimension ?? ''),
				});
			case 'funnel':
			case 'live':
				return t(`boards.views.${view}`);
			default:
				return t(`statistics.metrics.${metric}.label`);
		}
	};
}

/** The statistics page with the view of a card, or with one of its rows as a filter. */
function hrefOf(card: BoardCard, scope: BoardScope, filters: readonly Filter[] = card.filters): string {
	if (card.view === 'live') return `/websites/${card.website_id}/live`;
	const metric = tileMetrics.find((name) => name === card.metric);
	const query: ViewQuery = { ...queryOf(card, scope), filters, ...(metric && { metric }) };
	return `/websites/${card.website_id}?${formatViewQuery(query)}`;
}

const isNotFound = (error: Error | null): boolean => error instanceof ApiError && error.status === 404;

export function BoardCardView({
	card,
	scope,
	data,
}: {
	card: BoardCard;
	scope: BoardScope;
	data: BoardData;
}) {
	const { t } = useTranslation();
	const names = useNames();
	const viewOf = useViewName();
	const line = data.lines?.get(card.website_id);
	// The list of websites that the viewer can read has no such website, or its statistics are refused.
	const isHidden =
		(data.lines !== undefined && line === undefined) || isNotFound(data.ofCard(card)?.error ?? null);
	if (isHidden)
		return (
			<section className={styles.body}>
				<header className={styles.head}>
					<b>{viewOf(card)}</b>
				</header>
				<p className={styles.hidden}>{t('boards.noAccess')}</p>
			</section>
		);
	const domain = line && toUnicode(line.domain);
	return (
		<section className={styles.body}>
			<header className={styles.head}>
				{data.isShared ? (
					<span>
						{domain} <b>{viewOf(card)}</b>
					</span>
				) : (
					<Link href={hrefOf(card, scope)}>
						<span>{domain ?? '…'}</span> <b>{viewOf(card)}</b>
					</Link>
				)}
				{card.period !== null && card.view !== 'live' && (
					<small>{t(`statistics.periods.${card.period}`)}</small>
				)}
			</header>
			{card.filters.length > 0 && (
				<p className={styles.filters}>{card.filters.map((filter) => names.filter(filter)).join(' · ')}</p>
			)}
			<Content card={card} scope={scope} data={data} />
		</section>
	);
}

function Content({ card, scope, data }: { card: BoardCard; scope: BoardScope; data: BoardData }): ReactNode {
	const { i18n } = useTranslation();
	if (card.view === 'live') {
		const now = data.lines?.get(card.website_id)?.now;
		if (now === undefined && data.linesError) return <Failure error={data.linesError} />;
		return (
			<p className={styles.live} data-some={(now ?? 0) > 0 || undefined}>
				<i aria-hidden="true" />
				<strong>
					{now === undefined ? <Skeleton width={60} height={30} /> : formatCount(now, i18n.language)}
				</strong>
			</p>
		);
	}
	if (card.view === 'funnel') return <FunnelCard card={card} scope={scope} data={data} />;
	const found = data.ofCard(card);
	if (found?.error && !found.answer) return <Failure error={found.error} onTryAgain={found.again} />;
	if (!found?.answer) return <Skeleton height={card.view === 'number' ? 34 : 150} />;
	switch (card.view) {
		case 'number':
			return <NumberCard card={card} answer={found.answer} />;
		case 'chart':
			return <CardChart metric={card.metric} answer={found.answer} />;
		case 'breakdown':
			return <BreakdownCard card={card} scope={scope} answer={found.answer} isShared={data.isShared} />;
	}
}

function NumberCard({ card: { metric }, answer: { data } }: { card: BoardCard; answer: PageAnswer }) {
	const { i18n } = useTranslation();
	const [now, then] = [data.totals[metric], data.compared?.totals[metric]];
	const change = changeOf(metric, now, then, i18n.language);
	const values = data.series.map((point) => point[metric]);
	return (
		<>
			<p className={styles.number}>
				<strong>{formatMetric(metric, now, i18n.language)}</strong>{' '}
				{change && <Changed change={change} before={formatMetric(metric, then, i18n.language)} />}
			</p>
			{metric !== 'revenue' && (
				<Sparkline
					className={styles.sparkline}
					height={48}
					values={values.map((value) => (typeof value === 'number' ? value : 0))}
					isLastUnfinished={data.series.at(-1)?.unfinished === true}
				/>
			)}
		</>
	);
}

function BreakdownCard({
	card,
	scope,
	answer,
	isShared,
}: {
	card: BoardCard;
	scope: BoardScope;
	answer: PageAnswer;
	isShared: boolean;
}) {
	const { t, i18n } = useTranslation();
	const names = useNames();
	const dimension = card.dimension ?? '';
	const found = answer.data.breakdowns.find((breakdown) => breakdown.dimension === dimension);
	const rows = found?.rows ?? [];
	if (rows.length === 0) return <p className={styles.hidden}>{t('statistics.empty.rows')}</p>;
	const numberOf = (value: unknown) => (typeof value === 'number' ? value : 0);
	const most = Math.max(...rows.map((row) => numberOf(row[card.metric])), 1);
	return (
		<BarTable
			caption={names.dimension(dimension)}
			nameLabel={names.dimension(dimension)}
			columns={[{ key: card.metric, label: t(`statistics.metrics.${card.metric}.label`) }]}
			rows={rows.map((row) => {
				const name = row.other ? t('statistics.values.other') : names.row(dimension, row);
				const filters = addFilter(card.filters, { test: 'is', dimension, values: [row.value] });
				return {
					key: row.other ? '\0other' : row.value,
					name,
					title: name,
					share: numberOf(row[card.metric]) / most,
					cells: [formatMetric(card.metric, row[card.metric], i18n.language)],
					isQuiet: row.other === true,
					href: row.other || isShared ? undefined : hrefOf(card, scope, filters),
				};
			})}
		/>
	);
}

function FunnelCard({ card, scope, data: board }: { card: BoardCard; scope: BoardScope; data: BoardData }) {
	const { t } = useTranslation();
	const parameters = parametersOf(queryOf(card, scope));
	const { data, error, refetch } = useQuery({
		queryKey: ['funnel', card.website_id, card.funnel_id, parameters],
		queryFn: () => board.ofFunnel(card, parameters),
		refetchInterval: 60_000,
	});
	if (data) return <FunnelSteps answer={data} />;
	if (isNotFound(error)) return <p className={styles.hidden}>{t('boards.noFunnel')}</p>;
	return error ? <Failure error={error} onTryAgain={() => void refetch()} /> : <Skeleton height={150} />;
}
