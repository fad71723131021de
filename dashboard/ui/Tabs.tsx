import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Link } from 'wouter';
import styles from './Tabs.module.css';

/** Tabs of a page. Each has its own URL. */
export function Tabs({
	label,
	tabs,
}: {
	label: string;
	tabs: readonly { href: string; label: ReactNode; isCurrent: boolean }[];
}) {
	const line = useRef<HTMLElement>(null);
	const current = tabs.find(({ isCurrent }) => isCurrent)?.href;
	// On a phone the tabs scroll sideways; the page does not.
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
