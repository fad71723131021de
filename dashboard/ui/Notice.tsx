import type { ReactNode } from 'react';
import styles from './Notice.module.css';

/** A line that wants to be read: a warning, a result, what went wrong. */
export function Notice({
	kind = 'note',
	children,
}: {
	kind?: 'note' | 'fault' | 'good';
	children: ReactNode;
}) {
	return (
		<div className={`${styles.notice} ${styles[kind]}`} role={kind === 'fault' ? 'alert' : 'status'}>
			{children}
		</div>
	);
}
