import { useTranslation } from 'react-i18next';
import { formatCount, formatDate } from '../../../../presentation/format.ts';
import type { DeletionPreview } from '../../../deletions-client.ts';
import { useDaysText } from './use-days-text.ts';

/** What a deletion would hide, and what it does to totals without events. */
export function usePreviewText() {
	const { t, i18n } = useTranslation();
	const daysText = useDaysText();
	const counted = (count: number) => ({ count, total: formatCount(count, i18n.language) });
	const totalsText = ({ totals_before: date, earlier_values: values }: DeletionPreview) => {
		if (values > 0) return t('deletions.earlierValues', counted(values));
		if (date === null) return undefined;
		return t('deletions.totalsBefore', { date: formatDate(date, i18n.language, { dateStyle: 'long' }) });
	};
	return {
		matches(preview: DeletionPreview): string {
			const { events, pageviews, custom_events, already_hidden, days, from, to } = preview;
			if (from === null || to === null)
				return already_hidden > 0
					? t('deletions.alreadyHidden', counted(already_hidden))
					: t('deletions.none');
			const measurements = events - pageviews - custom_events;
			const kinds = [
				[pageviews, t('deletions.pageviews', counted(pageviews))],
				[custom_events, t('deletions.customEvents', counted(custom_events))],
				[measurements, t('deletions.measurements', counted(measurements))],
			] as const;
			return t('deletions.matches', {
				...counted(events),
				kinds: new Intl.ListFormat(i18n.language).format(
					kinds.filter(([count]) => count > 0).map(([, text]) => text),
				),
				days: daysText({ days, from, to }),
			});
		},
		totals: totalsText,
		/** What else there is to know about the events, and about totals without events. */
		details: (preview: DeletionPreview): string[] =>
			[
				preview.events > 0 && preview.already_hidden > 0
					? t('deletions.alreadyHidden', counted(preview.already_hidden))
					: undefined,
				preview.referrers > 0 ? t('deletions.referrers', counted(preview.referrers)) : undefined,
				totalsText(preview),
			].filter((text) => text !== undefined),
	};
}
