import { useState } from 'react';
import { type DateRange, DayPicker } from 'react-day-picker';
import { useTranslation } from 'react-i18next';
import { formatDate, formatWeekday } from '../../../presentation/format.ts';
import styles from './Calendar.module.css';

/** The first and the last day, chosen one after the other; the second one takes them. */
export function Calendar({
	from,
	to,
	today,
	onChoose,
}: {
	from: string | undefined;
	to: string | undefined;
	today: string;
	onChoose(from: string, to: string): void;
}) {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	const [first, setFirst] = useState<string>();
	const initial = from !== undefined && to !== undefined ? { from: toDate(from), to: toDate(to) } : undefined;
	const selected: DateRange | undefined =
		first === undefined ? initial : { from: toDate(first), to: toDate(first) };
	const press = (day: string) => {
		if (first === undefined) return setFirst(day);
		setFirst(undefined);
		onChoose(first < day ? first : day, first < day ? day : first);
	};
	return (
		<div className={styles.calendar}>
			<DayPicker
				mode="range"
				selected={selected}
				onDayClick={(day) => press(toText(day))}
				defaultMonth={toDate(to ?? today)}
				today={toDate(today)}
				endMonth={toDate(today)}
				startMonth={new Date(1990, 0, 1)}
				disabled={{ after: toDate(today) }}
				weekStartsOn={1}
				fixedWeeks
				showOutsideDays
				navLayout="around"
				classNames={classNames}
				formatters={{
					formatCaption: (month) => formatDate(toText(month), language, { month: 'long', year: 'numeric' }),
					formatWeekdayName: (day) => formatWeekday(day.getDay() || 7, language, 'short'),
					formatDay: (day) => String(day.getDate()),
				}}
				labels={{
					labelDayButton: (day) => formatDate(toText(day), language, { dateStyle: 'full' }),
					labelGrid: (month) => formatDate(toText(month), language, { month: 'long', year: 'numeric' }),
					labelNext: () => t('statistics.periods.nextMonth'),
					labelPrevious: () => t('statistics.periods.previousMonth'),
					labelNav: () => t('statistics.periods.title'),
					labelWeekday: (day) => formatWeekday(day.getDay() || 7, language),
				}}
			/>
			<p className={styles.help} aria-live="polite">
				{first === undefined
					? t('statistics.periods.custom')
					: `${formatDate(first, language)}. ${t('statistics.periods.pickEnd')}`}
			</p>
		</div>
	);
}

/** The parts of the calendar by their names; a style that is not there is none. */
const classNames: Record<string, string> = Object.fromEntries(
	Object.entries({
		month: styles.month,
		month_caption: styles.caption,
		caption_label: styles.captionLabel,
		button_previous: styles.step,
		button_next: styles.step,
		chevron: styles.chevron,
		month_grid: styles.grid,
		weekday: styles.weekday,
		day: styles.day,
		day_button: styles.dayButton,
		today: styles.today,
		outside: styles.outside,
		selected: styles.selected,
		range_start: styles.rangeStart,
		range_end: styles.rangeEnd,
		range_middle: styles.rangeMiddle,
		disabled: styles.disabled,
	}).map(([part, name]) => [part, name ?? '']),
);

/** The calendar uses midnights in the viewer's time zone; only the date parts count. */
function toDate(text: string): Date {
	const [year = 1970, month = 1, day = 1] = text.split('-').map(Number);
	return new Date(year, month - 1, day);
}

function toText(date: Date): string {
	const digits = (number: number, length: number) => String(number).padStart(length, '0');
	return `${digits(date.getFullYear(), 4)}-${digits(date.getMonth() + 1, 2)}-${digits(date.getDate(), 2)}`;
}
