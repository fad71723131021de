import type { ReactNode } from 'react';
import styles from './Card.module.css';

export function Card({ children, padded = false }: { children: ReactNode; padded?: boolean }) {
	return <section className={`${styles.card} ${padded ? styles.padded : ''}`}>{children}</section>;
}

/** A section of a settings page: title, description and controls. */
export function Section({
	title,
	text,
	children,
}: {
	title: ReactNode;
	text?: ReactNode;
	children: ReactNode;
}) {
	return (
		<section className={styles.section}>
			<header>
				<h2>{title}</h2>
				{text && <p>{text}</p>}
			</header>
			<div className={styles.body}>{children}</div>
		</section>
	);
}
