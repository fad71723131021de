import { useTranslation } from 'react-i18next';
import type { TileMetric } from '../../../presentation/view-query.ts';
import type { Note } from '../../api-client.ts';
import { Changed } from '../../stats/Changed.tsx';
import styles from './ChartTip.module.css';
import type { PointTexts } from './point-texts.ts';

/** All tiles at a point of the chart, with their change, and its notes. */
export function ChartTip({
	texts,
	index,
	tiles,
	first,
	second,
	notes,
	hint,
}: {
	texts: PointTexts;
	index: number;
	tiles: readonly TileMetric[];
	first: TileMetric;
	second: TileMetric | undefined;
	notes: readonly Note[];
	hint: string | undefined;
}) {
	const { t } = useTranslation();
	const then = texts.comparedTime(index, 'short');
	return (
		<div className={styles.tip}>
			<p className={styles.when}>
				<b>{texts.time(index)}</b>
				{texts.isSoFar(index) && <small>{texts.soFar}</small>}
			</p>
			{then !== undefined && (
				<p className={styles.then}>
					<i />
					{t('statistics.change.vs', { before: then })}
				</p>
			)}
			{tiles.map((metric) => (
				<p
					key={metric}
					className={metric === first ? styles.first : metric === second ? styles.second : styles.other}
				>
					<i />
					<span>{texts.labelOf(metric)}</span>
					<b>{texts.value(index, metric)}</b>
					<span className={styles.change}>
						{texts.changes(index, metric).map(({ change, before }) => (
							<Changed key={before} change={change} before={before} />
						))}
					</span>
				</p>
			))}
			{notes.map((note) => (
				<p key={note.id} className={styles.note}>
					<span>◆ {note.text}</span>
				</p>
			))}
			{hint !== undefined && <p className={styles.hint}>{hint}</p>}
		</div>
	);
}
