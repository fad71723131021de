import type { ReactNode } from 'react';
import styles from './Card.module.css';

export function Card({ children, padded = false }: { children: ReactNode; padded?: boolean }) {
	return <section className={`${styles.card} ${padded ? styles.padded : ''}`}>{children}</section>;
}

/** A section of a settings page: title, description and controls. The only section of a page needs no title of its own. */
export function Section({
	title,
	text,
	children,
}: {
	title?: ReactNode;
	text?: ReactNode;
	children: ReactNode;
}) {
	return (
		<section className={styles.section}>
			<header>
				{title && <h2>{title}</h2>}
				{text && <p>{text}</p>}
			</header>
			<div className={styles.body}>{children}</div>
		</section>
	);
}
