import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDates } from '../../../presentation/format.ts';
import { type Period, periods, type ViewQuery } from '../../../presentation/view-query.ts';
import type { PageAnswer } from '../../api-client.ts';
import { lazyPage } from '../../lazy-page.ts';
import type { UpdateQuery } from '../../stats/panel.ts';
import { Popover } from '../../ui/Popover.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './Picker.module.css';
import { shiftPeriod } from './shift-period.ts';

/** It weighs as much as a page and is opened by few: it comes when it is. */
const Calendar = lazyPage(async () => (await import('./Calendar.tsx')).Calendar);

/** Which time is shown: a name or dates, and arrows to the time beside it. */
export function PeriodPicker({
	query,
	updateQuery,
	meta,
	today,
}: {
	query: ViewQuery;
	updateQuery: UpdateQuery;
	/** The dates of the answer. */
	meta: Pick<PageAnswer['meta'], 'from' | 'to'> | undefined;
	/** On the website's calendar. */
	today: string;
}) {
	const { t, i18n } = useTranslation();
	const [isOpen, setOpen] = useState(false);
	const months = isOpen && matchMedia('(min-width: 900px)').matches ? 2 : 1;
	const shown =
		query.from !== undefined && query.to !== undefined ? { from: query.from, to: query.to } : meta;
	const dates = shown && formatDates(shown.from, shown.to, i18n.language);
	const shifted = (direction: -1 | 1) => shown && shiftPeriod(query, shown, today, direction);
	const choose = (change: Partial<ViewQuery>) => {
		setOpen(false);
		// Points that were chosen for one length may be too fine for another.
		updateQuery({ ...change, interval: undefined });
	};
	return (
		<div className={styles.period}>
			<Arrow shortcut="ArrowLeft" label={t('statistics.periods.earlier')} to={shifted(-1)} onChoose={choose}>
				<ChevronLeft />
			</Arrow>
			<Popover
				label={t('statistics.periods.title')}
				className={styles.chosen}
				isOpen={isOpen}
				onOpenChange={setOpen}
				button={
					<>
						{query.period === 'custom' ? (
							<b>{dates}</b>
						) : (
							<>
								<b>{t(`statistics.periods.${query.period}`)}</b>
								<span className={styles.dates}>{dates ?? <Skeleton width={164} height={12} />}</span>
							</>
						)}
						<ChevronDown />
					</>
				}
			>
				<div className={styles.content}>
					<ul className={styles.presets}>
						{periods.filter(isNamed).map((period) => (
							<li key={period}>
								<button
									type="button"
									aria-pressed={query.period === period}
									onClick={() => choose({ period, from: undefined, to: undefined })}
								>
									{t(`statistics.periods.${period}`)}
								</button>
							</li>
						))}
					</ul>
					<Suspense
						fallback={<div className={`${styles.calendarRoom} ${months === 2 ? styles.wide : ''}`} />}
					>
						<Calendar
							from={shown?.from}
							to={shown?.to}
							today={today}
							months={months}
							onChoose={(from, to) => choose({ period: 'custom', from, to })}
						/>
					</Suspense>
				</div>
			</Popover>
			<Arrow shortcut="ArrowRight" label={t('statistics.periods.later')} to={shifted(1)} onChoose={choose}>
				<ChevronRight />
			</Arrow>
		</div>
	);
}

const isNamed = (period: Period): period is Exclude<Period, 'custom'> => period !== 'custom';

function Arrow({
	shortcut,
	label,
	to,
	onChoose,
	children,
}: {
	/** The key that presses it. */
	shortcut: string;
	label: string;
	to: Partial<ViewQuery> | undefined;
	onChoose(change: Partial<ViewQuery>): void;
	children: React.ReactNode;
}) {
	return (
		<button
			type="button"
			className={styles.arrow}
			aria-keyshortcuts={shortcut}
			aria-label={label}
			disabled={!to}
			onClick={() => to && onChoose(to)}
		>
			{children}
		</button>
	);
}
