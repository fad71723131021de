import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type MetricName, periods } from '../../../presentation/view-query.ts';
import { statistics, websites } from '../../api-client.ts';
import { toUnicode } from '../../domain.ts';
import { panels } from '../../stats/breakdowns.ts';
import { useNames } from '../../stats/use-names.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { SelectField } from '../../ui/Field.tsx';
import { blankCard, boardViews, cardWidths, widthNames } from './board-questions.ts';
import type { BoardCard } from './boards-api.ts';
import styles from './CardForm.module.css';

/** Metrics that need no goal. */
const metrics = [
	'visitors',
	'visits',
	'pageviews',
	'views_per_visit',
	'bounce_rate',
	'visit_duration',
	'engaged_time',
	'scroll_depth',
	'events',
	'revenue',
] as const satisfies readonly MetricName[];
/** A bar needs a count. */
const countMetrics = ['visitors', 'visits', 'pageviews', 'events'] as const satisfies readonly MetricName[];
/** Those of the panels of the statistics page. */
const dimensions = [
	...new Set(
		panels.flatMap(({ tabs }) =>
			tabs.flatMap(({ dimension, only }) => (dimension && !only ? [dimension] : [])),
		),
	),
];

/** Website, view, metric, period and width of a card. */
export function CardForm({
	card: given,
	onDone,
	onDuplicate,
	onRemove,
	onClose,
}: {
	/** Undefined: a new card. */
	card: BoardCard | undefined;
	onDone(card: BoardCard): void;
	onDuplicate(card: BoardCard): void;
	onRemove(): void;
	onClose(): void;
}) {
	const { t } = useTranslation();
	const names = useNames();
	const [draft, setDraft] = useState(given ?? blankCard);
	const list = useQuery({
		queryKey: ['websites', 'overview', 'all'],
		queryFn: () => websites.overview({ period: 'today', per_page: 100 }),
	});
	const lines = list.data?.data ?? [];
	const card = { ...draft, website_id: draft.website_id || (lines[0]?.id ?? 0) };
	const funnels = useQuery({
		queryKey: ['funnels', card.website_id],
		queryFn: () => statistics.funnels(card.website_id),
		enabled: card.view === 'funnel' && card.website_id !== 0,
	});
	const funnelIds = funnels.data?.map(({ id }) => id) ?? [];
	const funnelId =
		card.funnel_id !== null && funnelIds.includes(card.funnel_id) ? card.funnel_id : (funnelIds[0] ?? null);
	const change = (changed: Partial<BoardCard>) => setDraft({ ...card, ...changed });
	const allowed: readonly MetricName[] = card.view === 'breakdown' ? countMetrics : metrics;
	const finished: BoardCard = {
		...card,
		metric: allowed.includes(card.metric) ? card.metric : 'visitors',
		dimension: card.view === 'breakdown' ? (card.dimension ?? 'source') : null,
		funnel_id: card.view === 'funnel' ? funnelId : null,
	};
	const canSave = card.website_id !== 0 && (card.view !== 'funnel' || funnelId !== null);
	return (
		<Dialog
			title={t(given ? 'boards.editCard' : 'boards.addView')}
			isOpen
			onClose={onClose}
			closeLabel={t('common.close')}
		>
			<form
				className={styles.form}
				onSubmit={(event) => {
					event.preventDefault();
					if (canSave) onDone(finished);
				}}
			>
				<SelectField
					label={t('boards.website')}
					value={card.website_id}
					onChange={({ target }) => change({ website_id: Number(target.value), funnel_id: null })}
					options={lines.map(({ id, domain }) => ({ value: String(id), label: toUnicode(domain) }))}
				/>
				<SelectField
					label={t('boards.view')}
					value={card.view}
					onChange={({ target }) => change({ view: target.value as BoardCard['view'] })}
					options={boardViews.map((view) => ({ value: view, label: t(`boards.views.${view}`) }))}
				/>
				{card.view === 'breakdown' && (
					<SelectField
						label={t('boards.dimension')}
						value={finished.dimension ?? ''}
						onChange={({ target }) => change({ dimension: target.value })}
						options={[...new Set([...dimensions, finished.dimension ?? 'source'])].map((name) => ({
							value: name,
							label: names.dimension(name),
						}))}
					/>
				)}
				{card.view === 'funnel' && (
					<SelectField
						label={t('boards.views.funnel')}
						value={funnelId ?? ''}
						hint={funnels.data?.length === 0 ? t('boards.noFunnels') : undefined}
						onChange={({ target }) => change({ funnel_id: Number(target.value) })}
						options={(funnels.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
					/>
				)}
				{card.view !== 'funnel' && card.view !== 'live' && (
					<SelectField
						label={t('boards.metric')}
						value={finished.metric}
						onChange={({ target }) => change({ metric: target.value as MetricName })}
						options={allowed.map((name) => ({ value: name, label: t(`statistics.metrics.${name}.label`) }))}
					/>
				)}
				{card.view !== 'live' && (
					<SelectField
						label={t('boards.period')}
						value={card.period ?? ''}
						onChange={({ target }) =>
							change({ period: target.value === '' ? null : (target.value as BoardCard['period']) })
						}
						options={[
							{ value: '', label: t('boards.boardPeriod') },
							...periods
								.filter((name) => name !== 'custom')
								.map((name) => ({ value: name, label: t(`statistics.periods.${name}`) })),
						]}
					/>
				)}
				<SelectField
					label={t('boards.width')}
					value={card.width}
					onChange={({ target }) => change({ width: Number(target.value) as BoardCard['width'] })}
					options={cardWidths.map((width) => ({
						value: String(width),
						label: t(`boards.widths.${widthNames[width]}`),
					}))}
				/>
				<div className={styles.ends}>
					{given && (
						<>
							<Button kind="danger" onClick={onRemove}>
								{t('boards.removeCard')}
							</Button>
							<Button onClick={() => onDuplicate(finished)}>{t('boards.duplicate')}</Button>
						</>
					)}
					<Button kind="primary" type="submit" disabled={!canSave}>
						{t(given ? 'boards.done' : 'boards.addView')}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}
