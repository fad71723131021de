import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { type TileMetric, tileMetrics, type ViewQuery } from '../../../presentation/view-query.ts';
import { useNames } from '../../stats/use-names.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import { blankCard } from './board-questions.ts';
import { type BoardCard, boardKey, boards, boardsKey } from './boards-api.ts';
import styles from './CardForm.module.css';

const newBoard = 'new';

/** Adds a view of the statistics page, with its period and filters, to a board. */
export function PinDialog({
	website,
	query,
	dimensions,
	onClose,
}: {
	website: number;
	query: ViewQuery;
	/** Of the visible panels. */
	dimensions: readonly string[];
	onClose(): void;
}) {
	const { t } = useTranslation();
	const names = useNames();
	const cache = useQueryClient();
	const list = useQuery({ queryKey: boardsKey, queryFn: boards.list });
	const [added, setAdded] = useState<{ id: number; name: string }>();
	const form = useForm({ board: '', name: '', view: `chart ${query.metric}` }, async (values) => {
		const card = cardOf(website, query, values.view);
		const known = list.data?.some(({ id }) => String(id) === chosen(values.board));
		const saved = known
			? await addTo(Number(chosen(values.board)), card)
			: await boards.create({ name: values.name, cards: [card] });
		cache.setQueryData(boardKey(saved.id), saved);
		await cache.invalidateQueries({ queryKey: boardsKey, exact: true });
		setAdded(saved);
	});
	/** The first board until another is chosen. */
	const chosen = (board: string) => board || String(list.data?.[0]?.id ?? newBoard);
	const { values } = form;
	if (!list.data && !list.error) return null;
	return (
		<Dialog title={t('boards.pin')} isOpen onClose={onClose} closeLabel={t('common.close')}>
			{added ? (
				<div className={styles.form}>
					<Notice>
						{t('boards.pinned', { name: added.name })}{' '}
						<Link href={`/boards/${added.id}`}>{t('boards.open')}</Link>
					</Notice>
				</div>
			) : (
				<form className={styles.form} onSubmit={form.submit}>
					<SelectField
						label={t('boards.view')}
						value={values.view}
						onChange={({ target }) => form.set({ view: target.value })}
						options={[
							...(['chart', 'number'] as const).map((view) => ({
								label: t(`boards.views.${view}`),
								options: tileMetrics.map((metric) => ({
									value: `${view} ${metric}`,
									label: t(`statistics.metrics.${metric}.label`),
								})),
							})),
							{
								label: t('boards.views.breakdown'),
								options: dimensions.map((dimension) => ({
									value: `breakdown ${dimension}`,
									label: names.dimension(dimension),
								})),
							},
						]}
					/>
					<SelectField
						label={t('boards.board')}
						value={chosen(values.board)}
						onChange={({ target }) => form.set({ board: target.value })}
						options={[
							...(list.data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
							{ value: newBoard, label: t('boards.new') },
						]}
					/>
					{chosen(values.board) === newBoard && (
						<TextField
							label={t('boards.name')}
							placeholder={t('boards.example')}
							required
							maxLength={100}
							value={values.name}
							onChange={({ target }) => form.set({ name: target.value })}
							fault={form.faultOf('name')}
						/>
					)}
					{form.fault && <Notice kind="fault">{form.fault}</Notice>}
					<div className={styles.ends}>
						<Button kind="primary" type="submit" busy={form.isBusy}>
							{t('boards.pin')}
						</Button>
					</div>
				</form>
			)}
		</Dialog>
	);
}

/** `chosen` is a view and its metric or dimension, which may contain spaces. */
function cardOf(website: number, query: ViewQuery, chosen: string): BoardCard {
	const [view, what] = [chosen.slice(0, chosen.indexOf(' ')), chosen.slice(chosen.indexOf(' ') + 1)];
	return {
		...blankCard,
		website_id: website,
		...(view === 'breakdown'
			? { view, dimension: what }
			: { view: view as BoardCard['view'], metric: what as TileMetric }),
		// Custom dates pass; a board shows periods that move with the time.
		period: query.period === 'custom' ? null : query.period,
		filters: query.filters.map((filter) => ({ ...filter, values: [...filter.values] })),
		segment_id: query.segment ?? null,
		width: view === 'chart' ? 8 : blankCard.width,
	};
}

async function addTo(id: number, card: BoardCard) {
	const { name, period, cards } = await boards.get(id);
	return boards.update(id, { name, period, cards: [...cards, card] });
}
