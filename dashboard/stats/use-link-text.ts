import { useTranslation } from 'react-i18next';
import { chipsOf } from '../../presentation/filter-chips.ts';
import { formatDate, formatDates } from '../../presentation/format.ts';
import type { ShareLink } from '../share-links-client.ts';
import { useNames } from './use-names.ts';

type Limits = Pick<ShareLink, 'filters' | 'from' | 'to' | 'last_days'>;

/** The filter and the dates of a share link in words. */
export function useLinkText(): (link: Limits | undefined) => string[] {
	const { t, i18n } = useTranslation();
	const names = useNames();
	const textOf = (json: unknown): string => {
		const chips = chipsOf(json);
		if (chips) return chips.map(names.filter).join(t('statistics.filter.and'));
		const [word, ...parts]: unknown[] = Array.isArray(json) ? json : [];
		if (word === 'and' || word === 'or') return parts.map(textOf).join(t(`statistics.filter.${word}`));
		return JSON.stringify(json);
	};
	const datesOf = ({ from, to, last_days: days }: Limits): string[] => {
		if (days !== null) return [t('statistics.link.lastDays', { count: days })];
		if (from !== null && to !== null) return [formatDates(from, to, i18n.language)];
		if (from !== null) return [t('statistics.link.since', { date: formatDate(from, i18n.language) })];
		return to === null ? [] : [t('statistics.link.until', { date: formatDate(to, i18n.language) })];
	};
	return (link) => {
		if (!link) return [];
		const chips = link.filters && chipsOf(link.filters);
		const filters = chips ? chips.map(names.filter) : link.filters ? [textOf(link.filters)] : [];
		return [...filters, ...datesOf(link)];
	};
}
