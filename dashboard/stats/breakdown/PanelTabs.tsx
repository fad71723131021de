import { ChevronDown } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { Menu, MenuLink } from '../../ui/Menu.tsx';
import { chooseTab, type Panel, type Tab } from '../breakdowns.ts';
import { hasTab, type PanelProps } from '../panel.ts';
import styles from './PanelTabs.module.css';

/** Tabs of a panel. Those of a menu share one place. On a phone they scroll sideways. */
export function PanelTabs({
	panel,
	tab,
	website,
	query,
	hrefOf,
}: Pick<PanelProps, 'website' | 'query' | 'hrefOf'> & { panel: Panel; tab: Tab }) {
	const { t } = useTranslation();
	const line = useRef<HTMLElement>(null);
	// biome-ignore lint/correctness/useExhaustiveDependencies: a selected tab is brought into view
	useLayoutEffect(() => {
		const current = line.current?.querySelector<HTMLElement>('[aria-current]');
		if (current && line.current)
			line.current.scrollLeft = current.offsetLeft - (line.current.clientWidth - current.offsetWidth) / 2;
	}, [tab.id]);
	const hrefTo = (id: Tab['id']) => hrefOf({ tabs: chooseTab(panel, id, query.tabs) });
	const inMenu = panel.tabs.filter((each) => each.menu !== undefined && hasTab(website, each));
	const [first] = inMenu;
	const isInMenu = tab.menu !== undefined;
	return (
		<nav
			ref={line}
			className={styles.tabs}
			aria-label={t(`statistics.panels.${panel.id}`)}
			onScroll={({ currentTarget }) =>
				currentTarget.toggleAttribute('data-scrolled', currentTarget.scrollLeft > 0)
			}
		>
			{panel.tabs
				.filter((each) => each.menu === undefined && hasTab(website, each))
				.map(({ id }) => (
					<Link key={id} href={hrefTo(id)} aria-current={id === tab.id ? 'true' : undefined}>
						{t(`statistics.tabs.${id}`)}
					</Link>
				))}
			{first && (
				<span aria-current={isInMenu ? 'true' : undefined}>
					<Menu
						className={styles.menu}
						align="start"
						button={
							<>
								{t(`statistics.tabs.${isInMenu ? tab.id : first.menu === 'more' ? 'more' : first.id}`)}
								<ChevronDown size={14} aria-hidden="true" />
							</>
						}
					>
						{inMenu.map(({ id }) => (
							<MenuLink key={id} href={hrefTo(id)} isChosen={id === tab.id}>
								{t(`statistics.tabs.${id}`)}
							</MenuLink>
						))}
					</Menu>
				</span>
			)}
		</nav>
	);
}
