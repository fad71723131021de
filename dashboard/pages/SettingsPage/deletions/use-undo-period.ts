import { useTranslation } from 'react-i18next';
import { formatMoment } from '../../../../presentation/format.ts';
import type { DeletionPreview } from '../../../deletions-client.ts';
import { useDateText } from './use-days-text.ts';

const hourMs = 3_600_000;

export type UndoPeriod = {
	/** Null: none that would be of use. */
	until: string | null;
	/** Whether it is so short that the deletion is confirmed by typing the domain. */
	isShort: boolean;
};

/** Until when a deletion could be undone. Data retention can end it long before the number of days that was chosen. */
export function useUndoPeriod(): (preview: Pick<DeletionPreview, 'delete_at'>) => UndoPeriod {
	const { i18n } = useTranslation();
	const dateText = useDateText();
	return ({ delete_at }) => {
		const left = Date.parse(delete_at) - Date.now();
		if (left < hourMs) return { until: null, isShort: true };
		if (left >= 24 * hourMs) return { until: dateText(delete_at), isShort: false };
		return {
			until: formatMoment(delete_at, i18n.language, { dateStyle: 'long', timeStyle: 'short' }),
			isShort: true,
		};
	};
}
