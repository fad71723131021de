import type { ReactNode } from 'react';
import styles from './Notice.module.css';

/** A highlighted line: a warning, a result or an error. */
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
