import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useSearch } from 'wouter';
import { formatTimeOfDay } from '../../../presentation/format.ts';
import { periods, readId } from '../../../presentation/view-query.ts';
import { ApiError } from '../../api-client.ts';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { Attribution } from '../../layout/Attribution.tsx';
import { NotFound } from '../../layout/NotFound.tsx';
import type { PageProps } from '../../routes.tsx';
import { useSession } from '../../session.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Empty, Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';
import { BoardGrid } from './BoardGrid.tsx';
import styles from './BoardPage.module.css';
import { BoardShareDialog } from './BoardShareDialog.tsx';
import { type BoardCard, type BoardRecord, boardKey, boards, boardsKey } from './boards-api.ts';
import { useBoardData } from './use-board-data.ts';

/** `/boards/:id`: pinned views of several websites. */
export function BoardPage({ params }: PageProps) {
	const id = readId(params.id);
	const { data, error, refetch } = useQuery({
		queryKey: boardKey(id ?? 0),
		queryFn: () => boards.get(id ?? 0),
		enabled: id !== undefined,
		// The draft of an edited board must not be replaced.
		refetchOnWindowFocus: false,
	});
	if (id === undefined || (error instanceof ApiError && error.status === 404)) return <NotFound />;
	if (data) return <Board key={data.id} saved={data} />;
	return error ? <Failure error={error} onTryAgain={() => void refetch()} /> : <Skeleton height={420} />;
}

type Draft = { name: string; period: BoardRecord['period']; cards: readonly BoardCard[] };

function Board({ saved }: { saved: BoardRecord }) {
	const { t, i18n } = useTranslation();
	const cache = useQueryClient();
	const [, navigate] = useLocation();
	const isNew = new URLSearchParams(useSearch()).has('edit');
	const [draft, setDraft] = useState<Draft | undefined>(isNew ? saved : undefined);
	const [isSharing, setSharing] = useState(false);
	/** Chosen while looking, without changing the board. */
	const [lookedAt, setLookedAt] = useState<BoardRecord['period']>();
	const board: Draft = draft ?? { ...saved, period: lookedAt ?? saved.period };
	const scope = { period: board.period, weekStart: useSession()?.person.week_start };
	const data = useBoardData(board.cards, scope);
	const change = (changed: Partial<Draft>) => setDraft({ ...(draft ?? saved), ...changed });
	const leaveEditing = () => {
		setDraft(undefined);
		navigate(`/boards/${saved.id}`, { replace: true });
	};
	const form = useForm({}, async () => {
		const { name, period, cards } = board;
		cache.setQueryData(
			boardKey(saved.id),
			await boards.update(saved.id, { name, period, cards: [...cards] }),
		);
		await cache.invalidateQueries({ queryKey: boardsKey, exact: true });
		leaveEditing();
	});
	const websiteCount = new Set(board.cards.map(({ website_id }) => website_id)).size;
	return (
		<AppLayout
			title={saved.name}
			crumbs={
				<>
					<Link className={styles.crumb} href="/boards">
						{t('common.boards')}
					</Link>
					<span aria-hidden="true">/</span>
					<h1>{saved.name}</h1>
				</>
			}
		>
			<form className={styles.head} onSubmit={form.submit}>
				<p>
					{draft ? (
						<input
							className={styles.name}
							aria-label={t('boards.name')}
							value={draft.name}
							maxLength={100}
							required
							onChange={({ target }) => change({ name: target.value })}
						/>
					) : (
						t('boards.about', { count: websiteCount })
					)}
				</p>
				<div className={styles.tools} data-print="no">
					<select
						aria-label={t('boards.period')}
						value={board.period}
						onChange={({ target }) => {
							const period = target.value as BoardRecord['period'];
							if (draft) change({ period });
							else setLookedAt(period);
						}}
					>
						{periods
							.filter((name) => name !== 'custom')
							.map((name) => (
								<option key={name} value={name}>
									{t(`statistics.periods.${name}`)}
								</option>
							))}
					</select>
					{draft ? (
						<>
							<Button kind="quiet" onClick={leaveEditing}>
								{t('boards.discard')}
							</Button>
							<Button kind="primary" type="submit" busy={form.isBusy}>
								{t('boards.save')}
							</Button>
						</>
					) : (
						<>
							<Button onClick={() => change({})}>{t('common.edit')}</Button>
							<Button onClick={() => setSharing(true)}>{t('statistics.share')}</Button>
							<Button onClick={() => print()}>{t('boards.print')}</Button>
						</>
					)}
				</div>
			</form>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			{isSharing && <BoardShareDialog board={saved.id} onClose={() => setSharing(false)} />}
			{board.cards.length === 0 && !draft ? (
				<Empty title={t('boards.emptyTitle')}>
					<p>{t('boards.emptyText')}</p>
					<Button kind="primary" onClick={() => change({})}>
						{t('boards.addView')}
					</Button>
				</Empty>
			) : (
				<BoardGrid
					cards={board.cards}
					scope={scope}
					data={data}
					{...(draft && { onChange: (cards: readonly BoardCard[]) => change({ cards }) })}
				/>
			)}
			<footer className={styles.foot}>
				<span>{t('boards.zones')}</span>
				<Attribution />
				{draft && <DeleteBoard board={saved} />}
				{data.asOf && (
					<time dateTime={data.asOf}>
						{t('common.asOf', { time: formatTimeOfDay(data.asOf, i18n.language) })}
					</time>
				)}
			</footer>
		</AppLayout>
	);
}

function DeleteBoard({ board: { id, name } }: { board: BoardRecord }) {
	const { t } = useTranslation();
	const cache = useQueryClient();
	const [, navigate] = useLocation();
	const [isAsking, setAsking] = useState(false);
	const form = useForm({}, async () => {
		await boards.delete(id);
		await cache.invalidateQueries({ queryKey: boardsKey, exact: true });
		navigate('/boards', { replace: true });
	});
	return (
		<>
			<Button kind="danger" onClick={() => setAsking(true)}>
				{t('boards.delete')}
			</Button>
			<Dialog
				title={t('boards.delete')}
				text={t('boards.deleteText', { name })}
				isOpen={isAsking}
				onClose={() => setAsking(false)}
				closeLabel={t('common.close')}
			>
				<form className={styles.dialog} onSubmit={form.submit}>
					{form.fault && <Notice kind="fault">{form.fault}</Notice>}
					<Button onClick={() => setAsking(false)}>{t('common.cancel')}</Button>
					<Button kind="danger" type="submit" busy={form.isBusy}>
						{t('boards.delete')}
					</Button>
				</form>
			</Dialog>
		</>
	);
}
