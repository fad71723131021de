import { useTranslation } from 'react-i18next';
import { formatCount, formatDate } from '../../../../presentation/format.ts';
import type { DeletionPreview } from '../../../deletions-client.ts';
import { useDaysText } from './use-days-text.ts';

/** What a deletion would hide, and which totals it does not change. */
export function usePreviewText() {
	const { t, i18n } = useTranslation();
	const daysText = useDaysText();
	const counted = (count: number) => ({ count, total: formatCount(count, i18n.language) });
	return {
		matches({ events, pageviews, custom_events, days, from, to }: DeletionPreview): string {
			if (from === null || to === null) return t('deletions.none');
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
		totals({ totals_before: date }: DeletionPreview): string | undefined {
			if (date === null) return undefined;
			return t('deletions.totalsBefore', {
				date: formatDate(date, i18n.language, { dateStyle: 'long' }),
			});
		},
	};
}
