import { type FormEvent, useState } from 'react';
import { type DateRange, DayPicker } from 'react-day-picker';
import { useTranslation } from 'react-i18next';
import { formatDate, formatWeekday } from '../../../presentation/format.ts';
import { useSession } from '../../session.tsx';
import { Button } from '../../ui/Button.tsx';
import styles from './Calendar.module.css';

const earliest = '1990-01-01';

/** The first and the last day, chosen one after the other, or typed. The second one applies both. */
export function Calendar({
	from,
	to,
	today,
	months = 1,
	onChoose,
}: {
	from: string | undefined;
	to: string | undefined;
	today: string;
	/** Side by side. */
	months?: 1 | 2;
	onChoose(from: string, to: string): void;
}) {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	const [first, setFirst] = useState<string>();
	const [pointed, setPointed] = useState<string>();
	const weekStart = useSession()?.person.week_start;
	const initial = from !== undefined && to !== undefined ? { from: toDate(from), to: toDate(to) } : undefined;
	const selected: DateRange | undefined = first === undefined ? initial : toRange(first, pointed ?? first);
	const press = (day: string) => {
		if (first === undefined) return setFirst(day);
		setFirst(undefined);
		const [from = day, to = day] = [first, day].toSorted();
		onChoose(from, to);
	};
	return (
		<div className={styles.calendar}>
			<DayPicker
				mode="range"
				selected={selected}
				onDayClick={(day) => press(toText(day))}
				onDayMouseEnter={(day) => setPointed(toText(day))}
				onDayMouseLeave={() => setPointed(undefined)}
				numberOfMonths={months}
				defaultMonth={firstMonth(to ?? today, months)}
				today={toDate(today)}
				endMonth={toDate(today)}
				startMonth={toDate(earliest)}
				disabled={{ after: toDate(today) }}
				weekStartsOn={weekStart === 'sunday' ? 0 : 1}
				fixedWeeks
				// Next to another month they would be there twice.
				showOutsideDays={months === 1}
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
			<TypedDates
				from={first ?? from}
				to={first === undefined ? to : (pointed ?? first)}
				{...{ today, onChoose }}
			/>
		</div>
	);
}

/** The same dates as text, for those who know them. */
function TypedDates({
	from = '',
	to = '',
	today,
	onChoose,
}: {
	from: string | undefined;
	to: string | undefined;
	today: string;
	onChoose(from: string, to: string): void;
}) {
	const { t } = useTranslation();
	const submit = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		const typed = new FormData(event.currentTarget);
		const dates = [typed.get('from'), typed.get('to')].map(String).toSorted();
		const [start = '', end = ''] = dates;
		if (dates.every((date) => /^\d{4}-\d\d-\d\d$/.test(date))) onChoose(start, end);
	};
	const [start = '', end = ''] = [from, to].toSorted();
	return (
		<form className={styles.typed} onSubmit={submit}>
			{(
				[
					['from', start],
					['to', end],
				] as const
			).map(([name, date]) => (
				<label key={name}>
					{t(`statistics.periods.${name}`)}
					{/* Keyed by the date of the calendar, which replaces what was typed. */}
					<input key={date} type="date" name={name} required min={earliest} max={today} defaultValue={date} />
				</label>
			))}
			<Button type="submit">{t('statistics.periods.apply')}</Button>
		</form>
	);
}

/** The parts of the calendar by their names; a style that is not there is none. */
const classNames: Record<string, string> = Object.fromEntries(
	Object.entries({
		months: styles.months,
		month: styles.month,
		month_caption: styles.caption,
		caption_label: styles.captionLabel,
		button_previous: styles.step,
		button_next: `${styles.step} ${styles.next}`,
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

function toRange(a: string, b: string): DateRange {
	const [from = a, to = b] = [a, b].toSorted();
	return { from: toDate(from), to: toDate(to) };
}

/** The first visible month: the one of the date is the last. */
function firstMonth(date: string, months: number): Date {
	const { year, month } = { year: Number(date.slice(0, 4)), month: Number(date.slice(5, 7)) };
	return new Date(year, month - months, 1);
}

function toText(date: Date): string {
	const digits = (number: number, length: number) => String(number).padStart(length, '0');
	return `${digits(date.getFullYear(), 4)}-${digits(date.getMonth() + 1, 2)}-${digits(date.getDate(), 2)}`;
}
