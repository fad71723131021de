import { GripVertical } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { BoardCardView, useCardTitle } from './BoardCardView.tsx';
import styles from './BoardGrid.module.css';
import { type BoardScope, cardWidths, widthNames } from './board-questions.ts';
import type { BoardCard } from './boards-api.ts';
import { CardForm } from './CardForm.tsx';
import type { BoardData } from './use-board-data.ts';

type Props = {
	cards: readonly BoardCard[];
	scope: BoardScope;
	data: BoardData;
	/** Set while the board is edited. */
	onChange?: (cards: readonly BoardCard[]) => void;
};

/** The cards in a grid of twelve columns. While editing, mouse and arrow keys move them. */
export function BoardGrid({ cards, scope, data, onChange }: Props) {
	const { t } = useTranslation();
	const titleOf = useCardTitle(data);
	const [edited, setEdited] = useState<number | 'new'>();
	const [dragged, setDragged] = useState<number>();
	const [said, setSaid] = useState('');
	const grid = useRef<HTMLUListElement>(null);

	const move = (from: number, to: number) => {
		const card = cards[from];
		if (!onChange || !card || to < 0 || to >= cards.length || from === to) return;
		onChange(cards.toSpliced(from, 1).toSpliced(to, 0, card));
		setSaid(t('boards.moved', { name: titleOf(card), position: to + 1, total: cards.length }));
	};
	const replace = (index: number, card: BoardCard) => onChange?.(cards.with(index, card));
	const resize = (index: number, steps: number) => {
		const card = cards[index];
		const width = card && cardWidths[cardWidths.indexOf(card.width) + steps];
		if (!card || width === undefined) return;
		replace(index, { ...card, width });
		setSaid(t('boards.resized', { name: titleOf(card), width: t(`boards.widths.${widthNames[width]}`) }));
	};
	const onKeyDown = (event: KeyboardEvent, index: number) => {
		const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
		if (steps === undefined) return;
		event.preventDefault();
		if (event.shiftKey) return resize(index, steps);
		move(index, index + steps);
		// Elements stay in their places and get another card, so the focus has to follow it.
		const handles = grid.current?.querySelectorAll<HTMLElement>('[data-handle]');
		handles?.[Math.min(cards.length - 1, Math.max(0, index + steps))]?.focus();
	};
	return (
		<>
			<ul className={styles.grid} ref={grid}>
				{cards.map((card, index) => (
					<li
						// biome-ignore lint/suspicious/noArrayIndexKey: a card has no other identity than its place
						key={index}
						className={styles.card}
						style={{ '--width': card.width }}
						data-dragged={dragged === index || undefined}
						draggable={onChange !== undefined && edited === undefined}
						onDragStart={(event) => {
							event.dataTransfer.effectAllowed = 'move';
							setDragged(index);
						}}
						onDragOver={(event) => {
							if (dragged === undefined) return;
							event.preventDefault();
							if (dragged === index) return;
							move(dragged, index);
							setDragged(index);
						}}
						onDrop={(event) => event.preventDefault()}
						onDragEnd={() => setDragged(undefined)}
					>
						{onChange && (
							<span className={styles.handles}>
								<button
									type="button"
									data-handle
									className={styles.grip}
									aria-label={t('boards.move', { name: titleOf(card) })}
									title={t('boards.moveHelp')}
									onKeyDown={(event) => onKeyDown(event, index)}
								>
									<GripVertical size={16} />
								</button>
								<Button kind="quiet" onClick={() => setEdited(index)}>
									{t('common.edit')}
								</Button>
							</span>
						)}
						<BoardCardView card={card} scope={scope} data={data} />
					</li>
				))}
				{onChange && (
					<li className={styles.slot}>
						<button type="button" onClick={() => setEdited('new')}>
							<b>+ {t('boards.addView')}</b>
							<span>{t('boards.addText')}</span>
						</button>
					</li>
				)}
			</ul>
			{onChange && cards.length > 0 && <p className={styles.help}>{t('boards.moveHelp')}</p>}
			<p className="unseen" role="status">
				{said}
			</p>
			{onChange && edited !== undefined && (
				<CardForm
					card={edited === 'new' ? undefined : cards[edited]}
					onClose={() => setEdited(undefined)}
					onDone={(card) => {
						if (edited === 'new') onChange([...cards, card]);
						else replace(edited, card);
						setEdited(undefined);
					}}
					onDuplicate={(card) => {
						if (edited !== 'new') onChange(cards.toSpliced(edited + 1, 0, card));
						setEdited(undefined);
					}}
					onRemove={() => {
						if (edited !== 'new') onChange(cards.toSpliced(edited, 1));
						setEdited(undefined);
					}}
				/>
			)}
		</>
	);
}
