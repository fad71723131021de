import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './BreakdownPanel.module.css';

/** Link to all rows of a panel. */
export const MoreLink = ({ href, children }: { href: string; children: ReactNode }) => (
	<Link className={styles.more} href={href}>
		{children} →
	</Link>
);
