import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Link } from 'wouter';
import styles from './Tabs.module.css';

/** The rooms of a page in one line. Each is an address of its own. */
export function Tabs({
	label,
	tabs,
}: {
	label: string;
	tabs: readonly { href: string; label: ReactNode; isCurrent: boolean }[];
}) {
	const line = useRef<HTMLElement>(null);
	const current = tabs.find(({ isCurrent }) => isCurrent)?.href;
	// On a phone the line is longer than the screen. Only the line moves, never the page.
	useLayoutEffect(() => {
		const tab = line.current?.querySelector<HTMLElement>(`[href="${CSS.escape(current ?? '')}"]`);
		if (tab && line.current)
			line.current.scrollLeft = tab.offsetLeft - (line.current.clientWidth - tab.offsetWidth) / 2;
	}, [current]);
	return (
		<nav ref={line} className={styles.tabs} aria-label={label}>
			{tabs.map((tab) => (
				<Link key={tab.href} href={tab.href} aria-current={tab.isCurrent ? 'page' : undefined}>
					{tab.label}
				</Link>
			))}
		</nav>
	);
}
