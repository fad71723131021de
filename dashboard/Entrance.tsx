import type { ReactNode } from 'react';
import styles from './Entrance.module.css';
import { Frame } from './Frame.tsx';

/** What a page stands in that is met before signing in: one narrow column, one thing to do. */
export function Entrance({
	title,
	text,
	children,
}: {
	/** Of the page and of the browser's tab. */
	title: string;
	text?: ReactNode;
	children?: ReactNode;
}) {
	return (
		<Frame title={title}>
			<div className={styles.column}>
				<header>
					<h1>{title}</h1>
					{text && <p>{text}</p>}
				</header>
				{children}
			</div>
		</Frame>
	);
}
