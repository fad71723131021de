import { useTranslation } from 'react-i18next';
import { formatCount, formatDate, formatRelative } from '../../../../presentation/format.ts';
import type { BoardLink } from '../../../share-links-client.ts';
import { lastDayOf } from './link-days.ts';

export const isExpired = ({ expires_at: at }: Pick<BoardLink, 'expires_at'>): boolean =>
	at !== null && Date.parse(at) <= Date.now();

/** What a share link shows, how it is protected, and its uses. */
export function LinkFacts({ link, limits }: { link: BoardLink; limits: readonly string[] }) {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	const parts = [
		...limits,
		...(link.has_password ? [t('settings.privacy.password')] : []),
		...(link.expires_at === null
			? []
			: [
					t(isExpired(link) ? 'shareLinks.expired' : 'shareLinks.expires', {
						date: formatDate(lastDayOf(link.expires_at), language),
					}),
				]),
		link.last_used_at === null
			? t('shareLinks.unused')
			: t('shareLinks.uses', {
					count: link.used_count,
					total: formatCount(link.used_count, language),
					time: formatRelative(link.last_used_at, new Date(), language),
				}),
		...(link.url === null ? [t('shareLinks.unreadable')] : []),
	];
	return <small>{parts.join(' · ')}</small>;
}
