import type { ReactNode } from 'react';
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
	return (
		<nav className={styles.tabs} aria-label={label}>
			{tabs.map((tab) => (
				<Link key={tab.href} href={tab.href} aria-current={tab.isCurrent ? 'page' : undefined}>
					{tab.label}
				</Link>
			))}
		</nav>
	);
}
