import type { ReactNode } from 'react';
import styles from './Card.module.css';

/** A surface with a hairline around it. */
export function Card({ children, padded = false }: { children: ReactNode; padded?: boolean }) {
	return <section className={`${styles.card} ${padded ? styles.padded : ''}`}>{children}</section>;
}

/** A part of a page of settings: its name, a sentence, and what can be set. */
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
