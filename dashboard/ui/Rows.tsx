import type { ReactNode } from 'react';
import { Menu } from './Menu.tsx';
import styles from './Rows.module.css';

export function Rows({ label, children }: { label?: string; children: ReactNode }) {
	return (
		<ul className={styles.rows} aria-label={label}>
			{children}
		</ul>
	);
}

/** Content on the left, actions on the right. */
export function Row({
	title,
	chip,
	isChipWarning = false,
	lines = [],
	children,
}: {
	title: ReactNode;
	/** Badge beside the title. */
	chip?: ReactNode;
	isChipWarning?: boolean;
	/** Further details, one per line. */
	lines?: readonly ReactNode[];
	children?: ReactNode;
}) {
	return (
		<li>
			<div className={styles.about}>
				<b>{title}</b>
				{chip && <span className={`${styles.chip} ${isChipWarning ? styles.warning : ''}`}>{chip}</span>}
				{lines.map((line, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: the lines of a row have their places
					<small key={index}>{line}</small>
				))}
			</div>
			{children && <div className={styles.actions}>{children}</div>}
		</li>
	);
}

/** Menu of further actions. */
export const RowMenu = ({ label, children }: { label: string; children: ReactNode }) => (
	<Menu className={styles.menu} button="⋯" label={label}>
		{children}
	</Menu>
);
