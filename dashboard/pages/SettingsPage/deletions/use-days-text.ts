import { useTranslation } from 'react-i18next';
import { formatCount, formatDate, formatMoment } from '../../../../presentation/format.ts';

/** `on 12 days from 3 March 2026 to 5 May 2026`, for the middle of a sentence. */
export function useDaysText(): (selected: { days: number; from: string; to: string }) => string {
	const { t, i18n } = useTranslation();
	const date = (text: string) => formatDate(text, i18n.language, { dateStyle: 'long' });
	return ({ days, from, to }) =>
		t('deletions.days', {
			count: days,
			total: formatCount(days, i18n.language),
			from: date(from),
			to: date(to),
		});
}

/** The date of an instant, for a reader. */
export function useDateText(): (instant: string) => string {
	const { i18n } = useTranslation();
	return (instant) => formatMoment(instant, i18n.language, { dateStyle: 'long' });
}
