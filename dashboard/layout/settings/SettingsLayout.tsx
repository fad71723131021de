import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Menu, MenuLink } from '../../ui/Menu.tsx';
import styles from './SettingsLayout.module.css';
import { UnsavedChanges } from './UnsavedChanges.tsx';

/** The settings of an account or a website: a list of tabs, which is a menu on a phone, and one of them. */
export function SettingsLayout({
	label,
	tabs,
	text,
	children,
}: {
	label: string;
	tabs: readonly { href: string; title: string; isCurrent: boolean }[];
	text?: string | undefined;
	children: ReactNode;
}) {
	const { t } = useTranslation();
	const current = tabs.find(({ isCurrent }) => isCurrent);
	const title = current?.title ?? '';
	return (
		<div className={styles.page}>
			<nav className={styles.tabs} aria-label={label}>
				{tabs.map(({ href, title: name, isCurrent }) => (
					<Link key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
						{name}
					</Link>
				))}
			</nav>
			<div className={styles.menu}>
				<Menu
					label={t('settings.chooseTab', { tab: title })}
					button={
						<>
							{title} <ChevronDown size={15} />
						</>
					}
				>
					{tabs.map(({ href, title: name }) => (
						<MenuLink key={href} href={href}>
							{name}
						</MenuLink>
					))}
				</Menu>
			</div>
			<div className={styles.tab} key={current?.href}>
				<header>
					<h1>{title}</h1>
					{text && <p>{text}</p>}
				</header>
				<UnsavedChanges>{children}</UnsavedChanges>
			</div>
		</div>
	);
}
