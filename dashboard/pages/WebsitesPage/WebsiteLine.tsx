import { ChevronDown, ChevronUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { formatCount, formatDate, noValue } from '../../../presentation/format.ts';
import type { SharedRole } from '../../account/use-shared-roles.ts';
import { toUnicode } from '../../domain.ts';
import { Sparkline } from '../../ui/Sparkline.tsx';
import { Change } from './Change.tsx';
import type { ListComparison, ListPeriod } from './list-state.ts';
import type { ShownLine } from './use-overview.ts';
import styles from './WebsiteLine.module.css';

/** Row of a website. */
export function WebsiteLine({
	line,
	period,
	compare,
	shared,
	onFavorite,
	canMove,
	onMove,
}: {
	line: ShownLine;
	period: ListPeriod;
	compare: ListComparison;
	/** Owner, for shared websites. */
	shared: SharedRole | undefined;
	onFavorite(favorite: 0 | 1): void;
	/** Whether the favorite can be moved up or down among the favorites. */
	canMove(step: 1 | -1): boolean;
	onMove(step: 1 | -1): void;
}) {
	const { t, i18n } = useTranslation();
	const count = (value: number | null) => formatCount(value, i18n.language);
	const name = toUnicode(line.domain);
	const days = period === '30d' ? 'days30' : 'days7';
	return (
		<li className={styles.line} data-stopped={isStopped(line) || undefined}>
			<button
				type="button"
				className={styles.star}
				aria-pressed={line.favorite === 1}
				aria-label={t('websites.favorite', { domain: name })}
				onClick={() => onFavorite(line.favorite === 1 ? 0 : 1)}
			>
				<span aria-hidden="true">{line.favorite === 1 ? '★' : '☆'}</span>
			</button>
			<div className={styles.name}>
				<Link className={styles.link} href={`/websites/${line.id}`}>
					{name}
				</Link>
				{line.privacy !== 1 && (
					<span className={styles.privacy}>
						{t(`websites.${line.privacy === 0 ? 'public' : 'withPassword'}`)}
					</span>
				)}
				{line.favorite === 1 && (canMove(-1) || canMove(1)) && (
					<span className={styles.moves}>
						<button
							type="button"
							disabled={!canMove(-1)}
							aria-label={t('websites.moveUp', { domain: name })}
							onClick={() => onMove(-1)}
						>
							<ChevronUp size={16} aria-hidden="true" />
						</button>
						<button
							type="button"
							disabled={!canMove(1)}
							aria-label={t('websites.moveDown', { domain: name })}
							onClick={() => onMove(1)}
						>
							<ChevronDown size={16} aria-hidden="true" />
						</button>
					</span>
				)}
				<About line={line} name={name} owner={shared?.ownerName} />
			</div>
			<span className={styles.now} data-some={line.now > 0 || undefined}>
				<i aria-hidden="true" />
				<span className="unseen">{t('websites.columns.now')}: </span>
				{line.now > 0 ? count(line.now) : noValue}
			</span>
			<Sparkline
				className={styles.sparkline}
				values={line.last_date === null ? [] : line.sparkline}
				isLastUnfinished
			/>
			<span className={styles.today} data-main={period === 'today' || undefined}>
				<b>{count(line.today)}</b> <span className={styles.what}>{t('websites.today')}</span>
			</span>
			<span className={styles.days} data-main={period !== 'today' || undefined}>
				<b>{count(line.days)}</b> <span className={styles.what}>{t(`websites.${days}`)}</span>
			</span>
			<span className={styles.change}>
				<Change change={line.change} compare={compare} isShownEmpty />
			</span>
		</li>
	);
}

/** Missing data first; otherwise the ASCII domain and labels. */
function About({ line, name, owner }: { line: ShownLine; name: string; owner: string | undefined }) {
	const { t, i18n } = useTranslation();
	const spelt = line.domain === name ? [] : [line.domain];
	return (
		<small className={styles.about}>
			{line.last_date === null && (
				<Link className={styles.waiting} href={`/websites/${line.id}/install`}>
					{t('websites.waiting')}
				</Link>
			)}
			{isStopped(line) && (
				<span className={styles.stopped}>
					{t('websites.stopped', {
						date: formatDate(line.last_date ?? '', i18n.language, { day: 'numeric', month: 'short' }),
					})}
				</span>
			)}
			{owner !== undefined && <span>{t('people.sharedBy', { name: owner })}</span>}
			{[...spelt, ...line.labels].map((text) => (
				<span key={text}>{text}</span>
			))}
		</small>
	);
}

/** Had data before, but none today or yesterday. `to` is today in the website's time zone. */
function isStopped({ last_date: last, to }: ShownLine): boolean {
	return last !== null && Date.parse(to) - Date.parse(last) > 86_400_000;
}
