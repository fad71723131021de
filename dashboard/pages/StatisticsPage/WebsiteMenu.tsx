import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { formatCount } from '../../../presentation/format.ts';
import { statistics, websites } from '../../api-client.ts';
import { useSession } from '../../session.tsx';
import type { ShownWebsite } from '../../stats/panel.ts';
import { Menu, MenuLine, MenuLink } from '../../ui/Menu.tsx';
import styles from './WebsiteMenu.module.css';

/** Name of the website; for accounts a menu of all their websites. */
export function WebsiteName({ website }: { website: ShownWebsite }) {
	const { t } = useTranslation();
	const who = useSession();
	return (
		<h1 className={styles.name}>
			{who ? (
				<Menu
					className={styles.switch}
					label={t('statistics.chooseWebsite', { domain: website.domain })}
					button={
						<>
							<span>{website.domain}</span>
							<ChevronDown />
						</>
					}
				>
					<Others current={website.id} />
				</Menu>
			) : (
				website.domain
			)}
		</h1>
	);
}

/** Requested when the menu opens. */
function Others({ current }: { current: number }) {
	const { t } = useTranslation();
	const { data } = useQuery({
		queryKey: ['websites', 'to-choose'],
		queryFn: () => websites.list({ per_page: 25, sort_by: 'domain', sort: 'asc' }),
	});
	return (
		<>
			{data?.data.map(({ id, domain }) => (
				<MenuLink key={id} href={`/websites/${id}`}>
					<span className={id === current ? styles.current : undefined}>{domain}</span>
				</MenuLink>
			))}
			{data && <MenuLine />}
			<MenuLink href="/websites">{t('statistics.allWebsites')}</MenuLink>
		</>
	);
}

/** Number of current visitors. */
export function LiveCount({ website }: { website: ShownWebsite }) {
	const { t, i18n } = useTranslation();
	const { data } = useQuery({
		queryKey: ['live', website.id],
		queryFn: () => statistics.live(website.id),
		refetchInterval: 15_000,
	});
	if (!data) return <span className={styles.live} />;
	const { visitors } = data.data;
	const content = (
		<>
			<i className={visitors > 0 ? styles.on : undefined} />
			<span className={styles.words}>
				{t('statistics.live', { count: visitors, replace: { count: formatCount(visitors, i18n.language) } })}
			</span>
			<span className={styles.count} aria-hidden="true">
				{formatCount(visitors, i18n.language)}
			</span>
		</>
	);
	// The live view is not part of a share link.
	if (website.link) return <span className={styles.live}>{content}</span>;
	return (
		<Link className={styles.live} href={`/websites/${website.id}/live`} title={t('statistics.liveHint')}>
			{content}
		</Link>
	);
}
